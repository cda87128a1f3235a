// Native dialogs: the browser keeps focus inside and gives it back. Used only where there is no undo, or to write.

import { html, render, nothing } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { linked, shown, lang } from "./words.js";

let count = 0;

/** Opens a dialog of a `kind` of parts.css; `body(dialog)` is its template, drawn again by `dialog.draw()`. `dialog.done` resolves when it closes.
    One that `holds` what was typed is not closed by a click beside it. */
export function open(body, { kind = "", label = null, holds = false } = {}) {
  const holder = document.createElement("div");
  document.getElementById("dialogs").append(holder);
  const id = `dialog-${++count}`;
  const dialog = { id };
  dialog.done = new Promise((resolve) => {
    dialog.draw = () =>
      render(
        html`<dialog class=${kind} aria-labelledby=${label ? nothing : id} aria-label=${label ?? nothing}
          @close=${() => {
            holder.remove();
            resolve(dialog.answer);
          }} @click=${(event) => !holds && event.target === event.currentTarget && dialog.close()}>
          <div @click=${(event) => event.stopPropagation()}>${body(dialog)}</div></dialog>`,
        holder,
      );
  });
  dialog.draw();
  dialog.element = holder.querySelector("dialog");
  dialog.close = (answer) => {
    dialog.answer = answer;
    dialog.element.close();
  };
  dialog.element.showModal();
  dialog.element.querySelector("[data-first]")?.focus();
  return dialog;
}

/** Closes every dialog, for when the page changes under them. */
export const closeAll = () => document.querySelectorAll("#dialogs dialog[open]").forEach((dialog) => dialog.close());

/** Asks before something that has no undo. `act` runs while the dialog stays open, so that a failure is read there.
    Resolves to whether it was done. */
export async function ask({ title, quote = null, paragraphs = [], safe, danger, act }) {
  let [busy, wrong] = [false, null];
  const dialog = open((self) => {
    const go = async () => {
      [busy, wrong] = [true, null];
      self.draw();
      try {
        await act();
        self.close(true);
      } catch (error) {
        [busy, wrong] = [false, error];
        self.draw();
      }
    };
    return html`<h2 id=${self.id}>${title}</h2>
      ${quote === null ? nothing : html`<blockquote class="word" dir="auto" lang=${lang(quote) ?? nothing} tabindex="0">${shown(quote.slice(0, 2000))}</blockquote>`}
      ${paragraphs.map((text) => html`<p>${text}</p>`)}
      ${wrong ? html`<p class="wrong" role="alert">${linked(wrong.sentence ?? t.errors.own(wrong))}</p>` : nothing}
      <div class="row end"><button class="btn" type="button" data-first @click=${() => self.close(false)}>${safe}</button>
      <button class="btn danger primary" type="button" ?disabled=${busy} @click=${go}>${danger}</button></div>`;
  });
  return Boolean(await dialog.done);
}
