// Times as a person in the owner's zone reads them. The exact instant is always one hover away.

import { html, nothing } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { state } from "./state.js";

const LOCALE = "en-GB";
const formats = new Map();

/** The zone in force; UTC where this browser does not know the one that is set. */
export function zone() {
  const wanted = state.settings?.time_zone ?? "UTC";
  try {
    format(YEAR, wanted);
    return wanted;
  } catch {
    return "UTC";
  }
}

function format(options, timeZone = zone()) {
  if (!formats.has(options)) formats.set(options, new Map());
  const made = formats.get(options);
  if (!made.has(timeZone)) made.set(timeZone, new Intl.DateTimeFormat(LOCALE, { ...options, timeZone }));
  return made.get(timeZone);
}

const YEAR = { year: "numeric" };
const DAY = { year: "numeric", month: "2-digit", day: "2-digit" };
const LONG_DAY = { day: "numeric", month: "long", year: "numeric" };
const MINUTE = { ...LONG_DAY, hour: "2-digit", minute: "2-digit" };
const SECOND = { ...MINUTE, second: "2-digit" };
const CLOCK = { hour: "2-digit", minute: "2-digit" };
const NEAR = { day: "numeric", month: "short" };
const FAR = { month: "short", year: "numeric" };
const dayKey = (date) => format(DAY).format(date);
const isDay = (text) => /^\d{4}-\d\d-\d\d$/.test(text);

/** A date of a text; a bare day is that day wherever one is, so it is held at noon UTC and never moved by a zone. */
const parse = (text) => new Date(isDay(text) ? `${text}T12:00:00Z` : text);

/** "3 March 2025", or with its time when there is one. */
export function long(text) {
  if (!text) return "";
  const date = parse(text);
  if (Number.isNaN(date.getTime())) return String(text);
  return isDay(text) ? format(LONG_DAY, "UTC").format(date) : format(MINUTE).format(date);
}

/** "3 March 2025", of an instant too. */
export const day = (text) => (isDay(text) ? long(text) : format(LONG_DAY).format(parse(text)));

let exactKnown = { zone: "", texts: new Map() };
/** Instants kept; a page with more of them works them out again. */
const EXACT_KNOWN = 5_000;
/** The instant to the second, its zone, and the same in UTC. A page is drawn far more often than its times change. */
export function exact(text) {
  const here = zone();
  if (exactKnown.zone !== here || exactKnown.texts.size > EXACT_KNOWN) exactKnown = { zone: here, texts: new Map() };
  if (!exactKnown.texts.has(text)) exactKnown.texts.set(text, exactly(text));
  return exactKnown.texts.get(text);
}
function exactly(text) {
  const date = parse(text);
  if (Number.isNaN(date.getTime()) || isDay(text)) return long(text);
  return `${format(SECOND).format(date)} (${zone()}) · ${date.toISOString()}`;
}

/** Relative up to a day, then a date: "4 min ago", "09:41", "yesterday", "28 Nov", "Mar 2025". */
export function short(text, now = new Date()) {
  const date = parse(text);
  if (Number.isNaN(date.getTime())) return String(text);
  const seconds = (now - date) / 1000;
  if (!isDay(text)) {
    if (seconds >= -60 && seconds < 60) return t.time.now;
    if (seconds >= 60 && seconds < 3600) return t.time.minutes(Math.floor(seconds / 60));
    if (dayKey(date) === dayKey(now)) return format(CLOCK).format(date);
  }
  const key = isDay(text) ? format(DAY, "UTC").format(date) : dayKey(date);
  if (key === dayKey(now)) return t.time.today;
  if (key === dayKey(new Date(now - 86_400_000))) return t.time.yesterday;
  if (key === dayKey(new Date(+now + 86_400_000))) return t.time.tomorrow;
  const where = isDay(text) ? "UTC" : zone();
  const near = Math.abs(seconds) < 300 * 86_400;
  return format(near ? NEAR : FAR, where).format(date);
}

/** A <time> with the exact instant as its title. */
export function when(text, show = short) {
  return text ? html`<time datetime=${text} title=${exact(text)}>${show(text)}</time>` : nothing;
}
