// The arithmetic of a comparison, and its table. A row is
//   {what, unit, better: "less" | "more", goal?, cells: {contender: {value} | {missing: reason}, …}}
// where a cell may be `hollow`, with the reason: a figure that is right, but of work that was not done.

/** Figures closer than this share of the better one are level: the next run may turn them round. */
export const LEVEL = 0.03;

/** The middle of some values; of an even number, the mean of the middle two. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const UNITS = {
  ms: (value) => (value < 1_000 ? `${value.toFixed(value < 100 ? 1 : 0)} ms` : `${(value / 1_000).toFixed(value < 10_000 ? 2 : 1)} s`),
  MiB: (value) => `${value.toFixed(value < 10 ? 1 : 0)} MiB`,
  share: (value) => value.toFixed(3),
};

/** A figure with its unit. */
export const shown = (value, unit) => UNITS[unit](value);

/** How many times better `ours` is than `theirs`; null where one of them is nothing. */
export function ratio(row, ours, theirs) {
  const [better, worse] = row.better === "less" ? [ours, theirs] : [theirs, ours];
  return better > 0 && worse > 0 ? worse / better : null;
}

/** "ahead", "level" or "behind", of `ours` against `theirs`; null if one of the cells has no value. */
export function standing(row, ours, theirs) {
  if (ours?.value === undefined || theirs?.value === undefined) return null;
  const gain = row.better === "less" ? theirs.value - ours.value : ours.value - theirs.value;
  const best = row.better === "less" ? Math.min(ours.value, theirs.value) : Math.max(ours.value, theirs.value);
  if (Math.abs(gain) <= LEVEL * Math.abs(best)) return "level";
  return gain > 0 ? "ahead" : "behind";
}

/** Whether the goal of a row is reached; null without a goal or a value. */
export function reached(row, cell) {
  if (row.goal === undefined || cell?.value === undefined) return null;
  return row.better === "less" ? cell.value <= row.goal : cell.value >= row.goal;
}

/** Who is first, among those whose figure is of work done. */
export function first(row, names) {
  const real = names.filter((name) => row.cells[name]?.value !== undefined && !row.cells[name].hollow);
  if (real.length === 0) return "nobody";
  const sorted = real.sort((a, b) => (row.better === "less" ? 1 : -1) * (row.cells[a].value - row.cells[b].value));
  return sorted.filter((name) => name === sorted[0] || standing(row, row.cells[sorted[0]], row.cells[name]) === "level").join(", ");
}

function cellText(row, cell, ours) {
  if (cell?.value === undefined) return cell?.missing ?? "";
  const times = ours && ours !== cell && ours.value !== undefined ? ratio(row, ours.value, cell.value) : null;
  return `${shown(cell.value, row.unit)}${cell.hollow ? " *" : ""}${times === null ? "" : ` (×${times.toFixed(times >= 9.95 ? 0 : times >= 0.1 ? 1 : 2)})`}`;
}

/** The rows as a Markdown table; the first of `names` is ours. */
export function table(rows, names) {
  const lines = rows.map((row) => {
    const ours = row.cells[names[0]];
    const met = reached(row, ours);
    const limit = row.goal === undefined ? "" : `${row.better === "less" ? "≤" : "≥"} ${shown(row.goal, row.unit)}`;
    const goal = limit + { true: ", met", false: ", missed", null: "" }[met];
    return [row.what, ...names.map((name) => cellText(row, row.cells[name], ours)), first(row, names), goal];
  });
  const head = ["what", ...names, "ahead", "goal"];
  return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** What the table says in sentences: one for each rival, one for the goals, one for each hollow figure. */
export function verdicts(rows, names) {
  const [own, ...rivals] = names;
  const lines = rivals.map((rival) => {
    const among = (wanted) => rows.filter((row) => standing(row, row.cells[own], row.cells[rival]) === wanted);
    const [ahead, level, behind] = [among("ahead"), among("level"), among("behind")];
    const listed = (list) => list.map((row) => row.what + (row.cells[rival].hollow ? " *" : "")).join("; ");
    return (
      `against ${rival}: ahead in ${ahead.length} of ${ahead.length + level.length + behind.length} rows` +
      `${level.length ? `, level in ${listed(level)}` : ""}${behind.length ? `, behind in ${listed(behind)}` : ""}`
    );
  });
  const missed = rows.filter((row) => reached(row, row.cells[own]) === false);
  const goals = rows.filter((row) => reached(row, row.cells[own]) !== null).length;
  lines.push(`goals met: ${goals - missed.length} of ${goals}${missed.length ? `, missed: ${missed.map((row) => row.what).join("; ")}` : ""}`);
  const hollow = rows.flatMap((row) => rivals.filter((rival) => row.cells[rival]?.hollow).map((rival) => `* ${row.what}: ${rival} ${row.cells[rival].hollow}`));
  return [...lines, ...hollow];
}
