// A year on the shelf: a spine a week, as tall as what was kept, in the colour of what it mostly holds. The same as a table
// for those who do not see it.

import { html, nothing, svg } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { TYPE_WORDS, number, typeTag } from "../lib/parts.js";
import { long } from "../lib/time.js";

/** Memories read for the shelf; the newest of a larger vault. */
export const SHELF_MEMORIES = 1_000;
const WEEKS = 52;
const DAY_MILLISECONDS = 86_400_000;
const HEIGHT = 132;

/** Rows `{ date, type }` into weeks, oldest first: `{ start, count, mostly }`. A week begins on Monday. */
export function weeksOf(rows, now = Date.now()) {
  const today = Math.floor(now / DAY_MILLISECONDS);
  const monday = today - ((today + 3) % 7);
  const weeks = Array.from({ length: WEEKS }, (_, place) => ({ start: monday - (WEEKS - 1 - place) * 7, types: new Map(), count: 0 }));
  for (const { date, type } of rows) {
    const day = Math.floor(Date.parse(date.length === 10 ? `${date}T12:00:00Z` : date) / DAY_MILLISECONDS);
    const week = weeks[Math.floor((day - weeks[0].start) / 7)];
    if (!week) continue;
    week.count += 1;
    week.types.set(type, (week.types.get(type) ?? 0) + 1);
  }
  return weeks.map(({ start, count, types }) => ({
    start: new Date(start * DAY_MILLISECONDS).toISOString().slice(0, 10),
    count,
    mostly: [...types].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "note",
  }));
}

export function shelf(rows, whole) {
  const weeks = weeksOf(rows);
  const tallest = Math.max(4, ...weeks.map((week) => week.count));
  const kept = weeks.reduce((sum, week) => sum + week.count, 0);
  const width = 1000 / WEEKS;
  const spine = (week, place) => {
    const height = week.count ? Math.max(6, Math.round((week.count / tallest) * (HEIGHT - 6))) : 0;
    const [x, y] = [place * width + 1.5, HEIGHT - height];
    const label =
      height > 46
        ? svg`<path class="label" d=${`M${x + 4} ${y + 14}h${width - 11}v14h${11 - width}z`}/>`
        : height > 22
          ? svg`<path class="label" d=${`M${x} ${y + 5}h${width - 3}v1.5h${3 - width}zM${x} ${HEIGHT - 8}h${width - 3}v1.5h${3 - width}z`}/>`
          : nothing;
    return svg`<g class=${`t-${week.mostly}`}><title>${t.home.week(long(week.start), number(week.count), week.mostly)}</title><path
      d=${`M${x} ${y}h${width - 3}v${height}h${3 - width}z`}/>${label}</g>`;
  };
  const months = Array.from({ length: 12 }, (_, place) =>
    new Date(`${weeks[Math.floor((place * WEEKS) / 12 + 2)].start}T12:00:00Z`).toLocaleDateString("en-GB", {
      month: "short",
      timeZone: "UTC",
    }),
  );
  const types = TYPE_WORDS.map((type) => [type, rows.filter((row) => row.type === type).length]).filter(([, count]) => count);
  return html`<section class="section" aria-labelledby="shelf"><header><h2 id="shelf">${t.home.shelf}</h2><p
    class="meta">${whole ? t.home.shelfHelp(number(kept)) : t.home.shelfPart(number(SHELF_MEMORIES))}</p></header>
    <figure class="shelf"><svg viewBox="0 0 1000 133" preserveAspectRatio="none" aria-hidden="true">${weeks.map(spine)}${svg`<line
      class="base" x1="0" y1="132.5" x2="1000" y2="132.5"/>`}</svg>
      <div class="months" aria-hidden="true">${months.map((month) => html`<span>${month}</span>`)}</div>
      <div class="sr"><table><caption>${t.home.shelf}</caption><thead><tr><th scope="col">${t.home.weekOf}</th><th
        scope="col">${t.home.keptCount}</th></tr></thead><tbody>${weeks.filter((week) => week.count).map((week) => html`<tr><td>${long(week.start)}</td><td>${week.count}</td></tr>`)}</tbody></table></div></figure>
    <ul class="legend">${types.map(([type, count]) => html`<li>${typeTag(type)} <span class="n">${number(count)}</span></li>`)}</ul></section>`;
}
