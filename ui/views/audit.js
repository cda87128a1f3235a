// Audit: who did what to which thing. The log names ids and settings, never a text.

import { html, live, nothing, ref, repeat } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { get, queryOf } from "../lib/api.js";
import { broken, empty, head, number, onSight, skeleton } from "../lib/parts.js";
import { when } from "../lib/time.js";
import { forgetTitles, onceSeen, titleOf } from "../lib/titles.js";
import { actor, lang, linked, shown } from "../lib/words.js";

const ROWS = 50;
const NAMES = ["action", "actor", "subject"];
const BEADS = {
  remember: "is-kept",
  approve: "is-kept",
  keep: "is-kept",
  propose: "is-wait",
  reject: "is-off",
  supersede: "is-past",
  expire: "is-past",
  forget: "is-clash",
  request_forget: "is-clash",
};

/** Draws the page that is open; the words of a memory may arrive after another was opened. */
let painter = () => {};

export function open(page) {
  painter = page.draw;
  // A memory may have been changed or forgotten since.
  forgetTitles();
  const read = (query) => Object.fromEntries(NAMES.map((name) => [name, query[name] ?? ""]));
  let query = read(page.place.query);
  const list = { rows: null, cursor: null, total: 0, error: null, reading: false };
  const actors = new Set();
  const gone = new Set();

  function note({ entries }) {
    for (const entry of entries) {
      actors.add(entry.actor);
      if (entry.action === "forget") gone.add(entry.subject);
    }
  }
  async function load(more = false) {
    if (more && (list.reading || !list.cursor)) return;
    list.reading = true;
    const asked = query;
    try {
      const answer = await get("/api/audit", { ...query, limit: ROWS, cursor: more ? list.cursor : undefined }, page.signal);
      if (asked !== query) return;
      // What was forgotten has no words to read. Its last entry says so, and a filter may hide that entry.
      if (!more && (asked.action || asked.actor)) note(await get("/api/audit", { action: "forget", limit: 200 }, page.signal));
      note(answer);
      Object.assign(list, {
        rows: more ? [...list.rows, ...answer.entries] : answer.entries,
        cursor: answer.next_cursor,
        total: answer.total,
        error: null,
      });
    } catch (error) {
      if (page.signal.aborted) return;
      list.error = error;
    }
    list.reading = false;
    page.draw();
  }
  function set(change) {
    query = { ...query, ...change };
    history.replaceState(history.state, "", `#/audit${queryOf(query)}`);
    load();
    page.draw();
  }
  const clear = () => set({ action: "", actor: "", subject: "" });

  const subject = (id) => {
    if (!id) return nothing;
    if (id.startsWith("mem_")) {
      const words = titleOf(id);
      if (words === null || gone.has(id)) return html`<span>${t.audit.gone}</span>`;
      return html`<a class=${words ? "word" : "mono"} href="#/memories/${id}" title=${id}
        lang=${(words && lang(words)) || nothing} ${ref(onceSeen(id, () => painter()))}>${words ? shown(words) : `${id.slice(0, 14)}…`}</a>`;
    }
    if (id.startsWith("bat_")) return html`<a class="mono" href="#/memories?batch=${id}&status=all">${id.slice(0, 14)}…</a>`;
    return html`<span class="mono">${shown(id)}</span>`;
  };
  const details = (value) => {
    if (value === null || value === undefined) return nothing;
    const text = Object.entries(value)
      .filter(([, one]) => one !== 0 && one !== null)
      .map(
        ([name, one]) =>
          `${name.replaceAll("_", " ")}: ${Array.isArray(one) ? one.join(", ") : typeof one === "object" ? JSON.stringify(one) : one}`,
      )
      .join("; ");
    return html`<span>${linked(text)}</span>`;
  };
  const line = (
    entry,
  ) => html`<li class="line ${BEADS[entry.action] ?? ""}"><div class="when">${when(entry.at)}</div><div
    class="what"><p><b><bdi>${shown(actor(entry.actor))}</bdi></b> ${t.audit.did[entry.action] ?? shown(entry.action)} ${subject(entry.subject)} ${entry.subject && !query.subject
    ? html`<button class="link on-hover" type="button" @click=${() => set({ subject: entry.subject })}>${t.audit.only}</button>` : nothing}</p>
    ${entry.details ? html`<p class="meta">${details(entry.details)}</p>` : nothing}</div></li>`;

  const select = (name, label, options) =>
    html`<select class="filter ${query[name] ? "on" : ""}" aria-label=${label} .value=${live(query[name])}
      @change=${(event) => set({ [name]: event.target.value })}>${options.map(([value, text]) => html`<option value=${value}
      ?selected=${value === query[name]}>${text}</option>`)}</select>`;
  const filtered = () => NAMES.some((name) => query[name]);

  function body() {
    if (list.error) return broken(list.error, () => load());
    if (!list.rows) return skeleton(5);
    if (list.rows.length === 0)
      return filtered()
        ? empty(t.audit.noneFits, t.audit.noneFitsHelp, html`<button class="btn" type="button" @click=${clear}>${t.audit.showAll}</button>`)
        : empty(t.audit.none, t.audit.noneHelp);
    return html`<ol class="ledger gap">${repeat(list.rows, (entry) => entry, line)}</ol>
      ${list.cursor ? html`<div class="end-of-list" ${ref(onSight(() => load(true)))}><button class="btn" type="button" ?disabled=${list.reading}
        @click=${() => load(true)}>${t.memories.more(number(list.total - list.rows.length))}</button></div>` : nothing}`;
  }

  load();
  return {
    title: t.places.audit,
    template: () => html`${head(t.places.audit, t.audit.help)}
      <div class="row apart"><div class="filters scroll" role="group" aria-label=${t.memories.filters}>
        ${select("action", t.audit.action, [["", t.audit.anyAction], ...Object.entries(t.audit.actions)])}
        ${select("actor", t.audit.actor, [["", t.audit.anyActor], ...[...new Set([...actors, query.actor])].filter(Boolean).map((label) => [label, actor(label)])])}
        <input class="filter" aria-label=${t.audit.subject} placeholder=${t.audit.subject} .value=${live(query.subject)}
          @input=${(event) => (query = { ...query, subject: event.target.value })} @change=${(event) => set({ subject: event.target.value.trim() })}>
        ${filtered() ? html`<button class="btn small quiet" type="button" @click=${clear}>${t.memories.clear}</button>` : nothing}</div>
        <p class="meta" role="status">${list.rows ? t.audit.counted(list.total, number(list.total)) : nothing}</p></div>${body()}`,
    update: (place) => {
      query = read(place.query);
      load();
    },
  };
}
