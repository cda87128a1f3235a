// The ground of the map: how densely memories lie, as a field of heights, and its lines of equal height.

/** Cells of the field, however the sheet is shaped; they are square, so that a hill is round on every sheet. */
const CELLS = 168 * 104;
/** Shares of the highest top at which a line is drawn. */
const SHARES = [0.045, 0.11, 0.2, 0.31, 0.44, 0.58, 0.74, 0.89];
/** How far one blurring reaches, and how often it is done: close to a bell curve. */
const REACH = 4;
const TIMES = 3;
/** How far a hill reaches around its dots, in cells: so much room is left at every edge. */
export const ROOM = REACH * TIMES + 1;

/** How many cells a sheet of this shape has, across and down. */
export function cellsOf(aspect) {
  const wide = Math.round(Math.sqrt(CELLS * Math.max(0.3, Math.min(3, aspect))));
  return { wide, high: Math.round(CELLS / wide) };
}

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

/** Heights from places between 0 and 1, as `{ cells, wide, high }`. */
export function heights(xs, ys, { wide, high }) {
  let field = new Float32Array(wide * high);
  for (let at = 0; at < xs.length; at += 1) {
    const [x, y] = [Math.min(wide - 1, Math.floor(xs[at] * wide)), Math.min(high - 1, Math.floor(ys[at] * high))];
    field[y * wide + x] += 1;
  }
  for (let time = 0; time < TIMES; time += 1) {
    field = blur(field, wide, high, 1, wide);
    field = blur(field, high, wide, wide, 1);
  }
  return { cells: field, wide, high };
}

/** The heights at which lines are drawn. */
export function levels({ cells }) {
  const top = cells.reduce((most, height) => Math.max(most, height), 0);
  return SHARES.map((share) => share * top);
}

/** The pieces of one line of equal height, `[x, y, x, y]` between 0 and 1 (marching squares). */
export function contour({ cells: field, wide, high }, level) {
  const found = [];
  const place = (x, y) => [(x + 0.5) / wide, (y + 0.5) / high];
  for (let y = 0; y + 1 < high; y += 1) {
    for (let x = 0; x + 1 < wide; x += 1) {
      const at = y * wide + x;
      const corners = [field[at], field[at + 1], field[at + wide + 1], field[at + wide]];
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
