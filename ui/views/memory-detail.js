// One memory: its whole text, what happened to it, what it replaced and what replaced it, and what can be done.

import { html, nothing } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { get, memoryPath, patch, post, routes } from "../lib/api.js";
import { sides } from "../lib/diff.js";
import { ask } from "../lib/dialogs.js";
import { failed, toast } from "../lib/notices.js";
import { broken, copyButton, skeleton, statusChip, typeTag } from "../lib/parts.js";
import { exact, long, when } from "../lib/time.js";
import { actor, lang, shown, title } from "../lib/words.js";
import { editMemory } from "./memory-form.js";

/** Links followed in each direction; a chain longer than this is read on from its last memory. */
const CHAIN_MEMORIES = 12;

export function detailOf(id, { draw, signal, back, changed, gone }) {
  let closed = false;
  const self = { memory: null, error: null, revisions: [], log: [], older: [], newer: [], similar: null, conflicts: [], canUndecide: false };
  const paint = () => !closed && draw();

  async function load() {
    try {
      self.memory = await get(memoryPath(id), {}, signal);
      self.error = null;
      paint();
      const other = (at) => (at ? get(memoryPath(at), {}, signal).catch(() => null) : null);
      const [history, audit, older, newer, similar, ...conflicts] = await Promise.all([
        get(memoryPath(id, "history"), {}, signal),
        get("/api/audit", { subject: id, limit: 100 }, signal),
        chain(self.memory, "supersedes"),
        chain(self.memory, "superseded_by"),
        other(self.memory.similar_to),
        ...(self.memory.may_conflict_with ?? []).slice(0, CHAIN_MEMORIES).map(other),
      ]);
      Object.assign(self, { revisions: history.revisions, log: audit.entries, older, newer, similar, conflicts: conflicts.filter(Boolean) });
    } catch (error) {
      if (signal.aborted) return;
      self.error = error;
    }
    paint();
  }
  async function chain(memory, link) {
    const found = [];
    let next = memory[link];
    const seen = new Set([memory.id]);
    while (next && !seen.has(next) && found.length < CHAIN_MEMORIES) {
      seen.add(next);
      try {
        const one = await get(memoryPath(next), {}, signal);
        found.push(one);
        next = one[link];
      } catch (error) {
        if (error.status !== 404) throw error;
        break;
      }
    }
    return found;
  }

  async function edit() {
    const before = self.memory;
    const after = await editMemory(before);
    if (!after) return;
    const undo = async () => {
      try {
        const names = ["content", "type", "tier", "importance", "tags", "session", "author", "source", "source_date"];
        await patch(memoryPath(id), Object.fromEntries(names.map((name) => [name, before[name]])));
        toast(t.detail.backAgain);
        load();
        changed();
      } catch (error) {
        failed(t.detail.notUndone, error, undo);
      }
    };
    toast(t.detail.changed, { undo });
    load();
    changed();
  }
  async function keep() {
    try {
      await post(memoryPath(id, "keep"));
      toast(t.review.kept);
      load();
      changed();
    } catch (error) {
      failed(t.review.notKept, error, keep);
    }
  }
  async function undecide() {
    try {
      await post(memoryPath(id, "undecide"));
      toast(t.detail.undecided);
      load();
      changed();
    } catch (error) {
      failed(t.detail.notUndecided, error, undecide);
    }
  }
  async function forget() {
    const done = await ask({ ...t.forget, quote: self.memory.content, act: () => post(memoryPath(id, "forget")) });
    if (!done) return;
    toast(t.forget.done);
    gone();
  }

  function events() {
    const left = [...self.revisions];
    const found = self.log.map((entry) => {
      const place =
        entry.action === "edit" ? left.findIndex((revision) => Math.abs(new Date(revision.replaced_at) - new Date(entry.at)) < 1000) : -1;
      const revision = place >= 0 ? left.splice(place, 1)[0] : null;
      const fields = entry.details?.fields
        ?.filter((name) => name !== "content" || !revision)
        .map((name) => t.facts[name === "source_date" ? "dated" : name] ?? name);
      return { at: entry.at, bead: BEADS[entry.action] ?? "", text: t.detail.did(actor(entry.actor), entry.action, fields), revision };
    });
    for (const revision of left)
      found.push({ at: revision.replaced_at, bead: "", text: t.detail.did(actor(revision.replaced_by), "edit"), revision });
    if (!self.log.some((entry) => ["remember", "propose"].includes(entry.action)))
      found.push({
        at: self.memory.created_at,
        bead: "is-wait",
        text: t.detail.stored(actor(self.memory.created_by), Boolean(self.memory.batch_id)),
      });
    return found.sort((a, b) => (a.at < b.at ? 1 : -1));
  }

  function timeline() {
    let text = self.memory.content;
    return html`<ol class="timeline">${events().map((event) => {
      let change = nothing;
      if (event.revision) {
        const { before } = sides(event.revision.content, text);
        change = html`<p class="word" dir="auto" lang=${lang(event.revision.content) ?? nothing}><span class="sr">${t.detail.before} </span>${before}</p>`;
        text = event.revision.content;
      }
      return html`<li class=${event.bead}>${when(event.at, (at) => long(at))} ${shown(event.text)}${change}</li>`;
    })}</ol>`;
  }

  const link = (memory, note) =>
    html`<a href="#/memories/${memory.id}"><span class="meta">${note} ${statusChip(memory)}</span><span class="word clamp3" dir="auto"
      lang=${lang(memory.content) ?? nothing}>${shown(memory.content.slice(0, 400))}</span></a>`;
  function chainOf() {
    const { older, newer, conflicts, memory } = self;
    // What it replaced is named as that, not once more as what it resembles.
    const similar = [...older, ...newer].some((one) => one.id === self.similar?.id) ? null : self.similar;
    if (older.length + newer.length + conflicts.length === 0 && !similar) return nothing;
    return html`<hr><h3>${t.detail.chain}</h3><div class="chain">
      ${[...newer].reverse().map((one) => link(one, html`${t.detail.newer} ${when(one.valid_from)}`))}
      ${older.map((one) => link(one, memory.status === "proposed" ? t.detail.wouldReplace : html`${t.detail.older} ${when(one.valid_until ?? one.updated_at)}`))}
      ${conflicts.map((one) => link(one, t.detail.conflicts))}
      ${similar ? link(similar, t.detail.similar) : nothing}</div>`;
  }

  const row = (name, value) =>
    value === null || value === undefined || value === "" ? nothing : html`<dt>${t.facts[name]}</dt><dd>${value}</dd>`;
  const facts = (
    memory,
  ) => html`<dl
    class="facts">${row("told", shown(actor(memory.created_by)))}${row("author", memory.author && shown(memory.author))}${row("source", memory.source && shown(memory.source))}${row("session", memory.session && shown(memory.session))}
    ${row("dated", memory.source_date && when(memory.source_date, long))}${row("stored", when(memory.created_at, long))}${row("changed", memory.updated_at !== memory.created_at ? when(memory.updated_at, long) : null)}
    ${row("tier", memory.tier === "short" ? (memory.expires_at
      ? html`${t.shortTier}, ${t.detail.until} ${when(memory.expires_at, long)}` : t.shortTier) : t.detail.long)}${row("importance", memory.importance)}
    ${row("holds", memory.valid_until ? html`${when(memory.valid_from, long)} – ${when(memory.valid_until, long)}` : null)}
    ${row("import", memory.batch_id ? html`<a class="mono" href="#/memories?batch=${memory.batch_id}&status=all">${memory.batch_id}</a>` : null)}${row("id", html`<span
      class="mono">${memory.id}</span>`)}</dl>`;

  function body() {
    const { memory, error } = self;
    if (error?.status === 404)
      return html`<h2 tabindex="-1">${t.detail.gone}</h2><p class="help">${t.detail.goneHelp}</p><p class="mono meta">${shown(id)}</p>`;
    if (error && !memory) return broken(error, load);
    if (!memory) return skeleton(2);
    const open = memory.status === "active" || memory.status === "proposed";
    return html`<h2 class="sr" tabindex="-1">${t.detail.heading(title(memory.content, 40))}</h2>
      <p class="word read" dir="auto" lang=${lang(memory.content) ?? nothing}>${shown(memory.content)}</p>
      <div class="row">${typeTag(memory.type)}${statusChip(memory, true)}${memory.tags.map((tag) => html`<span class="chip">${shown(tag)}</span>`)}</div>
      ${memory.forget_requested_at ? html`<div
        class="banner clash"><p><b>${t.detail.asked(actor(memory.forget_requested_by))}</b> ${when(memory.forget_requested_at, long)}. ${t.detail.askedHelp}</p><button
        class="btn small" type="button" @click=${keep}>${t.review.buttons.keep}</button></div>` : nothing}
      <div class="row">${memory.status === "proposed" && !memory.forget_requested_at ? html`<a class="btn primary" href="#/review/${memory.id}">${t.detail.decide}</a>`
        : nothing}
        ${self.canUndecide && memory.status === "rejected" ? html`<button class="btn" type="button" @click=${undecide}>${t.detail.undecide}</button>` : nothing}
        ${open ? html`<button class="btn" type="button" @click=${edit}>${t.detail.edit} <kbd>e</kbd></button>`
          : nothing}${copyButton(memory.content, t.detail.copyText, "")}
        <button class="btn quiet danger push" type="button" @click=${forget}>${t.detail.forget}</button></div>
      ${chainOf()}
      <hr><h3>${t.detail.happened}</h3>${timeline()}
      <hr>${facts(memory)}
      <p class="meta">${t.detail.instant} ${exact(memory.created_at)}</p>
      <div class="row">${copyButton(`${location.origin}/#/memories/${memory.id}`, t.detail.copyLink, "small", t.detail.link)}</div>`;
  }

  load();
  routes().then(
    (has) => {
      self.canUndecide = has("POST", "/api/memories/{id}/undecide");
      draw();
    },
    () => {},
  );
  return Object.assign(self, {
    template: () =>
      html`<aside class="detail panel" aria-label=${t.detail.label}><a class="link back" href=${back()}>${t.detail.back}</a>${body()}</aside>`,
    edit: () => (self.memory && ["active", "proposed"].includes(self.memory.status) ? void edit() : false),
    close: () => (closed = true),
  });
}

const BEADS = {
  remember: "is-kept",
  propose: "is-wait",
  approve: "is-kept",
  keep: "is-kept",
  reject: "is-off",
  supersede: "is-past",
  expire: "is-past",
  request_forget: "is-clash",
  forget: "is-clash",
};
