// Conversations: whole exports, kept byte for byte. The page is shown only what the vault can do.

import { html } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { empty, head } from "../lib/parts.js";

export function open() {
  return {
    title: t.places.conversations,
    template: () =>
      html`${head(t.places.conversations, t.conversations.help)}${empty(t.conversations.empty, t.conversations.emptyHelp, html`<a class="btn"
        href="#/imports">${t.conversations.instead}</a>`)}`,
  };
}
