// Home: what agents know, what needs a word, what came in lately.

import { html, nothing } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { get, memoryPath, put } from "../lib/api.js";
import { failed, toast } from "../lib/notices.js";
import { broken, capital, inWords, memoryLine, number, skeleton } from "../lib/parts.js";
import { waiting } from "../lib/shell.js";
import { choices, keepZone, refresh, state } from "../lib/state.js";
import { long, when } from "../lib/time.js";
import { actor, concern, concernAmong, otherOf, shown, title } from "../lib/words.js";
import { shelf } from "./shelf.js";

const LATELY_ROWS = 6;
const NEEDS_ROWS = 4;

/** In fewer weeks than this the shelf says less than the list beside it. */
const SHELF_WEEKS = 2;
/** From so many memories on, and after so many days, Home asks for a backup. */
const BACKUP_LEAST = 20;
const BACKUP_DAYS = 30;
/** What browsers call the zone a new vault has. */
const UTC_NAMES = ["UTC", "Etc/UTC", "GMT", "Etc/GMT"];

export function open(page) {
  const home = { lately: null, needs: null, waits: new Set(), error: null, backup: undefined };
  let seen = "";

  async function load() {
    try {
      const [lately, proposed, asked, backups] = await Promise.all([
        get("/api/memories", { limit: LATELY_ROWS, status: "active,superseded" }, page.signal),
        get("/api/memories", { limit: 50, status: "proposed" }, page.signal),
        get("/api/memories", { limit: NEEDS_ROWS, forget_requested: 1, status: "all" }, page.signal),
        get("/api/audit", { action: "backup", limit: 1 }, page.signal),
      ]);
      const closer = proposed.memories.filter((memory) => concern(memory));
      const needs = [...asked.memories, ...closer].slice(0, NEEDS_ROWS);
      const waits = new Set(proposed.memories.map((memory) => memory.id));
      // The other side may be a proposal that is not among those read.
      const beside = needs.filter((memory) => ["similar", "conflicts"].includes(concern(memory)) && !waits.has(otherOf(memory)));
      const others = await Promise.all(beside.map((memory) => get(memoryPath(otherOf(memory)), {}, page.signal).catch(() => null)));
      for (const other of others) if (other?.status === "proposed") waits.add(other.id);
      Object.assign(home, { lately: lately.memories, needs, waits, error: null, backup: backups.entries[0]?.at ?? null });
    } catch (error) {
      if (page.signal.aborted) return;
      home.error = error;
    }
    page.draw();
  }
  function follow() {
    const counts = state.status?.memories;
    if (!counts) return;
    const key = JSON.stringify(counts);
    if (key === seen) return;
    seen = key;
    load();
  }

  async function write() {
    const { addMemory } = await import("./memory-form.js");
    const answer = await addMemory();
    if (!answer) return;
    toast(answer.outcome === "duplicate" ? t.memories.known : t.memories.added);
    refresh();
    location.hash = `#/memories/${answer.id}`;
  }

  function lede() {
    const counts = state.status.memories;
    const left = waiting();
    if (counts.active + left === 0)
      return html`<header class="lede"><h1 tabindex="-1">${t.home.first}</h1><p>${t.home.firstHelp}</p></header>
      <div class="row"><a class="btn primary" href="#/apps">${t.home.connect}</a><button class="btn" type="button" @click=${write}>${t.home.write}</button><a class="btn"
        href="#/imports">${t.home.import}</a></div>`;
    return html`<header class="lede"><h1 tabindex="-1">${t.home.know} <a href="#/memories">${t.home.things(counts.active, number(counts.active))}</a> ${t.home.about}
      ${left ? html`<a class="wait" href="#/review">${capital(inWords(left))} more</a> ${t.home.wait(left)}` : t.home.noneWait}</h1>
      <p>${t.home.sum(counts, number)}</p></header>`;
  }

  function need(memory) {
    const why = concernAmong(memory, home.waits);
    const at = memory.forget_requested_at ?? memory.created_at;
    return html`<li class="line with-action ${["similar", "waits"].includes(why) ? "is-wait" : "is-clash"}"><div class="when">${when(at)}</div><div
      class="what"><div><p>${t.home.needs[why]}</p>
      <p class="meta"><span>${shown(actor(memory.forget_requested_by ?? memory.created_by))}</span><span>“${shown(title(memory.content, 70))}”</span></p></div><a
        class="btn small aside" href="#/review/${memory.id}">${t.home.needsDo[why]}</a></div></li>`;
  }

  /** Whether a loss would hurt: there is something, and no file of it that is young enough. */
  const unsafe = () =>
    home.backup !== undefined &&
    state.status.memories.active >= BACKUP_LEAST &&
    (home.backup === null || Date.now() - new Date(home.backup) > BACKUP_DAYS * 86_400_000);
  const backUp = () => html`<li class="line with-action is-wait"><div class="when">${when(home.backup)}</div><div
      class="what"><div><p>${home.backup ? t.home.backupOld : t.home.backupNone}</p><p class="meta">${t.home.backupHelp}</p></div><a
        class="btn small aside" href="#/backup">${t.home.backUp}</a></div></li>`;

  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  async function setZone(time_zone) {
    try {
      state.settings = await put("/api/settings", { time_zone });
      toast(t.home.zoneSet(time_zone));
      refresh();
    } catch (error) {
      failed(t.settings.notSaved, error, () => setZone(time_zone));
    }
    page.draw();
  }
  /** A new vault counts days in UTC; where the browser lives elsewhere, its zone is one press away. */
  const zone = () =>
    state.settings?.time_zone === "UTC" && here && !UTC_NAMES.includes(here) && !choices.zoneKept
      ? html`<div class="banner"><p>${t.home.zone(here)}</p><button class="btn small" type="button" @click=${() => setZone(here)}>${t.home.zoneShow(here)}</button><button
          class="btn small quiet" type="button" @click=${() => {
            keepZone();
            page.draw();
          }}>${t.home.zoneKeep}</button></div>`
      : nothing;

  const needs = () =>
    home.needs?.length || unsafe()
      ? html`<section aria-labelledby="needs"><header><h2 id="needs">${t.home.needsYou}</h2>${waiting() > home.needs.length ? html`<a class="link"
        href="#/review">${t.home.all(number(waiting()))}</a>` : nothing}</header><ol class="ledger">${home.needs.map(need)}${unsafe() ? backUp() : nothing}</ol></section>`
      : nothing;

  function order() {
    const { agenda, recall_mode } = state.status;
    const line = (name, kind, text, help) =>
      html`<li><span>${name}</span><span class="state ${kind}">${text}</span><p class="meta">${help}</p></li>`;
    return html`<section aria-labelledby="order"><header><h2 id="order">${t.home.order}</h2><a class="link" href="#/status">${t.places.status}</a></header><ul
      class="checks">
      ${line(t.home.answers, "", t.status.modes[recall_mode] ?? recall_mode, t.home.answersHelp)}
      ${line(t.home.agenda, agenda.dead ? "clash" : agenda.troubled.length ? "wait" : "", agenda.dead ? t.home.dead(agenda.dead) : agenda.troubled.length ? t.home.troubled(agenda.troubled.length) : t.home.fine, agenda.next_due_at
        ? html`${t.home.next} ${when(agenda.next_due_at, long)}` : t.home.noNext)}
      ${home.backup === undefined ? nothing : line(t.home.backup, unsafe() ? "wait" : home.backup ? "" : "off", home.backup ? when(home.backup) : t.home.backupNever, html`<a href="#/backup">${t.home.backUp}</a>`)}
      ${line(t.home.mode, "", t.home.modes[state.settings?.mode] ?? "", t.home.modeHelp[state.settings?.mode] ?? "")}</ul></section>`;
  }

  return {
    title: t.places[""],
    template() {
      follow();
      if (!state.status)
        return state.failed
          ? html`<h1 tabindex="-1">${t.places[""]}</h1>${broken(state.failed, () => location.reload())}`
          : html`<h1 class="sr" tabindex="-1">${t.places[""]}</h1>${skeleton(5)}`;
      const counts = state.status.memories;
      const grown = (state.status.weeks ?? []).filter((week) => week.total).length >= SHELF_WEEKS;
      return html`${lede()}${home.error ? broken(home.error, load) : nothing}${zone()}${needs()}
        ${grown ? shelf(state.status.weeks) : nothing}
        ${
          counts.active + counts.superseded === 0
            ? nothing
            : html`<div class="two section"><section aria-labelledby="lately"><header><h2 id="lately">${t.home.lately}</h2><a class="link"
              href="#/memories">${t.home.allMemories}</a></header>
          ${home.lately ? html`<ol class="ledger">${home.lately.map((memory) => memoryLine(memory))}</ol>` : skeleton(3)}</section><div
            class="stack">${order()}</div></div>`
        }`;
    },
  };
}
