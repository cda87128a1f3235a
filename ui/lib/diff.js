// What changed between two texts: by words for memories, by lines for the guide.

import { html } from "../vendor/lit-html.js";
import { shown } from "./words.js";

/** Above this many comparisons the middle counts as changed as a whole; a person could not read such a diff anyway. */
const MOST_COMPARISONS = 4_000_000;
/** A change no longer than this is not broken across lines. */
const SHORT_CHARACTERS = 14;

const segmenter = globalThis.Intl?.Segmenter ? new Intl.Segmenter("en", { granularity: "word" }) : null;
const cut = (text) =>
  segmenter ? [...segmenter.segment(text)].map((part) => part.segment) : text.split(/(\s+|[\p{P}\p{S}])/u).filter(Boolean);
const UNIT = /^(?:%|‰|°|°C|°F|[kMGT]?bps|[kmMGT]?[WVABgmlLs]|[kMGT]i?B|cm|mm|km|kg|mg|ml|min|h|hrs?|am|pm|EUR|USD|GBP|SEK|[€$£¥])$/u;

/** Words of a text; a number keeps its unit, and signs that belong to a number stay with it. */
export function tokens(text) {
  const found = [];
  for (const part of cut(text)) {
    const [before, space] = [found.at(-2), found.at(-1)];
    if (UNIT.test(part) && space !== undefined && /^\s$/.test(space) && before && /\d$/.test(before)) {
      found.length -= 2;
      found.push(`${before}${space}${part}`);
    } else if (space !== undefined && ((UNIT.test(part) && /\d$/.test(space)) || (/^\d/.test(part) && /^[€$£¥]$/.test(space)))) {
      found[found.length - 1] += part;
    } else {
      found.push(part);
    }
  }
  return found;
}

/** `[kind, items]` runs, kind "same", "cut" or "add", by a longest common subsequence. */
export function compare(before, after) {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const a = before.slice(head, before.length - tail);
  const b = after.slice(head, after.length - tail);
  const runs = [];
  const add = (kind, item) => {
    if (runs.at(-1)?.[0] === kind) runs.at(-1)[1].push(item);
    else runs.push([kind, [item]]);
  };
  before.slice(0, head).forEach((item) => add("same", item));
  if (a.length * b.length > MOST_COMPARISONS) {
    a.forEach((item) => add("cut", item));
    b.forEach((item) => add("add", item));
  } else {
    const width = b.length + 1;
    const lengths = new Uint32Array((a.length + 1) * width);
    for (let i = a.length - 1; i >= 0; i--) {
      for (let j = b.length - 1; j >= 0; j--) {
        lengths[i * width + j] =
          a[i] === b[j] ? lengths[(i + 1) * width + j + 1] + 1 : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
      }
    }
    let [i, j] = [0, 0];
    while (i < a.length || j < b.length) {
      if (i < a.length && j < b.length && a[i] === b[j]) {
        add("same", a[i]);
        i++;
        j++;
      } else if (i < a.length && (j === b.length || lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])) add("cut", a[i++]);
      else add("add", b[j++]);
    }
  }
  before.slice(before.length - tail).forEach((item) => add("same", item));
  return runs;
}

/** Joins changes that only a blank separates, so that a changed phrase is one mark. */
function phrases(runs, kind) {
  const side = runs.filter(([run]) => run === "same" || run === kind).map(([run, items]) => [run, items.join("")]);
  const joined = [];
  for (const [run, text] of side) {
    const last = joined.at(-1);
    const next = run === kind && last?.[0] === "same" && /^\s+$/.test(last[1]) && joined.at(-2)?.[0] === kind;
    if (next) {
      const blank = joined.pop()[1];
      joined.at(-1)[1] += blank + text;
    } else joined.push([run, text]);
  }
  return joined;
}

let last = { before: null, after: null, sides: null };
/** Both sides of a change of words: `{ before, after, same }`, the first two as templates. A page is drawn far more often
    than its texts change, so the last answer is kept. */
export function sides(before, after) {
  if (last.before !== before || last.after !== after) last = { before, after, sides: sidesOf(before, after) };
  return last.sides;
}
function sidesOf(before, after) {
  const runs = compare(tokens(before), tokens(after));
  const side = (kind) =>
    phrases(runs, kind).map(([run, text]) => {
      if (run === "same" || text.trim() === "") return shown(text);
      const size = text.length <= SHORT_CHARACTERS ? "d short" : "d";
      return kind === "cut" ? html`<del class=${size}>${shown(text)}</del>` : html`<ins class=${size}>${shown(text)}</ins>`;
    });
  return { before: side("cut"), after: side("add"), same: runs.every(([run]) => run === "same") };
}

/** A change of lines as `[kind, line]`; long unchanged stretches become `["skip", count]`. */
export const lines = (before, after) => folded(compare(before.split("\n"), after.split("\n")).flatMap(([kind, items]) => items.map((item) => [kind, item])));

/** Unchanged lines that stay beside a change. */
const CONTEXT = 2;

/** Lines `[kind, line]` with their long unchanged stretches folded. */
export function folded(all) {
  const runs = [];
  for (const one of all) {
    if (runs.at(-1)?.[0][0] === one[0]) runs.at(-1).push(one);
    else runs.push([one]);
  }
  return runs.flatMap((run, place) => {
    if (run[0][0] !== "same" || run.length <= CONTEXT * 2 + 1) return run;
    const head = place === 0 ? 0 : CONTEXT;
    const tail = place === runs.length - 1 ? 0 : CONTEXT;
    return [...run.slice(0, head), ["skip", run.length - head - tail], ...run.slice(run.length - tail)];
  });
}
