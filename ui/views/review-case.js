// One case on the bench: what is proposed, what it would change, and what each button does.

import { html, nothing } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { sides } from "../lib/diff.js";
import { broken, icon, number, statusChip, typeTag } from "../lib/parts.js";
import { long, when } from "../lib/time.js";
import { actor, flagged, hiddenCount, lang, linked, otherOf, shown } from "../lib/words.js";

/** Texts longer than this say how long they are. */
const LONG_CHARACTERS = 400;

const fact = (name, value) =>
  value === null || value === undefined || value === "" ? nothing : html`<dt>${t.facts[name]}</dt><dd>${value}</dd>`;

/** What is known about a memory beside its text. */
export function factsOf(memory) {
  return html`<dl
    class="facts">${fact("told", shown(actor(memory.created_by)))}${fact("author", memory.author && shown(memory.author))}${fact("source", memory.source && shown(memory.source))}
    ${fact("session", memory.session && shown(memory.session))}${fact("dated", memory.source_date && when(memory.source_date, long))}
    ${fact("importance", memory.importance === 0.5 ? null : memory.importance)}${fact("tags", memory.tags.length ? memory.tags.map((tag) => html`<span
      class="chip">${shown(tag)}</span> `) : null)}
    ${fact("tier", memory.tier === "short" ? t.shortTier : null)}${fact("import", memory.batch_id ? html`<a
      href="#/review?batch=${memory.batch_id}">${t.review.wholeImport}</a>` : null)}
    ${fact("length", memory.content.length > LONG_CHARACTERS ? t.characters(number([...memory.content].length)) : null)}</dl>`;
}

const side = (kind, label, since, words, memory) =>
  html`<section class="sideof ${kind}" aria-label=${label}><header>${label} <span class="meta">${since}</span></header>
    <p class="word read" dir="auto" lang=${lang(memory.content) ?? nothing} tabindex=${memory.content.length > 900 ? "0"
      : nothing}>${words}</p>${factsOf(memory)}</section>`;

const button = (text, more, key, style, act) =>
  html`<button class="btn ${style}" type="button" data-key=${key ?? nothing} @click=${act}><span>${text}${more ? html`<span class="long"> ${more}</span>`
    : nothing}</span>${key ? html` <kbd>${key === "A" ? "⇧a" : key}</kbd>` : nothing}</button>`;

function decisions(memory, why, two, { settle, edit, keep, forget }) {
  const b = t.review.buttons;
  if (why === "forget")
    return html`${button(b.keep, "", null, "primary", () => keep(memory))}${button(b.forget, "", null, "danger", () => forget(memory))}`;
  if (why === "order" || why === "hidden") {
    return html`${button(b.reject, "", "r", "danger primary", () => settle("reject", [memory]))}${button(b.edit, b.editMore, "e", "", edit)}${button(b.approve, b.asItIs, null, "", () => settle(two ? "both" : "approve", [memory]))}`;
  }
  if (two) {
    return html`${button(b.replace, b.replaceMore, "A", "primary", () => settle("replace", [memory]))}${button(b.both, "", "a", "", () => settle("both", [memory]))}${button(b.edit, b.editMore, "e", "", edit)}${button(b.reject, "", "r", "danger", () => settle("reject", [memory]))}`;
  }
  // What it would have replaced is gone, so it can only stand on its own.
  const kind = memory.supersedes ? "both" : "approve";
  return html`${button(b.approve, "", "a", "primary", () => settle(kind, [memory]))}${button(b.edit, b.editMore, "e", "", edit)}${button(b.reject, "", "r", "danger", () => settle("reject", [memory]))}`;
}

/** The case. `other` is the memory it would replace or resembles, as far as it was read. */
export function caseOf(memory, { why, other, reason, acts, arrived, mode }) {
  const target = other?.state === "read" ? other.memory : null;
  const two = Boolean(target && target.status === "active");
  // Another proposal: both are shown, and each is decided on its own.
  const pair = Boolean(why === "waits" && target);
  const change = two || pair ? sides(target.content, memory.content) : null;
  const r = t.review;
  const gone = otherOf(memory) && !two && other && other.state !== "reading" && target?.status !== "proposed";
  return html`<article class="case ${arrived ? "arrive" : ""}" aria-labelledby="case-title">
    <div class="case-head">${why ? html`<span class="chip ${["similar", "conflicts", "waits"].includes(why) ? "wait" : "clash"}">${r.chips[why]}</span>`
      : nothing}${typeTag(memory.type)}${why === "forget" ? statusChip({ ...memory, forget_requested_at: null }, true) : nothing}
      <span class="meta">${shown(actor(memory.forget_requested_by ?? memory.created_by))}, ${when(memory.forget_requested_at ?? memory.created_at)}</span><a class="meta push" href="#/memories/${memory.id}">${r.openIt}</a></div>
    ${(two || pair) && memory.similarity !== undefined ? html`<p class="meta">${r.alike(Math.round(memory.similarity * 100))}</p>` : nothing}<h2 id="case-title" tabindex="-1">${r.titles[why ?? (memory.content.length > 600 ? "long" : "plain")]}</h2>
    ${why === "order" || why === "hidden" ? html`<div class="warn">${icon("warn")}<b>${r.warn[why]}</b><p>${r.warnHelp[why](hiddenCount(memory.content))}</p></div>`
      : nothing}
    ${memory.stale ? html`<div class="banner gap"><p><b>${r.stale}</b> ${linked(memory.stale)}</p></div>` : nothing}
    ${reason ? html`<p class="wrong gap" role="alert">${r.notDone} ${linked(reason.sentence)}</p>` : nothing}
    ${gone && other.state === "failed" && other.error.status !== 404 ? broken(other.error, () => location.reload()) : nothing}
    <div class="sides ${two || pair ? "" : "one"}">
      ${two ? side("old", r.youKeep, html`${r.since} ${when(target.valid_from)}`, change.before, target) : nothing}
      ${pair ? side("old", r.alsoWaits, when(target.created_at), change.before, target) : nothing}
      ${side("new", why === "forget" ? r.youKeep : r.proposed, when(memory.created_at), change ? change.after : flagged(memory.content), memory)}
    </div>
    <div class="decide">${decisions(memory, why, two, acts)}</div>
    <p class="after">${why === "forget" ? r.afterForget(mode, memory) : why === "order" || why === "hidden" ? r.afterSuspicious : two ? r.afterTwo : why === "waits" ? r.afterWaits : gone ? r.afterGone : r.afterPlain}</p>
  </article>`;
}
