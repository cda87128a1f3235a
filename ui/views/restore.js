// A backup on its way back: sent in parts, checked by the vault, shown for what it is, and only then put in the vault's place.

import { html, nothing } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { call, get, post, remove } from "../lib/api.js";
import { ask } from "../lib/dialogs.js";
import { failed, toast } from "../lib/notices.js";
import { bytes, icon, number } from "../lib/parts.js";
import { refresh, state } from "../lib/state.js";
import { long, when } from "../lib/time.js";
import { linked, shown } from "../lib/words.js";

/** One part: small enough to be sent again without pain, far below what the vault takes. */
const PART_BYTES = 8 * 1024 * 1024;
const AGAIN_MILLISECONDS = 700;
/** A part on a slow line. */
const PART_MILLISECONDS = 10 * 60_000;

/** The section on a page. */
export function restoring(page) {
  const run = { state: "idle", file: null, sent: 0, view: null, error: null, keepForgotten: true, timer: 0 };
  const path = (more = "") => `/api/restore/${encodeURIComponent(run.view.id)}${more}`;

  /** A restore under way goes on here, after the page was left or loaded again, whoever began it. */
  async function resume() {
    try {
      const view = await get("/api/restore", {}, page.signal);
      // What was done is done; a file chosen meanwhile comes first.
      if (!view || view.state === "restored" || run.state !== "idle") return;
      run.view = view;
      follow();
    } catch (error) {
      if (page.signal.aborted) return;
      stop(error);
    }
    page.draw();
  }
  const forget = () => Object.assign(run, { view: null, file: null, state: "idle", error: null });

  async function begin(file) {
    const before = run.view && path();
    clearTimeout(run.timer);
    Object.assign(run, { file, sent: 0, view: null, error: null, state: "sending" });
    page.draw();
    try {
      // What was refused is thrown away first; a restore that is gone already is none in the way.
      if (before) await remove(before).catch((error) => error.status === 404 || Promise.reject(error));
      run.view = await post("/api/restore");
      await send();
    } catch (error) {
      stop(error);
    }
  }
  async function send() {
    Object.assign(run, { state: "sending", error: null });
    page.draw();
    try {
      for (let part = 1 + Math.floor(run.sent / PART_BYTES); run.sent < run.file.size; part += 1) {
        const piece = run.file.slice((part - 1) * PART_BYTES, part * PART_BYTES);
        run.view = await call("PUT", path(`/parts/${part}`), { raw: piece, milliseconds: PART_MILLISECONDS, signal: page.signal });
        run.sent = Math.min(run.file.size, part * PART_BYTES);
        page.draw();
      }
      await look();
    } catch (error) {
      stop(error);
    }
  }
  function stop(error) {
    if (page.signal.aborted) return;
    Object.assign(run, { state: "stopped", error });
    page.draw();
  }
  /** The vault checks as it is asked, step by step. */
  async function look() {
    try {
      run.view = await get(path(), {}, page.signal);
      run.state = "idle";
      follow();
    } catch (error) {
      stop(error);
    }
    page.draw();
  }
  function follow() {
    clearTimeout(run.timer);
    const { state: how, committing } = run.view;
    if (how === "restored") return done();
    if (how === "checking" || committing || (how === "receiving" && run.file && run.sent >= run.file.size)) run.timer = setTimeout(look, AGAIN_MILLISECONDS);
  }
  async function done() {
    const { outcome } = run.view;
    forget();
    toast(t.backup.restoredWith(outcome?.left_out, outcome?.to_embed));
    await refresh();
    page.draw();
  }
  async function commit() {
    const counts = state.status?.memories;
    const here = run.view.vault_is_empty ? 0 : counts ? counts.active + counts.proposed + counts.superseded + counts.rejected : 0;
    const kept = await ask({
      title: here ? t.backup.restoreOver(number(here)) : t.backup.restoreAsk,
      paragraphs: [run.file ? t.backup.restoreFrom(run.file.name, bytes(run.view.bytes)) : t.backup.restoreFrom(t.backup.aBackup, bytes(run.view.bytes)), here || !run.view.vault_is_empty ? t.backup.restoreOverHelp : t.backup.restoreHelp],
      safe: t.backup.keepHere,
      danger: t.backup.restore,
      backup: !run.view.vault_is_empty,
      act: async () => {
        const query = { ...(run.view.vault_is_empty ? {} : { replace: 1 }), ...(run.keepForgotten ? {} : { keep_forgotten: 0 }) };
        run.view = await call("POST", `${path("/commit")}${Object.keys(query).length ? `?${new URLSearchParams(query)}` : ""}`);
      },
    });
    if (!kept) return;
    follow();
    page.draw();
  }
  async function cancel() {
    clearTimeout(run.timer);
    try {
      if (run.view) await remove(path());
      forget();
      toast(t.backup.givenUp);
    } catch (error) {
      failed(t.backup.notGivenUp, error, cancel);
    }
    page.draw();
  }

  const quit = () => html`<button class="btn quiet" type="button" @click=${cancel}>${t.backup.giveUp}</button>`;
  const progress = (label, value, max) =>
    html`<progress class="gap" max=${max || 1} value=${value} aria-label=${label}></progress><p class="meta gap-s" role="status">${label}: ${t.backup.ofBytes(bytes(value), bytes(max))}</p><div class="row gap-s">${quit()}</div>`;
  const NAMES = ["memories", "memory_history", "exclusions", "guide_versions", "batches", "audit", "conversations"];
  function holds() {
    const { backup, bytes: size, forgotten_since, hashes_corrected, vault_is_empty } = run.view;
    const counts = Object.fromEntries((backup?.tables ?? []).map(({ name, rows }) => [name, rows]));
    return html`<div class="panel gap"><h3>${t.backup.checked}</h3>
      <dl class="facts gap-s"><dt>${t.backup.made}</dt><dd>${backup?.made_at ? when(backup.made_at, long) : nothing}</dd>
        ${NAMES.filter((name) => counts[name]).map((name) => html`<dt>${t.backup.tables[name]}</dt><dd>${number(counts[name])}</dd>`)}
        <dt>${t.status.size}</dt><dd>${bytes(size)}</dd></dl>
      ${hashes_corrected ? html`<p class="meta gap-s">${t.backup.corrected(hashes_corrected)}</p>` : nothing}
      ${forgotten_since?.memories ? html`<label class="choice gap"><input type="checkbox" .checked=${run.keepForgotten} @change=${(event) => (run.keepForgotten = event.target.checked)}><b>${t.backup.keepForgotten(forgotten_since.memories)}</b><p>${t.backup.keepForgottenHelp}</p></label>` : nothing}
      <p class="gap-s">${vault_is_empty ? t.backup.restoreHelp : t.backup.restoreOverHelp}</p>
      <div class="row gap"><button class="btn danger" type="button" @click=${commit}>${t.backup.restoreNow}</button>${quit()}</div></div>`;
  }
  function stage(choose) {
    if (run.state === "stopped")
      return html`<div class="banner clash gap" role="alert">${icon("warn")}<p><b>${t.backup.stopped}</b> ${linked(run.error.sentence ?? t.errors.own(run.error))}</p>
        ${run.view && run.file ? html`<button class="btn small" type="button" @click=${() => send()}>${t.imports.goOn}</button>` : nothing}${choose(t.backup.chooseOther)}${quit()}</div>`;
    if (run.state === "sending") return progress(t.backup.sending, run.sent, run.file.size);
    if (!run.view) return nothing;
    if (run.view.committing) return progress(t.backup.swapping, run.view.checked_bytes, run.view.bytes);
    if (run.view.state === "ready") return holds();
    if (run.view.state === "broken")
      return html`<div class="banner clash gap" role="alert">${icon("warn")}<p><b>${t.backup.broken}</b> ${run.view.fault ? t.backup.fault(number(run.view.fault.line), run.view.fault.message) : nothing} ${t.backup.nothingChanged}</p>${choose(t.backup.chooseOther)}${quit()}</div>`;
    if (run.view.state === "checking") return progress(t.backup.checking, run.view.checked_bytes, run.view.bytes);
    return html`<p class="help gap-s">${t.backup.unfinished(bytes(run.view.bytes))}</p><div class="row gap-s">${quit()}</div>`;
  }

  resume();
  return {
    template(choose) {
      return html`<section class="section" aria-labelledby="restore"><header><h2 id="restore">${t.backup.restoreTitle}</h2></header>
        <p class="help gap-s">${t.backup.restoreIntro}</p>
        ${run.file ? html`<p class="meta gap-s">${shown(run.file.name)}</p>` : nothing}
        ${run.view || run.state !== "idle" ? stage(choose) : choose()}</section>`;
    },
    begin,
    close: () => clearTimeout(run.timer),
  };
}
