// Half a year on the shelf: a spine a week, as tall as what was kept, in the colour of what it mostly holds. The same as a table
// for those who do not see it. The vault counts; nothing is guessed here.

import { html, nothing, svg } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { TYPE_WORDS, number, typeTag } from "../lib/parts.js";
import { long } from "../lib/time.js";

const HEIGHT = 132;
/** The gap between two spines, in the drawing's thousand parts. */
const GAP = 3;
/** Names of months under it. */
const MONTHS = 6;

/** Draws the weeks as the vault's status gives them, oldest first: `{ start, total, by_type }`. */
export function shelf(counted) {
  const mostly = (types) => Object.entries(types).sort((a, b) => b[1] - a[1])[0]?.[0] ?? "note";
  const weeks = counted.map(({ start, total, by_type }) => ({ start, count: total, mostly: mostly(by_type) }));
  const tallest = Math.max(4, ...weeks.map((week) => week.count));
  const kept = weeks.reduce((sum, week) => sum + week.count, 0);
  const width = 1000 / weeks.length;
  const spine = (week, place) => {
    const height = week.count ? Math.max(6, Math.round((week.count / tallest) * (HEIGHT - 6))) : 0;
    const [x, y] = [place * width + 1.5, HEIGHT - height];
    const label =
      height > 46
        ? svg`<path class="label" d=${`M${x + 4} ${y + 14}h${width - GAP - 8}v14h${GAP + 8 - width}z`}/>`
        : height > 22
          ? svg`<path class="label" d=${`M${x} ${y + 5}h${width - GAP}v1.5h${GAP - width}zM${x} ${HEIGHT - 8}h${width - GAP}v1.5h${GAP - width}z`}/>`
          : nothing;
    return svg`<g class=${`t-${week.mostly}`}><title>${t.home.week(long(week.start), number(week.count), week.mostly)}</title><path
      d=${`M${x} ${y}h${width - GAP}v${height}h${GAP - width}z`}/>${label}</g>`;
  };
  const months = Array.from({ length: MONTHS }, (_, place) =>
    new Date(`${weeks[Math.floor(((place + 0.5) * weeks.length) / MONTHS)].start}T12:00:00Z`).toLocaleDateString("en-GB", { month: "short", timeZone: "UTC" }),
  );
  const types = TYPE_WORDS.map((type) => [type, counted.reduce((sum, week) => sum + (week.by_type[type] ?? 0), 0)]).filter(([, count]) => count);
  return html`<section class="section" aria-labelledby="shelf"><header><h2 id="shelf">${t.home.shelf}</h2><p
    class="meta">${t.home.shelfHelp(number(kept), weeks.length)}</p></header>
    <figure class="shelf"><svg viewBox="0 0 1000 133" preserveAspectRatio="none" aria-hidden="true">${weeks.map(spine)}${svg`<line
      class="base" x1="0" y1="132.5" x2="1000" y2="132.5"/>`}</svg>
      <div class="months" aria-hidden="true">${months.map((month) => html`<span>${month}</span>`)}</div>
      <div class="sr"><table><caption>${t.home.shelf}</caption><thead><tr><th scope="col">${t.home.weekOf}</th><th
        scope="col">${t.home.keptCount}</th></tr></thead><tbody>${weeks.filter((week) => week.count).map((week) => html`<tr><td>${long(week.start)}</td><td>${week.count}</td></tr>`)}</tbody></table></div></figure>
    <ul class="legend">${types.map(([type, count]) => html`<li>${typeTag(type)} <span class="n">${number(count)}</span></li>`)}</ul></section>`;
}
