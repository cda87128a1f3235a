// History: what is not in force any more, how long it stays, what the next clearing takes away, and what must not come back.

import { html, nothing, repeat } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { get, memoryPath, post, put, routes } from "../lib/api.js";
import { ask } from "../lib/dialogs.js";
import { toast } from "../lib/notices.js";
import { broken, head, memoryLine, number, skeleton } from "../lib/parts.js";
import { refresh, state } from "../lib/state.js";
import { long, when } from "../lib/time.js";
import { linked } from "../lib/words.js";
import { keptOut } from "./kept-out.js";

const LATELY = 6;
/** Texts shown of what the next clearing takes away. */
const GOING = 5;
const DAYS = ["superseded_days", "rejected_days", "audit_days"];
const KINDS = ["superseded", "rejected", "audit", "dead_jobs"];

export function open(page) {
  const past = { rows: null, error: null };
  const plan = { has: false, read: null, going: [], error: null, busy: false, wrong: null };
  const out = keptOut(page);

  async function load() {
    try {
      past.rows = (await get("/api/memories", { status: "superseded", limit: LATELY }, page.signal)).memories;
      past.error = null;
    } catch (error) {
      if (page.signal.aborted) return;
      past.error = error;
    }
    page.draw();
  }
  async function loadPlan() {
    try {
      plan.has = (await routes())("GET", "/api/retention");
      if (!plan.has) return;
      const read = await get("/api/retention", {}, page.signal);
      Object.assign(plan, { read, error: null });
      const ids = [...(read.ids?.superseded ?? []), ...(read.ids?.rejected ?? [])].slice(0, GOING);
      plan.going = (await Promise.all(ids.map((id) => get(memoryPath(id), {}, page.signal).catch(() => null)))).filter(Boolean);
    } catch (error) {
      if (page.signal.aborted) return;
      plan.error = error;
    }
    page.draw();
  }

  async function save(wanted, said, back = null) {
    Object.assign(plan, { busy: true, wrong: null });
    page.draw();
    try {
      state.settings = await put("/api/settings", wanted);
      toast(said, { undo: back && (() => save(back, t.settings.undone)) });
      loadPlan();
    } catch (error) {
      plan.wrong = error;
    }
    plan.busy = false;
    page.draw();
  }
  function submit(event) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const shownDays = DAYS.filter((name) => data.has(name));
    const texts = Object.fromEntries(shownDays.map((name) => [name, String(data.get(name)).trim()]));
    const odd = shownDays.find((name) => !/^\d+$/.test(texts[name]));
    if (odd) {
      plan.wrong = { field: odd, sentence: t.settings.wholeDays(t.history.days[odd][0]) };
      return page.draw();
    }
    const changed = shownDays.filter((name) => Number(texts[name]) !== state.settings[name]);
    if (changed.length === 0) return toast(t.settings.same);
    const pick = (from) => Object.fromEntries(changed.map((name) => [name, Number(from[name])]));
    return save(pick(texts), t.settings.saved, pick(state.settings));
  }
  async function run() {
    let answer = null;
    const done = await ask({
      title: t.history.runAsk,
      paragraphs: [t.history.runHelp(countsOf(plan.read.would_remove)), t.history.runForGood],
      safe: t.history.runSafe,
      danger: t.history.runNow,
      backup: true,
      act: async () => (answer = await post("/api/retention/run")),
    });
    if (!done) return;
    toast(answer.more ? t.history.runOn : t.history.ran(countsOf(answer.removed ?? {})));
    refresh();
    load();
    loadPlan();
  }
  const countsOf = (counts) => KINDS.filter((kind) => counts[kind]).map((kind) => t.history.counts[kind](counts[kind], number(counts[kind])));

  const bad = (name) => (plan.wrong?.field === name ? "true" : nothing);
  const days = (name) =>
    state.settings[name] === undefined
      ? nothing
      : html`<label class="field"><span>${t.history.days[name][0]}</span>
          <span class="days"><input class="input" type="number" name=${name} min="0" max="3650" .value=${String(state.settings[name])} aria-invalid=${bad(name)}> ${t.settings.days}</span>
          <small>${t.history.days[name][1]}</small></label>`;
  const form = () =>
    state.settings
      ? html`<form class="settings gap" novalidate @submit=${submit}>${DAYS.map(days)}
          ${plan.wrong ? html`<p class="wrong" role="alert">${linked(plan.wrong.sentence ?? t.errors.own(plan.wrong))}</p>` : nothing}
          <div class="row"><button class="btn" type="submit" ?disabled=${plan.busy}>${t.history.save}</button></div></form>`
      : skeleton(2);
  function going() {
    if (plan.error) return broken(plan.error, loadPlan);
    if (!plan.read) return skeleton(2);
    const { would_remove, next_run_at, last_run } = plan.read;
    const counts = countsOf(would_remove);
    return html`<p class="lead-line word gap-s">${counts.length ? t.history.goes(counts) : t.history.nothingGoes}</p>
      <p class="meta gap-s">${next_run_at ? html`${t.history.nextRun} ${when(next_run_at, long)}. ` : nothing}${last_run ? html`${t.history.lastRun} ${when(last_run.at, long)}: ${t.history.ran(countsOf(last_run.removed ?? {}))}` : nothing}</p>
      ${plan.going.length ? html`<ol class="ledger gap">${repeat(plan.going, (memory) => memory.id, (memory) => memoryLine(memory))}</ol>` : nothing}
      ${counts.length ? html`<div class="row gap"><button class="btn danger" type="button" @click=${run}>${t.history.runButton}</button></div>` : nothing}`;
  }
  function lately() {
    if (past.error) return broken(past.error, load);
    if (!past.rows) return skeleton(3);
    if (past.rows.length === 0) return html`<p class="help gap-s">${t.history.none}</p>`;
    return html`<ol class="ledger">${repeat(past.rows, (memory) => memory.id, (memory) => memoryLine(memory))}</ol>`;
  }

  load();
  loadPlan();
  return {
    title: t.places.history,
    template() {
      const counts = state.status?.memories;
      const links = counts
        ? html`<a href="#/memories?status=superseded">${t.history.replaced(counts.superseded, number(counts.superseded))}</a>,
            <a href="#/memories?status=rejected">${t.history.rejected(counts.rejected, number(counts.rejected))}</a>. ${t.history.help}`
        : t.history.help;
      return html`${head(t.places.history, links)}
        <div class="two"><div>
          <section aria-labelledby="lately"><header><h2 id="lately">${t.history.lately}</h2><a class="link" href="#/memories?status=superseded">${t.all}</a></header>${lately()}</section>
          ${out.template()}</div>
        <div class="stack">${plan.has || plan.error
          ? html`<section aria-labelledby="going"><header><h2 id="going">${t.history.next}</h2></header>${going()}</section>
            <section class="section" aria-labelledby="stays"><header><h2 id="stays">${t.history.stays}</h2></header>${form()}</section>`
          : nothing}</div></div>`;
    },
  };
}
