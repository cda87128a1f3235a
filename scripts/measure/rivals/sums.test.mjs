// Holds the arithmetic of scripts/bench rivals: node --test scripts/measure/rivals/sums.test.mjs
import assert from "node:assert/strict";
import { test } from "node:test";
import { first, median, ratio, reached, shown, standing, table, verdicts } from "./table.mjs";
import { spoken, told } from "./texts.mjs";
import { byWordsFound, contentWords } from "./words-counted.mjs";

const quicker = (cells, more = {}) => ({ what: "recall", unit: "ms", better: "less", cells, ...more });
const finds = (cells) => ({ what: "recall@10", unit: "share", better: "more", cells });
const NAMES = ["ours", "theirs", "others"];

test("the median is the middle value, or the mean of the middle two, of unsorted values", () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([10, 2, 4, 100]), 7);
  assert.equal(median([3]), 3);
});

test("a figure is shown in its unit, milliseconds as seconds from a thousand on", () => {
  assert.equal(shown(1.94, "ms"), "1.9 ms");
  assert.equal(shown(214.4, "ms"), "214 ms");
  assert.equal(shown(1_940, "ms"), "1.94 s");
  assert.equal(shown(33_210, "ms"), "33.2 s");
  assert.equal(shown(0.8172, "share"), "0.817");
  assert.equal(shown(9.26, "MiB"), "9.3 MiB");
  assert.equal(shown(115.6, "MiB"), "116 MiB");
});

test("the ratio says how many times better ours is, whichever way the row counts", () => {
  assert.equal(ratio(quicker({}), 2, 8), 4);
  assert.equal(ratio(quicker({}), 8, 2), 0.25);
  assert.equal(ratio(finds({}), 0.8, 0.4), 2);
  assert.equal(ratio(finds({}), 0.8, 0), null);
});

test("three per cent apart is level, more is ahead or behind", () => {
  const stands = (ours, theirs) => standing(quicker({}), { value: ours }, { value: theirs });
  assert.equal(stands(100, 103), "level");
  assert.equal(stands(100, 103.1), "ahead");
  assert.equal(stands(103.1, 100), "behind");
  assert.equal(standing(finds({}), { value: 0.8 }, { value: 0.5 }), "ahead");
  assert.equal(standing(finds({}), { value: 0.5 }, { value: 0.8 }), "behind");
  assert.equal(standing(quicker({}), { value: 1 }, { missing: "not reached" }), null);
});

test("a goal is met at its very figure", () => {
  const row = quicker({}, { goal: 2 });
  assert.equal(reached(row, { value: 2 }), true);
  assert.equal(reached(row, { value: 2.01 }), false);
  assert.equal(reached(quicker({}), { value: 1 }), null);
  assert.equal(reached({ better: "more", goal: 0.8 }, { value: 0.79 }), false);
});

test("a figure of work that was not done is never first, whatever it says", () => {
  assert.equal(first(quicker({ ours: { value: 5 }, theirs: { value: 1, hollow: "indexes nothing" }, others: { value: 9 } }), NAMES), "ours");
  assert.equal(first(quicker({ ours: { value: 5 }, theirs: { value: 1 }, others: { missing: "not reached" } }), NAMES), "theirs");
  assert.equal(first(quicker({ ours: { value: 5 }, theirs: { value: 5.1 }, others: { value: 9 } }), NAMES), "ours, theirs");
  assert.equal(first(quicker({ ours: { missing: "not reached" } }), NAMES), "nobody");
});

test("the table shows value, ratio, mark of hollow figures and goal", () => {
  const row = quicker({ ours: { value: 4 }, theirs: { value: 1, hollow: "indexes nothing" }, others: { missing: "12 of 40 in 180 s" } }, { goal: 2 });
  assert.equal(
    table([row], NAMES).split("\n")[2],
    "| recall | 4.0 ms | 1.0 ms * (×0.3) | 12 of 40 in 180 s | ours | ≤ 2.0 ms, missed |",
  );
});

test("the verdict counts the rows, names those behind, and says why a figure is hollow", () => {
  const rows = [
    quicker({ ours: { value: 4 }, theirs: { value: 1, hollow: "indexes nothing" }, others: { value: 9 } }, { what: "bulk", goal: 5 }),
    finds({ ours: { value: 0.8 }, theirs: { value: 0.5 }, others: { value: 0.79 } }),
  ];
  assert.deepEqual(verdicts(rows, NAMES), [
    "against theirs: ahead in 1 of 2 rows, behind in bulk *",
    "against others: ahead in 1 of 2 rows, level in recall@10",
    "goals met: 1 of 1",
    "* bulk: theirs indexes nothing",
  ]);
});

test("a store without fields gets date and author in the text, the date as people write it", () => {
  assert.equal(spoken("2023-05-08"), "8 May, 2023");
  assert.equal(told({ text: "I went", author: "Caroline", date: "2023-05-08" }), "[8 May, 2023] Caroline: I went");
  assert.equal(told({ text: "I went" }), "I went");
});

test("the words of a question that carry meaning are each asked once", () => {
  assert.deepEqual(contentWords("When did Caroline go to the LGBTQ support group, and which group was it?"), ["caroline", "go", "lgbtq", "support", "group"]);
});

test("what most words found comes first, then what was stored first, and a word counts once", () => {
  const position = new Map([["a", 0], ["b", 1], ["c", 2]]);
  assert.deepEqual(byWordsFound([["c", "c", "b"], ["b", "a"]], position), ["b", "a", "c"]);
  assert.deepEqual(byWordsFound([[], []], position), []);
});
