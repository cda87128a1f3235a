// Every memory: found as one types, filtered, read on and on; one of them opened beside the list.

import { html, live, nothing, ref, repeat } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { get, queryOf } from "../lib/api.js";
import { toast } from "../lib/notices.js";
import { TYPE_WORDS, broken, empty, head, icon, memoryLine, number, onSight, skeleton } from "../lib/parts.js";
import { refresh, state } from "../lib/state.js";
import { title as titleOf } from "../lib/words.js";
import { detailOf } from "./memory-detail.js";
import { addMemory } from "./memory-form.js";

const TYPING_MILLISECONDS = 120;
const PAGE_ROWS = 50;
const NAMES = ["q", "status", "type", "tier", "tag", "source", "batch", "after"];

export function open(page) {
  let query = wanted(page.place.query);
  let id = page.place.id;
  const list = { rows: [], cursor: null, total: null, mode: null, hint: null, error: null, reading: false, took: null };
  let asked = null;
  let timer = 0;
  let detail = null;

  function wanted(from) {
    return Object.fromEntries(NAMES.map((name) => [name, from[name] ?? ""]));
  }
  const address = (memory = id, change = {}) =>
    `#/memories${memory ? `/${encodeURIComponent(memory)}` : ""}${queryOf({ ...query, ...change })}`;

  /** What the API is asked for; "asked" is the owner's word for memories that agents asked to forget. */
  function filter() {
    const { q, status, ...rest } = query;
    if (status === "asked") return { ...rest, forget_requested: 1, status: "all" };
    return { ...rest, status: status || "active" };
  }

  async function load(more = false) {
    if (more && (list.reading || !list.cursor)) return;
    asked?.abort();
    asked = new AbortController();
    const signal = AbortSignal.any([asked.signal, page.signal]);
    const started = performance.now();
    list.reading = true;
    const q = query.q.trim();
    try {
      const from = { ...filter(), limit: PAGE_ROWS, cursor: more ? list.cursor : undefined };
      const answer = q ? await get("/api/recall", { q, ...from }, signal) : await get("/api/memories", from, signal);
      const rows = q ? answer.results : answer.memories;
      Object.assign(list, {
        rows: more ? [...list.rows, ...rows] : rows,
        cursor: answer.next_cursor,
        total: answer.total,
        mode: answer.mode ?? null,
        hint: answer.hint ?? null,
        error: null,
        took: q && !more ? Math.round(performance.now() - started) : list.took,
        searched: q,
      });
    } catch (error) {
      if (signal.aborted) return;
      list.error = error;
    }
    list.reading = false;
    page.draw();
  }

  function search(text) {
    query = { ...query, q: text };
    clearTimeout(timer);
    timer = setTimeout(() => {
      history.replaceState(history.state, "", address());
      load();
    }, TYPING_MILLISECONDS);
  }
  function set(change) {
    query = { ...query, ...change };
    history.replaceState(history.state, "", address());
    load();
    page.draw();
  }
  const clear = () => set(Object.fromEntries(NAMES.map((name) => [name, name === "q" ? query.q : ""])));

  async function add() {
    history.replaceState(history.state, "", address());
    const answer = await addMemory();
    if (!answer) return;
    toast(answer.outcome === "duplicate" ? t.memories.known : t.memories.added);
    location.hash = `#/memories/${answer.id}`;
    refresh();
    load();
  }

  function show(memory) {
    detail?.close();
    detail = memory
      ? detailOf(memory, {
          draw: page.draw,
          signal: page.signal,
          back: () => address(""),
          changed: () => {
            refresh();
            load();
          },
          gone: () => {
            id = "";
            show("");
            history.replaceState(history.state, "", address(""));
            refresh();
            load();
            document.querySelector("main h1")?.focus();
          },
        })
      : null;
    document.getElementById("main").classList.toggle("reading", Boolean(memory));
  }

  const select = (name, label, options) =>
    html`<select class="filter ${query[name] ? "on" : ""}" aria-label=${label} .value=${live(query[name])} @change=${(event) => set({ [name]: event.target.value })}>
      ${options.map(([value, text]) => html`<option value=${value} ?selected=${value === query[name]}>${text}</option>`)}</select>`;
  const input = (name, label) =>
    html`<input class="filter" aria-label=${label} placeholder=${label} .value=${live(query[name])}
      @input=${(event) => (query = { ...query, [name]: event.target.value })} @change=${(event) => set({ [name]: event.target.value.trim() })}>`;
  const filtered = () => NAMES.some((name) => name !== "q" && query[name]);

  const tools = () => html`<div class="row apart tools gap-s">
    <div class="filters scroll" role="group" aria-label=${t.memories.filters}>
      ${select("status", t.memories.statusFilter, Object.entries(t.memories.statuses))}
      ${select("type", t.facts.type, [["", t.memories.anyType], ...TYPE_WORDS.map((word) => [word, word])])}
      ${select("tier", t.facts.tier, [
        ["", t.memories.anyTier],
        ["long", t.options.long],
        ["short", t.options.short],
      ])}
      ${select("after", t.memories.timeFilter, Object.entries(t.memories.times))}
      ${input("tag", t.memories.tagFilter)}${input("source", t.memories.sourceFilter)}
      ${query.batch ? html`<button class="filter" type="button" aria-pressed="true" @click=${() => set({ batch: "" })}>${t.review.oneImport}${icon("close")}</button>`
        : nothing}
      ${filtered() ? html`<button class="btn small quiet" type="button" @click=${clear}>${t.memories.clear}</button>` : nothing}
    </div>
    <p class="meta"
      role="status">${list.total === null ? nothing : list.searched ? t.memories.found(number(list.total), list.took, list.mode) : t.memories.counted(list.total, number(list.total))}</p></div>`;

  function nothingThere() {
    if (list.searched) {
      return empty(
        t.memories.nothingLike(list.searched),
        list.hint ? `${list.hint}` : t.memories.nothingHelp,
        html`${query.status === "all" ? nothing : html`<button class="btn" type="button"
          @click=${() => set({ status: "all" })}>${t.memories.includeAll}</button>`}${filtered() ? html`<button class="btn quiet" type="button"
          @click=${clear}>${t.memories.clear}</button>` : nothing}`,
      );
    }
    if (filtered())
      return empty(
        t.memories.noneFits,
        t.memories.noneFitsHelp,
        html`<button class="btn" type="button" @click=${clear}>${t.memories.clear}</button>`,
      );
    return empty(
      t.home.first,
      t.home.firstHelp,
      html`<a class="btn" href="#/apps">${t.home.connect}</a><a class="btn" href="#/imports">${t.home.import}</a>`,
    );
  }

  function found() {
    if (list.error) return broken(list.error, () => load());
    if (list.total === null) return skeleton(4);
    if (list.rows.length === 0) return nothingThere();
    return html`<ol class="ledger">${repeat(
      list.rows,
      (row) => row.id,
      (row) =>
        memoryLine(row, {
          href: address(row.id),
          question: list.searched,
          score: list.searched ? row.score : null,
          current: row.id === id,
        }),
    )}</ol>
      ${list.cursor ? html`<div class="end-of-list" ${ref(onSight(() => load(true)))}><button class="btn" type="button" ?disabled=${list.reading}
        @click=${() => load(true)}>${t.memories.more(number(list.total - list.rows.length))}</button></div>` : nothing}`;
  }

  if (id) show(id);
  if (page.place.query.add) add();
  load();

  return {
    get title() {
      return detail?.memory ? titleOf(detail.memory.content, 50) : t.places.memories;
    },
    template:
      () => html`${head(t.places.memories, nothing, html`<button class="btn primary" type="button" @click=${add}>${icon("plus")}${t.memories.add}</button>`)}
      <label class="searchbox">${icon("search")}<span class="sr">${t.memories.search}</span><input type="search" placeholder=${t.memories.searchHint} autocomplete="off"
        maxlength="2000" .value=${live(query.q)} @input=${(event) => search(event.target.value)}><kbd>/</kbd></label>
      ${tools()}
      <div class="split ${detail ? "open" : "alone"}"><section aria-label=${t.memories.list}>${found()}</section>${detail ? detail.template() : nothing}</div>`,
    update: (place) => {
      const before = JSON.stringify(query);
      query = wanted(place.query);
      if (place.id !== id) {
        id = place.id;
        show(id);
        if (id) setTimeout(() => document.querySelector(".detail h2")?.focus({ preventScroll: innerWidth > 1088 }), 0);
        if (id && innerWidth <= 1088) scrollTo(0, 0);
      }
      if (place.query.add) add();
      if (JSON.stringify(query) !== before) load();
    },
    close: () => {
      detail?.close();
      document.getElementById("main").classList.remove("reading");
    },
    keys: {
      e: () => detail?.edit() ?? false,
      Escape: () => {
        if (!detail) return false;
        location.hash = address("");
      },
    },
  };
}
