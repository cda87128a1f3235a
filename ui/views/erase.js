// Erasing the whole vault: asked for in typed words, carried out after days of grace, and called off with one press until then.

import { html, nothing } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { post } from "../lib/api.js";
import * as dialogs from "../lib/dialogs.js";
import { keepVault } from "../lib/health.js";
import { toast } from "../lib/notices.js";
import { refresh, state } from "../lib/state.js";
import { linked } from "../lib/words.js";

/** What has to be typed; the vault compares it again. */
const WORDS = "erase my vault";

/** Asks; the button wakes up once the words are typed. */
export async function eraseVault() {
  let [typed, busy, wrong, answer] = ["", false, null, null];
  const dialog = dialogs.open((self) => {
    const go = async (event) => {
      event.preventDefault();
      if (typed.trim().toLowerCase() !== WORDS || busy) return;
      [busy, wrong] = [true, null];
      self.draw();
      try {
        answer = await post("/api/erase", { confirm: WORDS });
        self.close(true);
      } catch (error) {
        [busy, wrong] = [false, error];
        self.draw();
      }
    };
    return html`<form @submit=${go}><h2 id=${self.id}>${t.erase.ask}</h2>${t.erase.paragraphs.map((text) => html`<p>${text}</p>`)}
      <label class="field gap"><span>${t.erase.type(WORDS)}</span><input class="input" autocomplete="off" spellcheck="false" @input=${(event) => {
        typed = event.target.value;
        self.draw();
      }}></label>
      ${wrong ? html`<p class="wrong" role="alert">${linked(wrong.sentence ?? t.errors.own(wrong))}</p>` : nothing}
      <div class="row end"><button class="btn" type="button" data-first @click=${() => self.close(false)}>${t.erase.safe}</button>
        <button class="btn danger primary" type="submit" ?disabled=${busy || typed.trim().toLowerCase() !== WORDS}>${t.erase.now}</button></div></form>`;
  });
  if (!(await dialog.done)) return;
  if (state.status) state.status = { ...state.status, erase_at: answer?.erases_at ?? state.status.erase_at };
  toast(t.erase.begun);
  refresh();
}

/** The section on a page. */
export const erasing = () =>
  html`<section class="section" aria-labelledby="erase"><header><h2 id="erase">${t.erase.title}</h2></header><p class="help gap-s">${t.erase.help}</p>
    <div class="row gap">${
      state.status?.erase_at
        ? html`<button class="btn" type="button" @click=${keepVault}>${t.erase.keep}</button>`
        : html`<button class="btn danger" type="button" @click=${eraseVault}>${t.erase.button}</button>`
    }</div></section>`;
