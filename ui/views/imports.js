// Imports: paste or drop, and an honest report: what was kept, what was there already, what was refused and why.

import { html, nothing, repeat, svg } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { call, get, memoryPath, post, routes } from "../lib/api.js";
import { failed, toast } from "../lib/notices.js";
import { broken, bytes, empty, head, icon, number, skeleton } from "../lib/parts.js";
import { refresh } from "../lib/state.js";
import { when } from "../lib/time.js";
import { actor, lang, linked, shown } from "../lib/words.js";
import { GROUPS, batchOf, groupOf, nameOf, stateChip, undoBatch } from "./import-batch.js";
import { readFile, split } from "./import-reading.js";

const BATCH_ROWS = 20;
/** Lines of one reason that are drawn; the rest is counted. */
const SHOWN_ITEMS = 100;
/** Answers that say no to what was sent, and would say it again. */
const REFUSALS = [400, 413, 415, 422];
/** Texts of them that are read from the vault. */
const READ_ITEMS = 25;

export function open(page) {
  const intake = { text: "", files: [], source: "", over: false, wrong: null };
  const run = { state: "idle", dry: false, done: 0, total: 0, report: null, error: null, rest: null };
  const past = { rows: null, cursor: null, total: 0, error: null };
  let has = Object.assign(() => false, { query: () => false, field: () => false });
  let one = page.place.id ? batchOf(page.place.id, page, { undone: changedBatches }) : null;

  function changedBatches() {
    refresh();
    loadBatches();
  }

  async function loadBatches(more = false) {
    try {
      const answer = await get("/api/batches", { limit: BATCH_ROWS, cursor: more ? past.cursor : undefined }, page.signal);
      Object.assign(past, {
        rows: more ? [...past.rows, ...answer.batches] : answer.batches,
        cursor: answer.next_cursor,
        total: answer.total,
        error: null,
      });
    } catch (error) {
      if (page.signal.aborted) return;
      past.error = error;
    }
    page.draw();
  }

  async function take(files) {
    intake.wrong = null;
    for (const file of files) {
      try {
        const read = await readFile(file);
        intake.files = [...intake.files.filter((known) => known.name !== read.name), read];
      } catch (error) {
        intake.wrong = `${file.name}: ${error.message}`;
      }
    }
    page.draw();
  }

  /** Sends all of it; with `dry` the vault only says what would become of it. */
  async function start(dry = false) {
    const parts = split(intake.text, intake.files, intake.source.trim() || null);
    intake.several = new Set(parts.map((part) => part.name)).size > 1;
    if (parts.length === 0) {
      intake.wrong = t.imports.nothing;
      return page.draw();
    }
    Object.assign(run, {
      state: "running",
      dry,
      done: 0,
      total: parts.reduce((sum, part) => sum + part.weight, 0),
      report: { items: [], batch: null, batches: [], notes: new Set(), placed: new Map() },
      error: null,
    });
    await send(parts);
  }
  /** A part as the vault takes it: one import goes on over several calls where the vault knows how. */
  function bodyOf(part, last) {
    if (run.dry) return part.body;
    return { ...part.body, ...(run.report.batch ? { batch_id: run.report.batch } : {}), ...(last ? {} : { more: true }) };
  }
  async function send(parts) {
    run.state = "running";
    run.error = null;
    page.draw();
    while (parts.length > 0) {
      const [part] = parts;
      try {
        const answer = await call("POST", "/api/bulk", { body: bodyOf(part, parts.length === 1), query: run.dry ? { dry_run: 1 } : {} });
        gather(part, answer);
        // Looking first writes nothing, so the same call would look at the same items again.
        if (!run.dry && answer.remaining > 0 && answer.items.length > 0) {
          // The vault took as much as it does at once; the same call goes on from there.
          page.draw();
          continue;
        }
        run.done = Math.min(run.total, (part.from ?? run.done) + part.weight);
        parts.shift();
      } catch (error) {
        Object.assign(run, { state: "failed", error, rest: parts });
        page.draw();
        return;
      }
      page.draw();
    }
    Object.assign(run, { state: "done", rest: null });
    if (!run.dry) Object.assign(intake, { text: "", files: [], wrong: null });
    if (!run.dry) changedBatches();
    page.draw();
    const report = document.getElementById("report");
    report?.focus({ preventScroll: true });
    report?.scrollIntoView({ block: "start" });
    // Groups that are open by themselves were opened when their first items came.
    if (!run.dry) for (const [name] of GROUPS) if (opensItself(name, grouped()[name] ?? [])) texts(inOrder(grouped()[name]));
  }
  function gather(part, answer) {
    const first = (part.first ??= answer.items[0]?.index ?? 0);
    // A file sent in several pieces counts its items through all of them.
    part.before ??= run.report.placed.get(part.name) ?? 0;
    part.from ??= run.done;
    run.report.items.push(
      ...answer.items.map((item) => ({
        ...item,
        name: part.name,
        place: item.index - first + 1 + part.before,
        text: item.text ?? null,
        status: item.status ?? answer.status,
      })),
    );
    if (answer.items.length) run.report.placed.set(part.name, answer.items.at(-1).index - first + 1 + part.before);
    run.done = Math.min(run.total, part.from + Math.max(0, part.weight - (answer.remaining ?? 0)));
    if (answer.batch_id) {
      run.report.batches = [...new Set([...run.report.batches, answer.batch_id])];
      run.report.batch = answer.batch_id;
    }
    if (answer.note) run.report.notes.add(part.name && intake.files.length > 1 ? `${part.name}: ${answer.note}` : answer.note);
  }

  const drop = (event) => {
    event.preventDefault();
    intake.over = false;
    take([...event.dataTransfer.files]);
  };
  const over = (value) => (event) => {
    event.preventDefault();
    if (intake.over !== value) {
      intake.over = value;
      page.draw();
    }
  };

  const form =
    () => html`<form class="drop ${intake.over ? "over" : ""}" @submit=${(event) => {
      event.preventDefault();
      start();
    }} @dragover=${over(true)} @dragleave=${over(false)} @drop=${drop}>
    <label><span class="sr">${t.imports.paste}</span><textarea dir="auto" placeholder=${t.imports.example} .value=${intake.text}
      @input=${(event) => (intake.text = event.target.value)}></textarea></label>
    ${
      intake.files.length
        ? html`<ul class="files" aria-label=${t.imports.files}>${intake.files.map(
            (file) =>
              html`<li class="chip">${shown(file.name)}, ${t.imports.fileHolds(file.count, bytes(file.size))} <button class="link" type="button"
                aria-label=${t.imports.leaveOut(file.name)} @click=${() => {
                intake.files = intake.files.filter((one) => one !== file);
                page.draw();
              }}>×</button></li>`,
          )}</ul>`
        : nothing
    }
    ${intake.wrong ? html`<p class="wrong" role="alert">${shown(intake.wrong)}</p>` : nothing}
    <div class="row"><button class="btn" type="button" @click=${(event) => event.currentTarget.nextElementSibling.click()}>${t.imports.choose}</button><input class="sr"
      type="file" multiple accept=".md,.markdown,.txt,.json,.jsonl,.ndjson,.csv,.tsv,text/*,application/json" tabindex="-1" aria-hidden="true" @change=${(
      event,
    ) => {
      take([...event.target.files]);
      event.target.value = "";
    }}>
      <span class="meta">${t.imports.kinds}</span>
      <label class="row push"><span class="meta">${t.imports.source}</span><input class="input" .value=${intake.source} placeholder="ChatGPT" maxlength="200"
        @input=${(event) => (intake.source = event.target.value)}></label>
      ${has.query("POST", "/api/bulk", "dry_run") ? html`<button class="btn" type="button" ?disabled=${run.state === "running"} @click=${() => start(true)}>${t.imports.look}</button>` : nothing}
      <button class="btn ${run.dry && run.state === "done" ? "" : "primary"}" type="submit" ?disabled=${run.state === "running"}>${t.imports.start}</button></div></form>`;


  /** The texts of items the vault knows, read when their group is opened: a pasted text is cut by the vault, not here. */
  async function texts(items) {
    for (const item of items.slice(0, READ_ITEMS).filter((one) => one.id && one.text === null)) {
      try {
        item.text = (await get(memoryPath(item.id), {}, page.signal)).content;
      } catch {
        // Without its text the item still leads to the memory.
      }
    }
    page.draw();
  }

  function grouped() {
    const by = {};
    for (const item of run.report.items) (by[groupOf(item)] ??= []).push(item);
    return by;
  }
  /** What has a warning comes first. */
  const inOrder = (items) => [...items.filter((item) => item.warning), ...items.filter((item) => !item.warning)];
  const opensItself = (name, items) => items.length > 0 && (name === "refused" || name === "excluded" || items.some((item) => item.warning));

  function report() {
    if (run.state === "idle") return nothing;
    const items = run.report.items;
    const by = grouped();
    const counts = Object.fromEntries(GROUPS.map(([name]) => [name, by[name]?.length ?? 0]));
    const warned = items.filter((item) => item.warning).length;
    return html`<section class="section" aria-labelledby="report">
      <header><h2 id="report" tabindex="-1">${run.dry ? t.imports.wouldBe : run.state === "running" ? t.imports.running : t.imports.report}</h2></header>
      ${run.state === "running" ? progress() : nothing}${run.state === "failed" ? stopped(items.length) : nothing}
      ${items.length
        ? html`${bar(counts, items.length)}
            <p class="lead-line word">${t.imports.sum(items.length, counts, run.dry)}</p>
            ${warned ? html`<p class="meta gap-s">${t.imports.warned(warned)}</p>` : nothing}
            ${[...run.report.notes].map((note) => html`<p class="meta gap-s">${shown(note)}</p>`)}
            <div class="gap">${GROUPS.filter(([name]) => by[name]).map(([name, colour]) => group(name, colour, by[name]))}</div>`
        : nothing}
      ${run.state === "done" ? next(counts) : nothing}
    </section>`;
  }
  const progress = () =>
    html`<progress class="gap" max=${run.total} value=${run.done} aria-label=${t.imports.running}></progress>
      <p class="meta gap-s">${t.imports.progress(number(run.done), number(run.total))}</p>`;
  const refused = () => {
    const [{ name }] = run.rest;
    const others = run.rest.filter((part) => part.name !== name);
    return html`<div class="banner clash gap" role="alert">
      ${icon("warn")}
      <p><b>${t.imports.notTaken(name === null ? null : shown(name))}</b> ${linked(run.error.sentence)} ${run.report.items.length ? nothing : t.imports.noneTaken}</p>
      ${others.length ? html`<button class="btn small" type="button" @click=${() => send(others)}>${t.imports.withoutIt}</button>` : nothing}
    </div>`;
  };
  const stopped = (sent) =>
    REFUSALS.includes(run.error.status) ? refused() : html`<div class="banner clash gap" role="alert">
      ${icon("warn")}
      <p><b>${t.imports.stopped}</b> ${linked(run.error.sentence ?? t.errors.own(run.error))} ${t.imports.stoppedHelp(sent)}</p>
      <button class="btn small" type="button" @click=${() => send(run.rest)}>${t.imports.goOn}</button>
    </div>`;
  function bar(counts, total) {
    let x = 0;
    const part = ([name, colour]) => {
      const width = (counts[name] / total) * 1000;
      const rect = svg`<rect class=${colour} x=${x} width=${Math.max(1, width - 3)} height="18"/>`;
      x += width;
      return rect;
    };
    const parts = svg`${GROUPS.filter(([name]) => counts[name]).map(part)}`;
    return html`<svg class="bar" viewBox="0 0 1000 18" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
  }
  function group(name, colour, items) {
    const [title, help] = t.imports.groups[name];
    const more = items.length - SHOWN_ITEMS;
    const first = inOrder(items);
    return html`<details class="reason" ?open=${opensItself(name, items)} @toggle=${(event) => event.target.open && texts(first)}>
      <summary>
        <span class="n">${number(items.length)}</span>
        <span><span class="swatch ${colour}"></span>${title} <span class="meta">${help}</span></span>
        ${icon("right")}
      </summary>
      <ul tabindex="0" aria-label=${title}>
        ${first.slice(0, SHOWN_ITEMS).map(itemLine)}
        ${more > 0 ? html`<li><span></span><p>${t.imports.andMore(number(more))}</p></li>` : nothing}
      </ul>
    </details>`;
  }
  function itemLine({ place, name, text, id, reason, warning }) {
    const words = text ? html`<p class="word clamp3" dir="auto" lang=${lang(text) ?? nothing}>${shown(text.slice(0, 500))}</p>` : nothing;
    return html`<li>
      <span class="mono">${t.imports.item(place)}</span>
      <div>
        ${words}
        ${warning ? html`<p class="warned">${shown(warning)}</p>` : nothing}
        <p>${id ? html`<a href="#/memories/${id}">${t.imports.openIt}</a> ` : nothing}${reason ? linked(reason) : nothing}${name && intake.several ? html` <span class="meta">${shown(name)}</span>` : nothing}</p>
      </div>
    </li>`;
  }
  const undoButton = (id, size = "") =>
    has("POST", "/api/batches/{id}/undo") ? html`<button class="btn ${size}" type="button" @click=${() => undoBatch(id, changedBatches)}>${t.imports.undo}</button>` : nothing;
  /** What to do with an import that came in; the parts of a large one are in the list below. */
  function next(counts) {
    if (run.dry) return html`<div class="row gap"><button class="btn primary" type="button" @click=${() => start()}>${t.imports.startNow}</button><span class="meta">${t.imports.nothingYet}</span></div>`;
    const batch = run.report.batches.length === 1 ? run.report.batches[0] : null;
    const decide = html`<a class="btn primary" href="#/review${batch ? `?batch=${batch}` : ""}">${t.imports.decide(counts.wait)}</a>`;
    const show = html`<a class="btn" href="#/memories?batch=${batch}">${t.imports.showKept}</a>`;
    return html`<div class="row gap">${counts.wait ? decide : nothing}${batch && counts.kept ? show : nothing}${batch ? undoButton(batch) : nothing}</div>`;
  }

  async function approve(batch) {
    try {
      const answer = await post(`/api/batches/${encodeURIComponent(batch.id)}/approve`);
      toast(t.imports.approved(answer.approved, answer.left.length));
      refresh();
      loadBatches();
    } catch (error) {
      failed(t.imports.notApproved, error, () => approve(batch));
    }
  }
  function batchLine(batch) {
    const { id, created_by, created_at, counts, proposed, state: how = "done" } = batch;
    const waiting = html`<span class="chip wait">${t.imports.stillWait(proposed)}</span>`;
    const name = nameOf(batch);
    const decide = html`<a class="btn small" href="#/review?batch=${id}">${t.imports.decideEach}</a>
      <button class="btn small" type="button" @click=${() => approve(batch)}>${t.imports.approve(proposed)}</button>`;
    const bead = how === "undone" ? "is-off" : proposed || how === "incomplete" ? "is-wait" : "is-kept";
    return html`<li class="line with-action ${bead}">
      <div class="when">${when(created_at)}</div>
      <div class="what">
        <div>
          <p><b>${has("GET", "/api/batches/{id}") ? html`<a href="#/imports/${id}">${name}</a>` : name}</b> <span class="meta">${t.imports.by} ${shown(actor(created_by))}</span></p>
          <p class="meta">${t.imports.counts(counts)}${proposed ? waiting : nothing}${stateChip(batch)}<a href="#/memories?batch=${id}&status=all">${t.imports.showAll}</a></p>
        </div>
        <div class="row aside">${proposed ? decide : nothing}${how === "undone" ? nothing : undoButton(id, "small")}</div>
      </div>
    </li>`;
  }
  function batches() {
    if (past.error) return broken(past.error, () => loadBatches());
    if (!past.rows) return skeleton(2);
    if (past.rows.length === 0) return empty(t.imports.none, t.imports.noneHelp, html`<a class="btn" href="#/apps">${t.home.connect}</a>`);
    const left = number(past.total - past.rows.length);
    return html`<ol class="ledger">${repeat(past.rows, (batch) => batch.id, batchLine)}</ol>
      ${past.cursor ? html`<div class="end-of-list"><button class="btn" type="button" @click=${() => loadBatches(true)}>${t.memories.more(left)}</button></div>` : nothing}`;
  }

  if (!one) loadBatches();
  routes().then(
    (known) => {
      has = known;
      page.draw();
    },
    () => {},
  );
  return {
    title: t.places.imports,
    template: () =>
      one
        ? one.template(has)
        : html`${head(t.imports.title, t.imports.help)}${form()}${report()}
        <section class="section" aria-labelledby="earlier"><header><h2 id="earlier">${t.imports.earlier}</h2></header>${batches()}</section>`,
    update: (place) => {
      one = place.id ? batchOf(place.id, page, { undone: changedBatches }) : null;
      if (!one && !past.rows) loadBatches();
    },
    unsaved: () => run.state === "running" || Boolean(intake.text.trim()),
  };
}
