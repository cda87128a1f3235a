// Ask: the same answer an agent gets, with its scores, and the very text that goes to it on request.

import { html, live, nothing, repeat } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { get, queryOf } from "../lib/api.js";
import { banner, broken, empty, head, icon, memoryLine, number, skeleton } from "../lib/parts.js";
import { state } from "../lib/state.js";
import { shown } from "../lib/words.js";

/** What an agent gets when it names no number. */
const ROWS = 10;

export function open(page) {
  let q = page.place.query.q ?? "";
  let past = Boolean(page.place.query.past);
  let asked = null;
  const answer = { of: null, data: null, error: null, took: 0, reading: false };

  async function ask(cursor = null) {
    const words = q.trim();
    asked?.abort();
    if (!words) {
      Object.assign(answer, { of: null, data: null, error: null });
      return page.draw();
    }
    asked = new AbortController();
    const signal = AbortSignal.any([asked.signal, page.signal]);
    const started = performance.now();
    answer.reading = true;
    page.draw();
    try {
      const data = await get("/api/recall", { q: words, limit: ROWS, include_superseded: past, cursor }, signal);
      if (cursor) data.results = [...answer.data.results, ...data.results];
      Object.assign(answer, { of: words, data, error: null, took: cursor ? answer.took : Math.round(performance.now() - started) });
    } catch (error) {
      if (signal.aborted) return;
      Object.assign(answer, { error });
    }
    answer.reading = false;
    page.draw();
  }
  const address = () => history.replaceState(history.state, "", `#/ask${queryOf({ q: q.trim(), past })}`);
  function submit(event) {
    event?.preventDefault();
    address();
    ask();
  }
  function tryOne(words) {
    q = words;
    submit();
  }

  function results() {
    const { data, error, of } = answer;
    if (error) return broken(error, submit);
    if (!data)
      return answer.reading
        ? skeleton(3)
        : empty(
            t.ask.empty,
            t.ask.emptyHelp,
            (state.status?.memories.active ?? 0)
              ? html`${t.ask.examples.map((words) => html`<button class="btn" type="button" @click=${() => tryOne(words)}>${words}</button>`)}`
              : html`<a class="btn" href="#/memories?add=1">${t.home.write}</a>`,
          );
    if (data.results.length === 0)
      return empty(
        t.memories.nothingLike(of),
        data.hint ?? t.memories.nothingHelp,
        past
          ? nothing
          : html`<button class="btn" type="button" @click=${() => {
              past = true;
              submit();
            }}>${t.ask.includePast}</button>`,
      );
    const note = (hit) => (hit.approved ? nothing : html`<p class="why">${t.ask.notApproved}</p>`);
    return html`<p class="meta" role="status">${t.ask.found(number(data.total), answer.took, data.mode)}</p>
      <ol class="ledger gap-s">${repeat(
        data.results,
        (hit) => hit.id,
        (hit) => memoryLine(hit, { question: of, score: hit.score, note: note(hit) }),
      )}</ol>
      ${data.more ? html`<div class="end-of-list"><button class="btn" type="button" ?disabled=${answer.reading}
        @click=${() => ask(data.next_cursor)}>${t.memories.more(number(data.more))}</button></div>` : nothing}
      <details class="section"><summary class="link">${t.ask.raw}</summary><p class="help gap-s">${t.ask.rawHelp}</p><pre class="answer"
        tabindex="0">${shown(JSON.stringify({ mode: data.mode, total: data.total, results: data.results.map(({ score, approved, id, content, type, created_at, source_date }) => ({ score, approved, id, content, type, source_date, created_at })) }, null, 2))}</pre></details>`;
  }

  if (q) ask();
  return {
    title: t.places.ask,
    template: () => html`${head(t.ask.title, t.ask.help)}
      ${state.status?.recall_mode === "keyword-only" ? banner(t.ask.wordsOnly, t.ask.wordsOnlyHelp) : nothing}
      <form @submit=${submit} role="search"><div class="row"><label class="searchbox ask-box">${icon("search")}<span class="sr">${t.ask.question}</span><input
        type="search" name="q" maxlength="2000" autocomplete="off" placeholder=${t.ask.hint} .value=${live(q)}
        @input=${(event) => (q = event.target.value)}></label><button class="btn primary" type="submit">${t.places.ask}</button></div>
        <label class="row gap-s meta"><input type="checkbox" .checked=${live(past)} @change=${(event) => {
          past = event.target.checked;
          if (q.trim()) submit();
        }}> ${t.ask.alsoPast}</label></form>
      <div class="gap">${results()}</div>`,
    update: (place) => {
      q = place.query.q ?? "";
      past = Boolean(place.query.past);
      ask();
    },
  };
}
