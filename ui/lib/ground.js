// The ground of the map: how densely memories lie, as a field of heights, and its lines of equal height.

/** Cells of the field. Wider than high, as the sheet is. */
export const WIDE = 168;
export const HIGH = 104;
/** Shares of the highest top at which a line is drawn. */
const SHARES = [0.045, 0.11, 0.2, 0.31, 0.44, 0.58, 0.74, 0.89];
/** How far one blurring reaches, and how often it is done: close to a bell curve. */
const REACH = 4;
const TIMES = 3;

/** Blurs the field along one axis: running sums over `REACH` cells to each side. */
function blur(field, cells, lines, step, jump) {
  const out = new Float32Array(field.length);
  for (let line = 0; line < lines; line += 1) {
    const start = line * jump;
    let sum = 0;
    for (let at = 0; at < REACH; at += 1) sum += field[start + at * step];
    for (let at = 0; at < cells; at += 1) {
      if (at + REACH < cells) sum += field[start + (at + REACH) * step];
      if (at > REACH) sum -= field[start + (at - REACH - 1) * step];
      out[start + at * step] = sum / (2 * REACH + 1);
    }
  }
  return out;
}

/** Heights from places between 0 and 1. */
export function heights(xs, ys) {
  let field = new Float32Array(WIDE * HIGH);
  for (let at = 0; at < xs.length; at += 1) {
    const [x, y] = [Math.min(WIDE - 1, Math.floor(xs[at] * WIDE)), Math.min(HIGH - 1, Math.floor(ys[at] * HIGH))];
    field[y * WIDE + x] += 1;
  }
  for (let time = 0; time < TIMES; time += 1) {
    field = blur(field, WIDE, HIGH, 1, WIDE);
    field = blur(field, HIGH, WIDE, WIDE, 1);
  }
  return field;
}

/** The heights at which lines are drawn. */
export function levels(field) {
  const top = field.reduce((most, height) => Math.max(most, height), 0);
  return SHARES.map((share) => share * top);
}

/** The pieces of one line of equal height, `[x, y, x, y]` between 0 and 1 (marching squares). */
export function contour(field, level) {
  const found = [];
  const place = (x, y) => [(x + 0.5) / WIDE, (y + 0.5) / HIGH];
  for (let y = 0; y + 1 < HIGH; y += 1) {
    for (let x = 0; x + 1 < WIDE; x += 1) {
      const at = y * WIDE + x;
      const corners = [field[at], field[at + 1], field[at + WIDE + 1], field[at + WIDE]];
      const inside = corners.map((height) => height > level);
      if (inside.every((value) => value === inside[0])) continue;
      const crossed = [];
      for (let side = 0; side < 4; side += 1) {
        const next = (side + 1) % 4;
        if (inside[side] === inside[next]) continue;
        const share = (level - corners[side]) / (corners[next] - corners[side]);
        crossed.push([
          [x + share, y],
          [x + 1, y + share],
          [x + 1 - share, y + 1],
          [x, y + 1 - share],
        ][side]);
      }
      for (let pair = 0; pair + 1 < crossed.length; pair += 2) found.push([...place(...crossed[pair]), ...place(...crossed[pair + 1])]);
    }
  }
  return found;
}
