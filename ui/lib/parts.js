// Small templates that several views share.

import { html, svg, nothing } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { state } from "./state.js";
import { when } from "./time.js";
import { actor, excerpt, lang, marked, shown } from "./words.js";

export const icon = (name) => html`<svg class="icon" aria-hidden="true"><use href="#i-${name}"/></svg>`;

/** The head of a page. The heading takes focus after navigation. */
export const head = (title, help = nothing, tools = nothing) =>
  html`<header class="head ${help === nothing ? "bare" : ""}"><div><h1 tabindex="-1">${title}</h1>${help === nothing ? nothing
    : html`<p>${help}</p>`}</div>${tools === nothing ? nothing : html`<div class="row">${tools}</div>`}</header>`;

/** Nothing here: a sentence, what to do, at most two buttons. */
export const empty = (title, help, tools = nothing) =>
  html`<div class="empty"><h2>${title}</h2><p>${help}</p>${tools === nothing ? nothing : html`<div class="row">${tools}</div>`}</div>`;

/** Lines of the right length, drawn only when loading takes longer than a moment. */
export const skeleton = (rows = 3) =>
  html`<div aria-busy="true"><span class="sr">${t.loading}</span>${Array.from({ length: rows }, () => html`<div class="skeleton"></div><div
    class="skeleton short"></div>`)}</div>`;

/** A part of a page that could not be read. */
export const broken = (error, retry) =>
  html`<div class="banner clash" role="alert">${icon("warn")}<p><b>${t.notRead}</b> ${error.sentence ?? t.errors.own(error)}</p>${
    error.code === "unauthenticated"
      ? html`<button class="btn small" type="button" @click=${() => location.reload()}>${t.signIn}</button>`
      : html`<button class="btn small" type="button" @click=${retry}>${t.retry}</button>`
  }</div>`;

/** Something works, but not as it should. */
export const banner = (title, text, tools = nothing) =>
  html`<div class="banner">${icon("warn")}<p><b>${title}</b> ${text}</p>${tools}</div>`;

const TYPES = new Set(["fact", "preference", "person", "project", "event", "note"]);
export const TYPE_WORDS = [...TYPES];
/** A type of memory: its colour and its word. */
export const typeTag = (type) => html`<span class="type t-${TYPES.has(type) ? type : "note"}">${type}</span>`;

/** How a memory stands, as the class of its bead. */
export function bead(memory) {
  if (memory.forget_requested_at) return "is-clash";
  return { active: "is-kept", proposed: "is-wait", superseded: "is-past", rejected: "is-off" }[memory.status] ?? "";
}
/** How a memory stands, as a chip; nothing for the ordinary case unless asked for. */
export function statusChip(memory, always = false) {
  if (memory.forget_requested_at) return html`<span class="chip clash">${t.status.forget_requested}</span>`;
  if (memory.status === "active" && !always) return nothing;
  const kind = { active: "ok", proposed: "wait", superseded: "past", rejected: "" }[memory.status] ?? "";
  const text = memory.status_reason === "expired" ? t.status.expired : (t.status[memory.status] ?? memory.status);
  return html`<span class="chip ${kind}">${text}</span>`;
}

/** The bar and number of a score from 0 to 1. */
export const scoreBar = (score) =>
  html`<span class="scored" title=${t.scoreHelp}><svg class="score" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">${svg`<rect
    width=${Math.round(score * 100)} height="6"/>`}</svg><span><span class="sr">${t.score} </span>${score.toFixed(2)}</span></span>`;

/** One memory in a ledger. `question` marks the words that matched. */
export function memoryLine(
  memory,
  { href = `#/memories/${memory.id}`, question = "", score = null, current = false, note = nothing } = {},
) {
  const text = excerpt(memory.content);
  const match = question ? marked(text, question) : null;
  return html`<li class="line ${bead(memory)}" aria-current=${current ? "true" : nothing}>
    <div class="when">${when(memory.created_at)}${score === null ? nothing : scoreBar(score)}</div>
    <div class="what"><p class="word clamp3" dir="auto" lang=${lang(text) ?? nothing}><a class="stretch" href=${href}>${match ? match.parts : shown(text)}</a></p>
      <p class="meta">${typeTag(memory.type)}<span>${shown(actor(memory.created_by))}</span>${memory.source_date ? html`<span>${t.of} ${when(memory.source_date)}</span>`
        : nothing}${memory.tier === "short" ? html`<span>${t.shortTier}</span>` : nothing}${statusChip(memory)}${memory.tags.slice(0, 4).map((tag) => html`<span
        class="chip">${shown(tag)}</span>`)}</p>
      ${match ? html`<p class="why">${match.found.length ? html`${t.foundBy(match.found.length)} <b>${match.found.slice(0, 8).join(", ")}</b>` : state.status?.recall_mode === "keyword-only" ? t.foundOtherwise : t.foundByMeaning}</p>`
        : nothing}${note}</div></li>`;
}

/** A text to copy, with its button. */
export function copyBox(text, label) {
  return html`<div class="copy"><code>${text}</code>${copyButton(text, label)}</div>`;
}
/** Copies a text and says so on the button itself. */
export function copyButton(text, label = t.copy, size = "small", word = t.copy) {
  const copy = async (event) => {
    const button = event.currentTarget.querySelector("span");
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = t.copied;
    } catch {
      button.textContent = t.notCopied;
    }
    setTimeout(() => (button.textContent = word), 1600);
  };
  return html`<button class="btn ${size}" type="button" aria-label=${label} @click=${copy}><span role="status">${word}</span></button>`;
}

/** Bytes as a person reads them. */
export function bytes(count) {
  if (count < 1024) return `${count} bytes`;
  const [value, unit] =
    count < 1024 ** 2 ? [count / 1024, "KB"] : count < 1024 ** 3 ? [count / 1024 ** 2, "MB"] : [count / 1024 ** 3, "GB"];
  return `${value.toLocaleString("en-GB", { maximumFractionDigits: value < 10 ? 1 : 0 })} ${unit}`;
}
const grouped = new Intl.NumberFormat("en-GB");
export const number = (value) => grouped.format(Number(value ?? 0));
const SMALL = "no one two three four five six seven eight nine ten eleven twelve".split(" ");
/** A number in a sentence: a word up to twelve. */
export const inWords = (value) => SMALL[value] ?? number(value);
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Calls back when the element comes into sight, for lists that go on. */
export function onSight(callback) {
  let observer = null;
  return (element) => {
    observer?.disconnect();
    if (!element) return;
    observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && callback(), { rootMargin: "600px" });
    observer.observe(element);
  };
}
