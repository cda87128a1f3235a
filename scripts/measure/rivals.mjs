// Memory Vault side by side with two other memory servers, in one run on the same work: scripts/bench rivals.
//
//   --sizes 600,6000,20000   stores that recall is measured in      --bulk 1000       memories in one import
//   --questions 100          questions a store                      --starts 5        starts measured
//   --writes 50              single writes measured                 --conversations N of LoCoMo (all in the file)
//
// VAULT_LOCOMO names the LoCoMo file, VAULT_RIVAL_MODEL a folder with the model of mcp-memory-service, or none (see rivals/service.mjs).
// All three are asked through MCP, in turns, so that a busy moment of the machine hits each. Nothing leaves this machine.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { durations } from "./client.mjs";
import { Score, load } from "./locomo.mjs";
import * as reference from "./rivals/reference.mjs";
import * as service from "./rivals/service.mjs";
import { median, shown, table, verdicts } from "./rivals/table.mjs";
import * as vault from "./rivals/vault.mjs";
import { question, sentence } from "./words.mjs";

/** What Memory Vault is meant to reach, in milliseconds; a recall goal belongs to the size of the store. */
const GOALS = { start: 300, write: 2.5, bulk: 500, recall: { 600: 2, 6000: 4, 20000: 8 } };
/** Below this, the reference server's recall is quick because it looks through a small file and finds nothing. */
const READ_WHOLE_BELOW = 6_000;
/** Calls of one contender before it is the next one's turn. */
const TURN = 10;
/** Calls before measuring. */
const WARM_UP = 10;
/** How long one row may take one contender, in milliseconds; what it did until then counts. */
const ROW_LIMIT = 60_000;
/** How long the import of one row, and LoCoMo, may take one contender; then it is left out of the rest. */
const IMPORT_LIMIT = 180_000;
const LOCOMO_LIMIT = 240_000;
/** How long the whole run may take. */
const RUN_LIMIT = 30 * 60_000;

const LOCOMO = process.env.VAULT_LOCOMO ?? path.join(process.env.VAULT_SCRIPTS, "../../shared/data/locomo-tune.json");
const contenders = [vault, reference, service];
const names = contenders.map(({ name }) => name);
const { values: given } = parseArgs({
  options: Object.fromEntries(["sizes", "questions", "writes", "bulk", "starts", "conversations"].map((flag) => [flag, { type: "string" }])),
});
const number = (flag, usual) => {
  const value = Number(given[flag] ?? usual);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${flag} takes a whole number from 1`);
  return value;
};
const sizes = (given.sizes ?? "600,6000,20000").split(",").map(Number);
if (sizes.some((size, at) => !Number.isInteger(size) || size <= (sizes[at - 1] ?? 0))) throw new Error("--sizes takes growing whole numbers");
const counts = { questions: number("questions", 100), writes: number("writes", 50), bulk: number("bulk", 1_000), starts: number("starts", 5) };
if (sizes[0] <= counts.writes) throw new Error("the smallest of --sizes must be more than --writes: those are stored before");

const work = mkdtempSync(path.join(tmpdir(), "rivals-"));
const rows = [];
const notes = contenders.flatMap((contender) => contender.about());
/** Contenders whose figures are hollow where they store or find. */
const without = { [service.name]: service.hollow };
const hollow = { ...without, [reference.name]: reference.hollow };
const memory = (at) => ({ key: `m${at}`, text: sentence(at) });
const memories = (from, to) => Array.from({ length: to - from }, (_, at) => memory(from + at));

/** Keeps a row: cells by contender, as numbers or as whole cells; whose figure is hollow in it is named with the reason. */
function row(what, unit, cells, { better = "less", goal, hollow = {} } = {}) {
  const whole = Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, typeof cell === "number" ? { value: cell } : cell]));
  for (const [name, reason] of Object.entries(hollow)) if (reason && whole[name]?.value !== undefined) whole[name].hollow = reason;
  rows.push({ what, unit, better, goal, cells: whole });
  const told = ({ value, missing }) => (value === undefined ? missing : shown(value, unit));
  console.error(`${what}: ${names.map((name) => `${name} ${told(whole[name])}`).join(", ")}`);
}

/** Does something with each contender, one after the other; {name: result}. */
async function each(run) {
  const results = {};
  for (const contender of contenders) results[contender.name] = await run(contender);
  return results;
}

function folderOf(contender, stage) {
  const folder = path.join(work, stage, contender.name.replaceAll(" ", "-").toLowerCase());
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** All contenders on stores of this stage, for as long as `use` runs: {name: session}. */
async function withAll(stage, use) {
  const sessions = {};
  try {
    for (const contender of contenders) sessions[contender.name] = await contender.open(folderOf(contender, stage));
    return await use(sessions);
  } finally {
    for (const session of Object.values(sessions)) await session.stop();
  }
}

/** The median milliseconds of `count` calls of each contender, taken in turns. */
async function inTurns(count, call) {
  const times = Object.fromEntries(names.map((name) => [name, []]));
  const total = (name) => times[name].reduce((sum, time) => sum + time, 0);
  for (let done = 0; done < count; done += TURN) {
    for (const name of names.filter((name) => total(name) < ROW_LIMIT)) {
      times[name].push(...(await durations(Math.min(TURN, count - done), (at) => call(name, done + at))));
    }
  }
  for (const name of names.filter((name) => times[name].length < count)) {
    notes.push(`${name}: ${times[name].length} of ${count} calls in ${ROW_LIMIT / 1000} s`);
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])]));
}

/** Milliseconds from the start of the process to the first recall answered. */
async function firstAnswers(stage, starts) {
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let at = 0; at <= starts; at += 1) {
    for (const contender of contenders) {
      const session = await contender.open(folderOf(contender, stage));
      try {
        await session.ask(question(0));
        // The first start also makes the database, signs the app in and warms the disk's cache.
        if (at > 0) times[contender.name].push(performance.now() - session.began);
      } finally {
        await session.stop();
      }
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])]));
}

async function bulk() {
  await withAll("bulk", async (sessions) => {
    const items = memories(0, counts.bulk);
    const cells = await each(async ({ name }) => {
      const began = performance.now();
      const stored = await sessions[name].bulk(items, began + IMPORT_LIMIT);
      const value = performance.now() - began;
      return stored === items.length ? value : { missing: `${stored} of ${items.length} in ${(value / 1000).toFixed(0)} s` };
    });
    row(`${counts.bulk} in bulk`, "ms", cells, { goal: counts.bulk === 1_000 ? GOALS.bulk : undefined, hollow });
    notes.push(`bulk: ${contenders.map((contender) => `${contender.name}: ${contender.bulk}`).join("; ")}`);
    const pending = await sessions[vault.name].pending();
    notes.push(pending ? `Memory Vault had ${pending} memories not embedded yet when it answered` : "Memory Vault's bulk is embedded and indexed when it answers");
    await writes(sessions, counts.bulk, counts.bulk);
  });
}

async function writes(sessions, from, stored) {
  const lost = Object.fromEntries(names.map((name) => [name, 0]));
  const cells = await inTurns(counts.writes, async (name, at) => {
    lost[name] += 1 - (await sessions[name].remember(memory(from + at)));
  });
  for (const name of names.filter((name) => lost[name])) notes.push(`${name} refused ${lost[name]} of ${counts.writes} writes at ${stored} stored`);
  row(`one write, ${stored} stored`, "ms", cells, { goal: GOALS.write, hollow: without });
}

async function recall(sessions, size) {
  const found = Object.fromEntries(names.map((name) => [name, 0]));
  await inTurns(WARM_UP, (name, at) => sessions[name].ask(question(counts.questions + at)));
  const before = await each(({ name }) => sessions[name].cpuMilliseconds());
  const asked = Object.fromEntries(names.map((name) => [name, 0]));
  const cells = await inTurns(counts.questions, async (name, at) => {
    asked[name] += 1;
    found[name] += (await sessions[name].ask(question(at))).length > 0;
  });
  const spent = await each(({ name }) => (sessions[name].cpuMilliseconds() - before[name]) / asked[name]);
  row(`recall p50, ${size} stored`, "ms", cells, { goal: GOALS.recall[size], hollow: size < READ_WHOLE_BELOW ? hollow : without });
  row(`CPU time of a recall, ${size} stored`, "ms", spent, { hollow: size < READ_WHOLE_BELOW ? hollow : without });
  notes.push(`recall at ${size}: answered with something: ${names.map((name) => `${name} ${found[name]} of ${asked[name]}`).join(", ")}`);
}

async function stores() {
  const empty = {};
  await withAll("stores", async (sessions) => {
    for (const name of names) {
      await sessions[name].ask(question(0));
      empty[name] = sessions[name].residentMiB();
    }
    const pings = await inTurns(counts.questions, (name) => sessions[name].ping());
    notes.push(`the cheapest call, ping: ${names.map((name) => `${name} ${shown(pings[name], "ms")}`).join(", ")}`);
    await writes(sessions, 0, 0);
    let stored = counts.writes;
    for (const size of sizes) {
      await each(async ({ name }) => {
        const done = await sessions[name].fill(memories(stored, size));
        const missing = size - stored - done;
        if (missing) notes.push(`${name} lacks ${missing} memories on the way to ${size}: too little time, or refused; its store is smaller there`);
      });
      stored = size;
      await recall(sessions, size);
    }
    const resident = await each(({ name }) => sessions[name].residentMiB());
    row(`memory, ${stored} stored`, "MiB", resident);
    row("of it more than with an empty store", "MiB", await each(({ name }) => Math.max(0, resident[name] - empty[name])));
    await writes(sessions, stored, stored);
  });
  row(`on disk, ${sizes.at(-1)} stored`, "MiB", await each((contender) => onDisk(folderOf(contender, "stores"))));
  row(`first answer after the start, ${sizes.at(-1)} stored`, "ms", await firstAnswers("stores", Math.min(counts.starts, 3)));
}

/** MiB of all files in a folder. */
function onDisk(folder) {
  const files = readdirSync(folder, { recursive: true }).map((file) => statSync(path.join(folder, file)));
  return files.filter((file) => file.isFile()).reduce((sum, file) => sum + file.size, 0) / 2 ** 20;
}

async function locomo() {
  if (!existsSync(LOCOMO)) {
    notes.push("LoCoMo was skipped: set VAULT_LOCOMO to a LoCoMo JSON file");
    return;
  }
  const all = load(LOCOMO).slice(0, given.conversations ? number("conversations") : undefined);
  const spent = Object.fromEntries(names.map((name) => [name, 0]));
  const scores = { usual: {}, best: {} };
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (const name of names) for (const way of Object.keys(scores)) scores[way][name] = new Score();
  const done = [];
  for (const conversation of all) {
    // A conversation counts for all or for none, so that all are scored on the same questions.
    const late = names.filter((name) => spent[name] > LOCOMO_LIMIT);
    if (late.length) {
      notes.push(`LoCoMo ended before ${conversation.name}: ${late.join(", ")} had taken ${LOCOMO_LIMIT / 1000} s`);
      break;
    }
    await withAll(conversation.name, (sessions) =>
      each(async (contender) => {
        const began = performance.now();
        await score(contender, sessions[contender.name], conversation, scores, times[contender.name]);
        spent[contender.name] += performance.now() - began;
      }),
    );
    done.push(conversation.name);
    console.error(`LoCoMo: ${conversation.name} done`);
  }
  if (done.length === 0) return;
  for (const way of Object.keys(scores)) {
    const result = (field) => Object.fromEntries(names.map((name) => [name, Number(scores[way][name].result[field])]));
    row(`LoCoMo recall@10, ${way} way of asking`, "share", result("r10"), { better: "more", hollow: without });
    row(`LoCoMo MRR, ${way} way of asking`, "share", result("mrr"), { better: "more", hollow: without });
  }
  row("LoCoMo p50 of a question, best way of asking", "ms", Object.fromEntries(names.map((name) => [name, median(times[name])])));
  const { questions } = scores.usual[vault.name].result;
  notes.push(`LoCoMo: ${questions} questions of ${done.join(", ")}, each in the store of its conversation, ten results`);
  for (const { name, ways } of contenders) if (ways.usual !== ways.best) notes.push(`${name}: its usual way is ${ways.usual}, its best ${ways.best}`);
}

async function score(contender, session, { name, memories: turns, questions }, scores, times) {
  const kept = await session.keep(turns.map((turn) => ({ ...turn, conversation: name })));
  if (kept !== turns.length) notes.push(`${contender.name} keeps ${kept} of the ${turns.length} turns of ${name}`);
  const sessions = new Map(turns.map(({ key, session: of }) => [key, of]));
  const same = contender.ways.usual === contender.ways.best;
  for (const { text, evidence } of questions) {
    let ranked;
    times.push(...(await durations(1, async () => (ranked = await session.ask(text, "best")))));
    scores.best[contender.name].add(ranked, evidence, (key) => sessions.get(key));
    if (!same) ranked = await session.ask(text, "usual");
    scores.usual[contender.name].add(ranked, evidence, (key) => sessions.get(key));
  }
}

const guard = setTimeout(() => {
  console.error(`error: the comparison took more than ${RUN_LIMIT / 60_000} minutes; smaller --sizes, --questions or --conversations take less`);
  process.exit(1); // ends the rivals, too; scripts/bench ends what is left
}, RUN_LIMIT);
try {
  contenders.forEach((contender) => contender.check?.());
  row("first answer after the start, empty", "ms", await firstAnswers("starts", counts.starts), { goal: GOALS.start });
  await bulk();
  await stores();
  await locomo();
} finally {
  clearTimeout(guard);
  if (process.env.VAULT_RIVAL_KEEP === undefined) rmSync(work, { recursive: true, force: true });
}
console.log(`\n${table(rows, names)}\n`);
console.log("(×N): how many times better Memory Vault is; ahead: the best figure of work done, all within 3 % of it\n");
for (const line of [...verdicts(rows, names), ...notes]) console.log(`- ${line}`);
