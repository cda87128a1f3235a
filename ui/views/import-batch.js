// One import: what became of each of its items, and how all of it is taken back.

import { html, nothing } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { get, memoryPath, post } from "../lib/api.js";
import { ask } from "../lib/dialogs.js";
import { failed, toast } from "../lib/notices.js";
import { broken, capital, head, icon, number, skeleton } from "../lib/parts.js";
import { long, when } from "../lib/time.js";
import { actor, lang, linked, shown } from "../lib/words.js";
import { excerpt } from "../lib/words.js";

const ROWS = 50;

/** What may become of an item, with its colour in the bar. */
export const GROUPS = [
  ["kept", "c-kept"],
  ["wait", "c-wait"],
  ["known", "c-known"],
  ["near", "c-known"],
  ["excluded", "c-no"],
  ["refused", "c-no"],
  ["blank", "c-known"],
];
export const groupOf = (item) =>
  ({
    stored: item.status === "proposed" ? "wait" : "kept",
    duplicate: "known",
    near_duplicate: "near",
    excluded: "excluded",
    refused: "refused",
    blank: "blank",
  })[item.outcome] ?? "refused";

/** How an import stands, where that is worth a word. */
export const stateChip = ({ state, undone_at }) =>
  state === "undone"
    ? html`<span class="chip past">${t.imports.states.undone} ${when(undone_at)}</span>`
    : state === "incomplete"
      ? html`<span class="chip wait">${t.imports.states.incomplete}</span>`
      : nothing;

/** What an import is called: its source, or its files, the first by name. */
export function nameOf({ source, sources }) {
  const [first] = sources?.names ?? [];
  const more = (sources?.count ?? 0) - 1;
  if (more < 1) return source || first ? shown(source ?? first) : t.imports.unnamed;
  return source && source !== first ? html`${shown(source)}, ${t.imports.countFiles(more + 1)}` : html`${shown(first)} ${t.imports.andFiles(more)}`;
}

/** Takes an import back after asking, and says what stayed and why. */
export async function undoBatch(id, after) {
  let answer = null;
  const done = await ask({
    title: t.imports.undoAsk,
    paragraphs: t.imports.undoHelp,
    safe: t.imports.undoSafe,
    danger: t.imports.undo,
    backup: true,
    act: async () => (answer = await post(`/api/batches/${encodeURIComponent(id)}/undo`)),
  });
  if (!done) return null;
  toast(t.imports.undone(answer?.removed, answer?.restored, answer?.kept?.length ?? 0));
  after(answer);
  return answer;
}

/** The page of one import. */
export function batchOf(id, page, { undone }) {
  const batch = { read: null, items: [], cursor: null, error: null, outcome: "", reading: false, kept: null };
  const path = `/api/batches/${encodeURIComponent(id)}`;
  const texts = new Map();

  async function load(more = false) {
    batch.reading = true;
    try {
      const query = { limit: ROWS, outcome: batch.outcome, cursor: more ? batch.cursor : undefined };
      const { items = [], next_cursor, ...read } = await get(path, query, page.signal);
      Object.assign(batch, { read, items: more ? [...batch.items, ...items] : items, cursor: next_cursor ?? null, error: null });
      // What was taken back is gone from the vault.
      if (read.state !== "undone") readTexts(items);
    } catch (error) {
      if (page.signal.aborted) return;
      batch.error = error;
    }
    batch.reading = false;
    page.draw();
  }
  async function readTexts(items) {
    for (const { id: memory } of items.filter((item) => item.id && !texts.has(item.id))) {
      if (page.signal.aborted) return;
      texts.set(memory, (await get(memoryPath(memory), {}, page.signal).catch(() => null))?.content ?? null);
    }
    page.draw();
  }
  async function decide(action) {
    try {
      const answer = await post(`${path}/${action}`);
      toast(action === "approve" ? t.imports.approved(answer.approved, answer.left.length) : t.imports.rejected(answer.rejected, answer.left.length));
      undone();
      load();
    } catch (error) {
      failed(action === "approve" ? t.imports.notApproved : t.imports.notRejected, error, () => decide(action));
    }
  }
  async function undo() {
    const answer = await undoBatch(id, undone);
    if (!answer) return;
    batch.kept = answer.kept ?? [];
    load();
  }

  const line = (item) => {
    const text = texts.get(item.id);
    // What an undone import stored is gone, but for what stayed with a reason.
    const gone = batch.read.state === "undone" && item.outcome === "stored" && !batch.kept?.some((one) => one.id === item.id);
    const [title] = gone ? [t.imports.takenBack] : t.imports.groups[groupOf(item)];
    return html`<tr><td class="mono">${number(item.index + 1)}</td><td><span class="swatch ${GROUPS.find(([name]) => name === groupOf(item))[1]}"></span>${title}</td>
      <td>${text ? html`<p class="word clamp2" dir="auto" lang=${lang(text) ?? nothing}>${shown(excerpt(text))}</p>` : nothing}
        ${item.warning ? html`<p class="warned">${shown(item.warning)}</p>` : nothing}
        <p>${item.id && !gone ? html`<a href="#/memories/${item.id}">${t.imports.openIt}</a> ` : nothing}${item.reason ? linked(item.reason) : nothing}${item.similar_to
          ? html` <a href="#/memories/${item.similar_to}">${t.imports.closeTo}</a>` : nothing}</p></td></tr>`;
  };
  const OUTCOMES = ["", "stored", "duplicate", "near_duplicate", "excluded", "refused", "blank"];
  const filter = (outcome) => {
    const count = outcome ? batch.read.counts[outcome] : batch.read.counts.total;
    return count || outcome === ""
      ? html`<button class="filter" type="button" aria-pressed=${String(batch.outcome === outcome)} @click=${() => {
          batch.outcome = outcome;
          load();
        }}>${t.imports.outcomes[outcome]} <span class="n">${number(count)}</span></button>`
      : nothing;
  };
  const kept = () =>
    html`<section class="section" aria-labelledby="kept"><header><h2 id="kept">${t.imports.keptAfterUndo}</h2></header>
      <ul class="reasons">${batch.kept.map((one) => html`<li><a href="#/memories/${one.id}">${t.imports.openIt}</a> ${linked(one.reason)}</li>`)}</ul></section>`;
  const files = ({ count, names }) =>
    html`<details class="reason gap"><summary><span class="n">${number(count)}</span><span>${t.imports.filesOf}</span>${icon("right")}</summary>
      <ul>${names.map((name) => html`<li><span></span><p>${shown(name)}</p></li>`)}${count > names.length ? html`<li><span></span><p>${t.imports.andMore(number(count - names.length))}</p></li>` : nothing}</ul></details>`;
  const back = html`<p class="gap-s"><a class="link" href="#/imports">${t.imports.allImports}</a></p>`;

  load();
  return {
    template(has) {
      if (batch.error) return html`${head(t.imports.one)}${back}${broken(batch.error, () => load())}`;
      if (!batch.read) return html`${head(t.imports.one)}${skeleton(4)}`;
      const { created_by, created_at, counts, proposed, read_as, sources, state } = batch.read;
      const left = number((batch.outcome ? counts[batch.outcome] : counts.total) - batch.items.length);
      const tools = html`${proposed ? html`<a class="btn" href="#/review?batch=${id}">${t.imports.decide(proposed)}</a><button class="btn" type="button"
          @click=${() => decide("approve")}>${t.imports.approve(proposed)}</button>` : nothing}
        ${proposed && has("POST", "/api/batches/{id}/reject") ? html`<button class="btn danger" type="button" @click=${() => decide("reject")}>${t.imports.reject(proposed)}</button>` : nothing}
        ${state !== "undone" && has("POST", "/api/batches/{id}/undo") ? html`<button class="btn danger" type="button" @click=${undo}>${t.imports.undo}</button>` : nothing}`;
      return html`${head(nameOf(batch.read), html`${capital(t.imports.by)} ${shown(actor(created_by))}, ${when(created_at, long)}. ${capital(t.imports.counts(counts))}.${read_as ? ` ${t.imports.readAs(read_as)}` : ""} ${stateChip(batch.read)}`, tools)}
        ${back}${(sources?.count ?? 0) > 1 ? files(sources) : nothing}${batch.kept?.length ? kept() : nothing}
        <div class="filters scroll gap" role="group" aria-label=${t.imports.show}>${OUTCOMES.map(filter)}</div>
        <table class="table gap-s"><thead><tr><th scope="col">${t.imports.columns[0]}</th><th scope="col">${t.imports.columns[1]}</th><th scope="col">${t.imports.columns[2]}</th></tr></thead><tbody>${batch.items.map(line)}</tbody></table>
        ${batch.cursor ? html`<div class="end-of-list"><button class="btn" type="button" ?disabled=${batch.reading} @click=${() => load(true)}>${t.memories.more(left)}</button></div>` : nothing}`;
    },
  };
}
