// The map of the vault: memories as dots, what means the same close together, the hills named by their own words. The same
// can be read as a list below it.

import { html, nothing, ref, repeat } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { get, memoryPath, queryOf } from "../lib/api.js";
import { TYPE_WORDS, broken, empty, head, icon, number, skeleton, typeTag } from "../lib/parts.js";
import { day, when } from "../lib/time.js";
import { actor, excerpt, lang, shown, title } from "../lib/words.js";
import { STEP, sheetOf } from "./map-sheet.js";

const DAY_MILLISECONDS = 86_400_000;
/** Until when a memory counts as new, recent, of this year: days. */
const AGES = [7, 31, 365, Infinity];
/** Apps that get a colour of their own; the rest share one. */
const APPS = 5;
/** What lies nearest, and rows of a group that are read at once. */
const NEIGHBOURS = 6;
const ROWS = 10;
/** While the vault draws the map anew in the background, it is asked again after so long. */
const AGAIN_MILLISECONDS = 2_500;
/** One press of an arrow with Shift, in pixels. */
const PAN = 80;

/** The map of the last visit stands at once, until the vault's answer of now is there. */
let kept = null;

export function open(page) {
  const map = { data: null, error: null, by: choice(page.place.query.by), chosen: -1, memory: null, lost: null, near: null };
  const rows = new Map();
  const reading = new Set();
  let sheet = null;
  let canvas = null;
  let timer = 0;
  let groups = [];
  let members = [];

  function choice(by) {
    return ["type", "app", "age"].includes(by) ? by : "type";
  }

  async function load() {
    try {
      kept = await get("/api/map", {}, page.signal);
      take(kept);
    } catch (error) {
      if (page.signal.aborted) return;
      map.error = error;
    }
    page.draw();
  }

  function take(data) {
    const id = map.chosen >= 0 ? map.data.points.id[map.chosen] : page.place.query.id;
    Object.assign(map, { data, error: null, chosen: id ? data.points.id.indexOf(id) : -1 });
    const scale = (values) => Float32Array.from(values, (value) => value / data.parts);
    map.places = { xs: scale(data.points.x), ys: scale(data.points.y) };
    members = data.hills.map(() => []);
    data.points.hill.forEach((hill, at) => members[hill]?.push(at));
    rows.clear();
    clearTimeout(timer);
    if (data.redrawing || data.pending) timer = setTimeout(load, AGAIN_MILLISECONDS);
    if (sheet) fill();
    if (map.chosen >= 0 && !map.memory) read(map.chosen);
  }

  /** The colours in force: `{ name, mark, colour, members }`. */
  function sorted() {
    const { points, types, authors } = map.data;
    const by = (count, groupOf) => {
      const found = Array.from({ length: count }, () => []);
      for (let at = 0; at < points.id.length; at += 1) found[groupOf(at)].push(at);
      return found;
    };
    if (map.by === "type") {
      const words = [...new Set([...TYPE_WORDS, ...types])];
      const lists = by(words.length, (at) => words.indexOf(types[points.type[at]]));
      return words.map((word, place) => ({ name: word, mark: TYPE_WORDS.includes(word) ? word : "note", members: lists[place] }));
    }
    if (map.by === "app") {
      const counts = authors.map((_, place) => [place, 0]);
      points.by.forEach((place) => (counts[place][1] += 1));
      const shownApps = counts.sort((a, b) => b[1] - a[1]).slice(0, APPS).map(([place]) => place);
      const lists = by(APPS + 1, (at) => (shownApps.includes(points.by[at]) ? shownApps.indexOf(points.by[at]) : APPS));
      return lists.map((list, place) => ({ name: place < APPS ? shown(actor(authors[shownApps[place]] ?? "")) : t.map.others, mark: TYPE_WORDS[place], members: list }));
    }
    const today = Math.floor(Date.now() / DAY_MILLISECONDS);
    const lists = by(AGES.length, (at) => AGES.findIndex((days) => today - points.day[at] <= days));
    return lists.map((list, place) => ({ name: t.map.ages[place], mark: `age${place}`, members: list }));
  }
  function fill() {
    sheet.setPoints(map.places);
    colour();
    if (map.chosen >= 0) sheet.setChosen(map.chosen);
    place();
  }
  function colour() {
    groups = sorted().filter((group) => group.members.length);
    // The oldest and the commonest lie below.
    const order = map.by === "age" ? [...groups].reverse() : [...groups].sort((a, b) => b.members.length - a.members.length);
    sheet?.setGroups(order.map((group) => ({ colour: `var(--t-${group.mark})`, members: group.members })));
  }

  /** Puts the names where their hills are; one that would lie over a larger one steps back. */
  function place() {
    if (!sheet || !map.data) return;
    const taken = [];
    for (const [at, hill] of map.data.hills.entries()) {
      const label = document.getElementById(`hill-${at}`);
      if (!label) continue;
      let [x, y] = sheet.at(hill.x / map.data.parts, hill.y / map.data.parts);
      const [w, h] = [label.offsetWidth / 2 + 4, label.offsetHeight / 2 + 2];
      const inside = x > 0 && y > 0 && x < sheet.size.w && y < sheet.size.h;
      x = Math.max(w, Math.min(sheet.size.w - w, x));
      y = Math.max(h, Math.min(sheet.size.h - h, y));
      const box = [x - w, y - h, x + w, y + h];
      const free = !taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1]);
      const visible = inside && free && hill.name !== "";
      if (visible) taken.push(box);
      label.classList.toggle("away", !visible);
      label.tabIndex = visible ? 0 : -1;
      Object.assign(label.style, { left: `${x}px`, top: `${y}px` });
    }
  }

  function address() {
    const id = map.chosen >= 0 ? map.data.points.id[map.chosen] : "";
    history.replaceState(history.state, "", `#/map${queryOf({ by: map.by === "type" ? "" : map.by, id })}`);
  }
  async function read(at) {
    const id = map.data.points.id[at];
    try {
      const memory = await get(memoryPath(id), {}, page.signal);
      if (map.data.points.id[map.chosen] === id) Object.assign(map, { memory, lost: null });
    } catch (error) {
      if (page.signal.aborted) return;
      if (map.data.points.id[map.chosen] === id) Object.assign(map, { memory: null, lost: error });
    }
    page.draw();
  }
  function choose(at, keepNear = false) {
    if (!keepNear) map.near = null;
    Object.assign(map, { chosen: at, memory: null, lost: null });
    sheet.setChosen(at, map.near?.map((one) => one.at) ?? []);
    if (at >= 0) {
      sheet.reveal(at);
      read(at);
    }
    address();
    page.draw();
  }
  async function neighbours() {
    const { xs, ys } = map.places;
    const from = map.chosen;
    const way = (at) => (xs[at] - xs[from]) ** 2 + (ys[at] - ys[from]) ** 2;
    const all = [...xs.keys()].filter((at) => at !== from).sort((a, b) => way(a) - way(b)).slice(0, NEIGHBOURS);
    map.near = all.map((at) => ({ at, memory: null }));
    sheet.setChosen(from, all);
    page.draw();
    const found = await texts(all);
    if (map.chosen === from) map.near = all.map((at, place) => ({ at, memory: found[place] }));
    page.draw();
  }
  /** Memories by their places in the list; null for what is gone. */
  const texts = (indexes) => Promise.all(indexes.map((at) => get(memoryPath(map.data.points.id[at]), {}, page.signal).catch(() => null)));

  async function unfold(hill, more = false) {
    const known = rows.get(hill) ?? [];
    if (reading.has(hill) || (!more && known.length)) return;
    reading.add(hill);
    page.draw();
    const next = members[hill].slice(known.length, known.length + ROWS);
    const found = await texts(next);
    reading.delete(hill);
    rows.set(hill, [...known, ...found]);
    page.draw();
  }

  function ready(element) {
    if (!element || element === canvas) return;
    sheet?.close();
    canvas = element;
    sheet = sheetOf(element, { onChoose: choose, onMove: place });
    fill();
  }

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  function keydown(event) {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    const acts = {
      "+": () => sheet.zoomAt(STEP),
      "=": () => sheet.zoomAt(STEP),
      "-": () => sheet.zoomAt(1 / STEP),
      0: () => sheet.whole(),
      Enter: () => map.chosen >= 0 && (location.hash = `#/memories/${map.data.points.id[map.chosen]}`),
      Escape: () => map.chosen >= 0 && choose(-1),
    };
    if (arrow && event.shiftKey) sheet.pan(-arrow[0] * PAN, -arrow[1] * PAN);
    else if (arrow) choose(sheet.towards(map.chosen, arrow));
    else if (Object.hasOwn(acts, event.key)) acts[event.key]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const link = (id) => `#/memories/${encodeURIComponent(id)}`;
  const nameOf = (hill, at) => (hill.name ? shown(hill.name) : t.map.unnamed(at + 1));

  function colours() {
    return html`<div class="row apart"><div class="filters" role="group" aria-label=${t.map.colourBy}><span class="meta" aria-hidden="true">${t.map.colourBy}</span>
      ${["type", "app", "age"].map(
        (by) => html`<button class="filter" type="button" aria-pressed=${String(map.by === by)} @click=${() => {
          map.by = by;
          colour();
          address();
          page.draw();
        }}>${t.map.by[by]}</button>`,
      )}</div>
      <ul class="legend">${groups.map(
        (group) => html`<li><span class="type t-${group.mark}">${group.name}</span> <span class="n">${number(group.members.length)}</span></li>`,
      )}</ul></div>`;
  }

  function card() {
    if (map.chosen < 0) return nothing;
    if (map.lost) return html`<aside class="mapcard" aria-label=${t.map.chosen}>${broken(map.lost, () => read(map.chosen))}</aside>`;
    const { memory } = map;
    return html`<aside class="mapcard" aria-label=${t.map.chosen} aria-live="polite">
      ${
        memory
          ? html`<p class="word clamp5" dir="auto" lang=${lang(memory.content) ?? nothing}>${shown(excerpt(memory.content))}</p>
            <p class="meta">${typeTag(memory.type)} <span>${shown(actor(memory.created_by))}</span>, ${when(memory.created_at, day)}</p>`
          : skeleton(1)
      }
      ${map.near ? html`<ul class="mapnear" aria-label=${t.map.nearby}>${map.near.map(({ at, memory: one }) => html`<li><button class="link word" type="button"
        @click=${() => choose(at)}>${one ? shown(title(one.content, 60)) : "…"}</button></li>`)}</ul>` : nothing}
      <div class="row"><a class="btn small" href=${link(map.data.points.id[map.chosen])}>${t.map.open}</a>
        ${map.near ? nothing : html`<button class="btn small quiet" type="button" @click=${neighbours}>${t.map.neighbours}</button>`}
        <button class="btn small quiet" type="button" @click=${() => choose(-1)}>${t.close}</button></div></aside>`;
  }

  const label = (hill, at) => {
    const size = hill.count > map.data.points.id.length / 9 ? "big" : hill.count < map.data.points.id.length / 30 ? "minor" : "";
    return html`<button class="maplabel ${size}" id="hill-${at}" type="button" lang=${lang(hill.name) ?? nothing} @click=${() => sheet.show(members[at])}>${nameOf(hill, at)}
      <small>${t.map.count(hill.count, number(hill.count))}</small></button>`;
  };

  function sheetPart() {
    const { hills, points } = map.data;
    return html`<div class="mapbox section-gap"><div class="mapwrap">
        <canvas id="map" tabindex="0" role="application" aria-label=${t.map.canvas(number(points.id.length), hills.length)} @keydown=${keydown} ${ref(ready)}></canvas>
        <div class="maplabels" role="group" aria-label=${t.map.groups}>${repeat(hills, (hill, at) => `${at} ${hill.name}`, label)}</div>
        <div class="maptools" role="group" aria-label=${t.map.zoom}><button class="btn icon-only" type="button" aria-label=${t.map.closer} @click=${() => sheet.zoomAt(STEP)}>+</button><button
          class="btn icon-only" type="button" aria-label=${t.map.further} @click=${() => sheet.zoomAt(1 / STEP)}>−</button><button class="btn" type="button"
          @click=${() => sheet.whole()}>${t.all}</button></div></div>${card()}</div>
      <p class="meta gap-s">${matchMedia("(pointer: coarse)").matches ? t.map.howTouch : t.map.how}</p>`;
  }

  function group(hill, at) {
    const known = rows.get(at) ?? [];
    return html`<details @toggle=${(event) => event.target.open && unfold(at)}><summary><span>${nameOf(hill, at)}</span><span class="meta">${t.map.mostly(number(hill.count), hill.mostly)}</span>${icon("right")}</summary>
      <ul>${known.map((memory) => memory && html`<li><a class="word" dir="auto" lang=${lang(memory.content) ?? nothing} href=${link(memory.id)}>${shown(title(memory.content, 140))}</a></li>`)}</ul>
      ${known.length && known.length < members[at].length ? html`<button class="btn small" type="button" @click=${() => unfold(at, true)}>${t.memories.more(number(members[at].length - known.length))}</button>` : nothing}
      ${reading.has(at) ? skeleton(1) : nothing}</details>`;
  }
  const list = () => html`<section class="section" aria-labelledby="maplist"><header><h2 id="maplist">${t.map.asList}</h2><p class="meta">${t.map.asListHelp}</p></header>
    <div class="maplist">${repeat(map.data.hills, (hill, at) => at, group)}</div>
    ${between() ? html`<p class="meta gap-s">${t.map.between(between(), number(between()))}</p>` : nothing}</section>`;
  const between = () => map.data.points.hill.filter((hill) => hill < 0).length;

  function note() {
    const { total, points, pending, redrawing } = map.data;
    if (redrawing) return html`<p class="meta" role="status">${points.id.length ? t.map.redrawing : t.map.drawing}</p>`;
    if (pending) return html`<p class="meta" role="status">${t.map.pending(pending, number(pending))}</p>`;
    return total > points.id.length ? html`<p class="meta">${t.map.newest(number(points.id.length), number(total))}</p>` : nothing;
  }

  if (kept) take(kept);
  load();
  return {
    title: t.places.map,
    template() {
      if (map.error && !map.data) return html`${head(t.map.title)}${broken(map.error, load)}`;
      if (!map.data) return html`${head(t.map.title, t.map.help)}${skeleton(6)}`;
      if (map.data.total === 0) {
        return html`${head(t.map.title, t.map.help)}${empty(t.map.empty, t.map.emptyHelp, html`<a class="btn primary" href="#/memories?add=1">${t.home.write}</a><a class="btn" href="#/imports">${t.home.import}</a>`)}`;
      }
      if (!groups.length) colour();
      sheet?.redraw();
      requestAnimationFrame(place);
      return html`${head(t.map.title, t.map.help)}${map.error ? broken(map.error, load) : nothing}${colours()}${note()}${sheetPart()}${map.data.hills.length ? list() : nothing}`;
    },
    update: (place) => {
      const by = choice(place.query.by);
      const at = place.query.id && map.data ? map.data.points.id.indexOf(place.query.id) : -1;
      if (by !== map.by) {
        map.by = by;
        colour();
      }
      if (sheet && at !== map.chosen) choose(at);
    },
    close: () => {
      clearTimeout(timer);
      sheet?.close();
    },
  };
}
