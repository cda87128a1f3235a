// The person's words, made safe to look at. Everything goes in as text, never as markup; what cannot be seen is drawn as a
// small box with its code, so that nobody approves what they did not read; what speaks to agents is pointed out.

import { html } from "../vendor/lit-html.js";
import { t } from "../texts.js";

const HIDDEN = new RegExp(
  "([\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f" +
    "\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff9-\\ufffb" +
    "\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}])",
  "u",
);
const RUN = new RegExp(`${HIDDEN.source}+`, "gu");
const PICTURE = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{fe0f}|\u{20e3}|[0-9#*]/u;
/** Scripts in which joiners change how letters are drawn. */
const JOINED =
  /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Mongolian}]/u;

/** Whether an invisible run has a visible effect where it stands: emoji sequences, joiners inside scripts that need them. */
function needed(run, before, after) {
  if (/^\ufe0f?\u200d$|^[\ufe0e\ufe0f]$/u.test(run)) {
    if (PICTURE.test(before) && (run !== "\u200d" || PICTURE.test(after))) return true;
  }
  if (/^[\u200c\u200d]$/u.test(run)) return JOINED.test(before);
  return before === "\u{1f3f4}" && /^[\u{e0020}-\u{e007e}]+\u{e007f}$/u.test(run);
}

/** Cuts a text into strings and `{ ghost, count, code }`. */
export function pieces(text) {
  const found = [];
  let from = 0;
  for (const match of text.matchAll(RUN)) {
    const run = match[0];
    const end = match.index + run.length;
    const before = [...text.slice(Math.max(0, match.index - 2), match.index)].at(-1) ?? "";
    const after = [...text.slice(end, end + 2)][0] ?? "";
    if (needed(run, before, after) || run === "\r") continue;
    if (match.index > from) found.push(text.slice(from, match.index));
    const characters = [...run];
    found.push({ ghost: true, count: characters.length, code: characters[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0") });
    from = end;
  }
  if (from < text.length || found.length === 0) found.push(text.slice(from));
  return found;
}

/** Browsers lay out a word of many thousand letters in quadratic time; a longer one is given places to break, which leave no
    trace in what is copied. */
const LONGEST_WORD = 400;
const BREAK_EVERY = 200;
const ENDLESS = new RegExp(`\\S{${LONGEST_WORD},}`);
function breakable(text) {
  if (text.length < LONGEST_WORD || !ENDLESS.test(text)) return text;
  const parts = [];
  for (let from = 0; from < text.length;) {
    let to = from + BREAK_EVERY;
    // Never between the halves of one character, nor between a letter and its marks.
    while (to < text.length && (/[\udc00-\udfff]/.test(text[to]) || /[\p{M}\u200d]/u.test(text[to]))) to += 1;
    parts.push(text.slice(from, to), html`<wbr>`);
    from = to;
  }
  return parts;
}

/** A text with its hidden characters shown. */
export function shown(text) {
  return pieces(String(text ?? "")).map((piece) =>
    typeof piece === "string"
      ? breakable(piece)
      : html`<span class="ghost" title=${t.words.ghost(piece.count, piece.code)}>${piece.count > 1 ? `${piece.count} × ` : ""}U+${piece.code}</span>`,
  );
}

/** How many characters of a text cannot be seen. */
export const hiddenCount = (text) => pieces(text).reduce((sum, piece) => sum + (piece.count ?? 0), 0);

const ORDERS = [
  /\b(?:ignore|disregard|forget|override)\b[^.!?\n]{0,40}\b(?:previous|prior|earlier|above|all|your)\b[^.!?\n]{0,30}\b(?:instructions?|rules?|prompts?|guidelines?)\b(?:[^.!?\n]|[.!?](?=\S))*[.!?]?/giu,
  /\b(?:send|e-?mail|post|upload|forward|share|exfiltrate)\b[^.!?\n]{0,60}\b(?:the vault|memories|passwords?|secrets?|credentials?|api keys?)\b(?:[^.!?\n]|[.!?](?=\S))*[.!?]?/giu,
  /\b(?:do not|don't|never|without) (?:tell|telling|inform|mention)[^.!?\n]{0,20}\b(?:the )?(?:user|owner)\b(?:[^.!?\n]|[.!?](?=\S))*[.!?]?/giu,
  /<\/?(?:system|instructions?|assistant)\b[^>\n]{0,40}>/giu,
];

/** Where a text reads like an order to an agent: `[from, to]` pairs, in order, not overlapping. A hint, not a verdict. */
export function orders(text) {
  const spans = ORDERS.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => [match.index, match.index + match[0].length]));
  spans.sort((a, b) => a[0] - b[0]);
  const joined = [];
  for (const [from, to] of spans) {
    const last = joined.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** A text with those places marked. */
export function flagged(text) {
  const parts = [];
  let from = 0;
  for (const [start, end] of orders(text)) {
    parts.push(shown(text.slice(from, start)), html`<span class="flagged">${shown(text.slice(start, end))}</span>`);
    from = end;
  }
  if (from < text.length || parts.length === 0) parts.push(shown(text.slice(from)));
  return parts;
}

const concerns = new WeakMap();
/** What deserves a closer look in a memory that waits, and why; null for a plain proposal. Looked up once for each answer
    of the vault's, since a queue is drawn often. */
export function concern(memory) {
  if (!concerns.has(memory)) concerns.set(memory, concernOf(memory));
  return concerns.get(memory);
}
function concernOf(memory) {
  if (memory.forget_requested_at) return "forget";
  // The vault's own marks come first; what this page finds in the text itself comes beside them.
  const flags = memory.flags ?? [];
  if (flags.includes("instructions") || orders(memory.content).length > 0) return "order";
  if (flags.includes("hidden_text") || hiddenCount(memory.content) > 0) return "hidden";
  if (memory.supersedes) return "replaces";
  if (memory.may_conflict_with?.length) return "conflicts";
  if (memory.similar_to) return "similar";
  return null;
}
/** The same, among others that wait: one that resembles a proposal resembles nothing that is kept. */
export function concernAmong(memory, waits) {
  const found = concern(memory);
  return ["similar", "conflicts"].includes(found) && waits.has(otherOf(memory)) ? "waits" : found;
}
/** The memory that a proposal is to be held against, if there is one. */
export const otherOf = (memory) => memory.supersedes ?? memory.may_conflict_with?.[0] ?? memory.similar_to;

/** The language a text is probably in, where that changes the glyphs or the leading; undefined otherwise. */
export function lang(text) {
  const head = text.slice(0, 400);
  if (/[\u3040-\u30ff]/.test(head)) return "ja";
  if (/[\uac00-\ud7af]/.test(head)) return "ko";
  if (/[\u4e00-\u9fff]/.test(head)) return "zh";
  return undefined;
}

/** The beginning of a text for a list; the whole is one click away. */
export const EXCERPT_CHARACTERS = 480;
export const excerpt = (text) =>
  text.length > EXCERPT_CHARACTERS ? `${text.slice(0, EXCERPT_CHARACTERS).replace(/[\ud800-\udbff]$/, "")}…` : text;

/** The first few words, for a sentence about a memory. */
export function title(text, most = 60) {
  // Far more than is shown, far less than a text may have.
  const line = text.trimStart().slice(0, most * 20).replace(/\s+/g, " ").trim();
  const cut = [...line].slice(0, most).join("");
  return cut.length < line.length ? `${cut.replace(/\s+\S*$/, "") || cut}…` : line;
}

const fold = (word) => word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}|[\p{L}\p{N}]+/gu;
const SMALL = new Set(
  "a an and are at be by do does for from has have he her his how i in is it its me my of on or our she that the their they this to was we were what when where which who why will with you your".split(
    " ",
  ),
);
/** The same in the languages people mix with English, where they are longer than SHORT catches. */
const SMALL_ELSEWHERE = new Set(
  "aber auch dass dein deine dich eine einem einen einer euch habe haben hast hatte ihre kann mein meine meinem meinen meiner mich nach nicht oder sein seine sich sind unser waren wann warum welche welcher welches wenn wird wurde avec dans elle leur mais nous pour quand quel quelle sont sur vous como cual cuando donde esta este para pero porque quien sobre tiene alla dove come della delle nella perche quale questo sono welk wanneer waar hebben niet voor".split(
    " ",
  ),
);
/** Words so short say little in an alphabet, unless written as a name is: NAS, 5G. */
const SHORT = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]{1,3}$/u;
const isName = (word) => word.length > 1 && word === word.toUpperCase();

/** The words of a question that are worth marking; a question of nothing but short ones keeps them. */
export function wordsOf(question) {
  const all = [...question.matchAll(WORD)].map((match) => match[0]).filter((word) => !SMALL.has(fold(word)));
  const telling = all.filter((word) => !SMALL_ELSEWHERE.has(fold(word)) && (isName(word) || !SHORT.test(word)));
  return (telling.length ? telling : all).map(fold);
}

function alike(word, wanted) {
  if (word === wanted) return true;
  const shortest = Math.min(word.length, wanted.length);
  return shortest >= 4 && Math.abs(word.length - wanted.length) <= 3 && word.slice(0, shortest - 1) === wanted.slice(0, shortest - 1);
}

/** A text with the words of a question marked, and which of them were found. */
export function marked(text, question) {
  const wanted = wordsOf(question);
  const found = new Set();
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(WORD)) {
    const hit = wanted.find((word) => alike(fold(match[0]), word));
    if (!hit) continue;
    found.add(match[0].toLowerCase());
    parts.push(shown(text.slice(from, match.index)), html`<mark>${match[0]}</mark>`);
    from = match.index + match[0].length;
  }
  parts.push(shown(text.slice(from)));
  return { parts, found: [...found] };
}

/** Who an actor is, in words: "you", "the vault", or the app's own name. */
export function actor(label) {
  if (!label) return "";
  if (label.startsWith("owner:")) return t.words.you;
  if (label === "vault") return t.words.vault;
  return label.replace(/^(?:mcp|service):/, "");
}

/** Ids of memories and imports in a sentence of the vault's become links; that it speaks of the text itself goes without saying. */
export function linked(sentence) {
  return sentence
    .replace(/^content: (.)/u, (_, first) => first.toUpperCase())
    .split(/(\bmem_[0-9a-z]{8,40}\b)/)
    .map((part, place) => (place % 2 ? html`<a href="#/memories/${part}">${part.slice(0, 10)}…</a>` : shown(part)));
}
