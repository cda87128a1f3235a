// What the vault says about an act: a toast for what happened, a banner that stays for what failed, and the live region
// for those who listen.

import { html, render, nothing } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { changed } from "./state.js";

/** How long a notice stays. */
export const TOAST_MILLISECONDS = 10_000;
let timer = 0;
let current = null;

/** Says a sentence to screen readers. */
export function say(text) {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}

/** Shows one toast, with Undo if `undo` is given. It stays while it is hovered or focused. */
export function toast(text, { undo = null, stays = false, label = t.undo } = {}) {
  current = { text, undo };
  const act = async () => {
    hideToast();
    await undo();
  };
  render(
    html`<div class="toast" @pointerenter=${stop} @pointerleave=${start} @focusin=${stop} @focusout=${start}>
      <span>${text}</span>${undo ? html`<button class="btn small" type="button" id="undo" @click=${act}>${label} <kbd>u</kbd></button>` : nothing}
    </div>`,
    document.getElementById("toasts"),
  );
  current.act = undo ? act : null;
  say(text);
  stop();
  if (!stays) start();
}
const stop = () => clearTimeout(timer);
const start = () => {
  stop();
  timer = setTimeout(hideToast, TOAST_MILLISECONDS);
};
/** Takes the toast away. */
export function hideToast() {
  stop();
  current = null;
  render(nothing, document.getElementById("toasts"));
}
/** What the key `u` does: the toast's Undo, if it has one. Says whether it did. */
export function undoLast() {
  if (!current?.act) return false;
  current.act();
  return true;
}

const problems = [];
/** A failure that stays until it is retried or closed. `retry` is called by the button; the same `key` is shown once. */
export function problem({ key = crypto.randomUUID(), title, text, retry = null, action = t.retry }) {
  const other = problems.findIndex((known) => known.key === key);
  if (other >= 0) problems.splice(other, 1);
  problems.push({ key, title, text, retry, action });
  say(`${title} ${text}`);
  changed();
}
/** Takes a failure away. */
export function solved(key) {
  const place = problems.findIndex((known) => known.key === key);
  if (place >= 0) {
    problems.splice(place, 1);
    changed();
  }
}
/** Says that an act failed, with the vault's reason. */
export function failed(title, error, retry = null) {
  problem({ key: title, title, text: error.sentence ?? t.errors.own(error), retry });
}

/** The banners, for the top of every page. */
export function problemList() {
  return problems.map(
    (one) => html`<div class="banner clash" role="alert">
      <svg class="icon" aria-hidden="true"><use href="#i-warn"/></svg>
      <p><b>${one.title}</b> ${one.text}</p>
      ${
        one.retry
          ? html`<button class="btn small" type="button" @click=${() => {
              solved(one.key);
              one.retry();
            }}>${one.action}</button>`
          : nothing
      }
      <button class="btn small quiet" type="button" @click=${() => solved(one.key)}>${t.close}</button>
    </div>`,
  );
}
