// Native dialogs: the browser keeps focus inside and gives it back. Used only where there is no undo, or to write.

import { html, render, nothing } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { routes } from "./api.js";
import { saveBackup } from "./save-backup.js";
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
    With `backup` a backup is offered first: one press saves it and, once all of it is here, goes on. Resolves to whether it
    was done. */
export async function ask({ title, quote = null, paragraphs = [], safe, danger, backup = false, act }) {
  let [busy, saving, wrong, offered] = [false, false, null, false];
  const dialog = open((self) => {
    const go = async (saved = false) => {
      [busy, saving, wrong] = [true, saved, null];
      self.draw();
      try {
        if (saved) await saveBackup();
        saving = false;
        self.draw();
        await act();
        self.close(true);
      } catch (error) {
        [busy, saving, wrong] = [false, false, error];
        self.draw();
      }
    };
    const first = () =>
      html`<p class="first">${saving ? t.backup.saving : t.backup.firstHelp} <button class="btn small" type="button" ?disabled=${busy} @click=${() => go(true)}>${t.backup.first}</button></p>`;
    return html`<h2 id=${self.id}>${title}</h2>
      ${quote === null ? nothing : html`<blockquote class="word" dir="auto" lang=${lang(quote) ?? nothing} tabindex="0">${shown(quote.slice(0, 2000))}</blockquote>`}
      ${paragraphs.map((text) => html`<p>${text}</p>`)}
      ${wrong ? html`<p class="wrong" role="alert">${linked(wrong.sentence ?? t.errors.own(wrong))}</p>` : nothing}
      ${offered ? first() : nothing}
      <div class="row end"><button class="btn" type="button" data-first @click=${() => self.close(false)}>${safe}</button>
      <button class="btn danger primary" type="button" ?disabled=${busy} @click=${() => go()}>${danger}</button></div>`;
  });
  if (backup)
    routes().then(
      (has) => {
        offered = has("GET", "/api/backup");
        dialog.draw();
      },
      () => {},
    );
  return Boolean(await dialog.done);
}
