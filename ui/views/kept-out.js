// Texts that must not come back: of each only a fingerprint is here, and a way to let it in again.

import { html, nothing, repeat } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { get, remove } from "../lib/api.js";
import { ask } from "../lib/dialogs.js";
import { toast } from "../lib/notices.js";
import { broken, empty, number, skeleton } from "../lib/parts.js";
import { refresh } from "../lib/state.js";
import { when } from "../lib/time.js";
import { actor, shown } from "../lib/words.js";

const ROWS = 25;

/** The section on a page; `template()` draws it. */
export function keptOut(page) {
  const out = { rows: null, cursor: null, total: 0, error: null };

  async function loadOut(more = false) {
    try {
      const answer = await get("/api/exclusions", { limit: ROWS, cursor: more ? out.cursor : undefined }, page.signal);
      Object.assign(out, {
        rows: more ? [...out.rows, ...answer.exclusions] : answer.exclusions,
        cursor: answer.next_cursor,
        total: answer.total,
        error: null,
      });
    } catch (error) {
      if (page.signal.aborted) return;
      out.error = error;
    }
    page.draw();
  }

  async function lift(row) {
    const done = await ask({
      title: t.settings.liftAsk,
      paragraphs: [t.settings.liftHelp],
      safe: t.settings.liftSafe,
      danger: t.settings.liftNow,
      act: () => remove(`/api/exclusions/${encodeURIComponent(row.content_hash)}`),
    });
    if (!done) return;
    toast(t.settings.lifted);
    loadOut();
    refresh();
  }

  function exclusions() {
    if (out.error) return broken(out.error, () => loadOut());
    if (!out.rows) return skeleton(2);
    if (out.rows.length === 0) return empty(t.settings.noneOut, t.settings.noneOutHelp);
    const left = number(out.total - out.rows.length);
    return html`<ol class="ledger">${repeat(out.rows, (row) => row.content_hash, exclusionLine)}</ol>
      ${out.cursor ? html`<div class="end-of-list"><button class="btn" type="button" @click=${() => loadOut(true)}>${t.memories.more(left)}</button></div>` : nothing}`;
  }
  function exclusionLine(row) {
    const by = row.created_by ? html`<span class="meta">${t.imports.by} ${shown(actor(row.created_by))}</span>` : nothing;
    return html`<li class="line with-action is-off">
      <div class="when">${when(row.created_at)}</div>
      <div class="what">
        <div>
          <p>${t.settings.reasons[row.reason] ?? shown(row.reason)} ${by}</p>
          <p class="meta"><span class="mono" title=${row.content_hash}>${row.content_hash.slice(0, 16)}…</span></p>
        </div>
        <button class="btn small aside" type="button" @click=${() => lift(row)}>${t.settings.lift}</button>
      </div>
    </li>`;
  }

  loadOut();
  return {
    template: () =>
      html`<section class="section" aria-labelledby="out">
        <header><h2 id="out">${t.settings.out}</h2><p class="meta">${out.rows?.length ? number(out.total) : nothing}</p></header>
        <p class="help gap-s">${t.settings.outHelp}</p>
        ${exclusions()}
      </section>`,
  };
}
