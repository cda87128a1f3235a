// The measuring program behind scripts/bench. Every row runs against a vault of its own over loopback, on the build that is
// deployed. Speeds depend on the machine, so each stands beside what the same run needs for GET /health, the cheapest
// request that reaches the vault.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { download, upload } from "./backup.mjs";
import { durations, must, quantile, rate } from "./client.mjs";
import * as languages from "./languages.mjs";
import { moreNonsense, nonsense } from "./languages.mjs";
import { Score, areaUnderCurve, load } from "./locomo.mjs";
import { start } from "../running-vault.mjs";
import { question, sentence } from "./words.mjs";

const MEMORIES = 10_000;
const MANY = 100_000;
const BATCH = 500;
const BACKED_UP = 20_000;
const QUESTIONS = 500;
const WRITES = 2_000;
const LOCOMO = process.env.VAULT_LOCOMO ?? path.join(process.env.VAULT_SCRIPTS, "../../shared/data/locomo-tune.json");

const LANGUAGES = process.env.VAULT_LANGUAGES ?? path.join(process.env.VAULT_SCRIPTS, "../../shared/data/multilang");

const rows = [];
const row = (what, value, note = "") => {
  rows.push([what, value, note]);
  console.error(`${what}: ${value} ${note}`);
};
const milliseconds = (value) => `${value.toFixed(2)} ms`;

async function withVault(measure) {
  const vault = await start();
  try {
    return await measure(vault);
  } finally {
    vault.stop();
  }
}

async function fill(port, count, from = 0) {
  for (let first = from; first < from + count; first += BATCH) {
    const length = Math.min(BATCH, from + count - first);
    const items = Array.from({ length }, (_, offset) => sentence(first + offset));
    const report = await must(port, "POST", "/api/bulk", { items });
    if (report.stored !== length) throw new Error(`bulk stored ${report.stored} of ${length}`);
  }
}

async function writes({ port }) {
  const health = await rate(WRITES, 8, () => must(port, "GET", "/health"));
  const one = await rate(WRITES, 1, (number) => must(port, "POST", "/api/memories", { content: sentence(number) }));
  const eight = await rate(WRITES, 8, (number) => must(port, "POST", "/api/memories", { content: sentence(WRITES + number) }));
  row("remember, one after the other", `${one.toFixed(0)}/s`);
  row("remember, eight at once", `${eight.toFixed(0)}/s`, `GET /health in the same run: ${health.toFixed(0)}/s`);
}

async function reads({ port, residentMiB, cpuMilliseconds }, memories = MEMORIES) {
  const before = residentMiB();
  const began = performance.now();
  await fill(port, memories);
  row("bulk import into an empty vault", `${((memories * 1000) / (performance.now() - began)).toFixed(0)}/s`, `${memories} items, ${BATCH} a call`);
  const ask = (number) => must(port, "GET", `/api/recall?q=${encodeURIComponent(question(number))}`);
  await durations(20, ask);
  const cpu = cpuMilliseconds();
  const asked = await durations(QUESTIONS, ask);
  const each = (cpuMilliseconds() - cpu) / QUESTIONS;
  const health = await durations(QUESTIONS, () => must(port, "GET", "/health"));
  // The clock stands still inside a request, so what the vault itself takes can only be told by what is left over outside.
  const less = (share) => milliseconds(quantile(asked, share) - quantile(health, 0.5));
  const note = `less the median GET /health: ${less(0.5)} / ${less(0.95)}; GET /health: ${milliseconds(quantile(health, 0.5))}, ${milliseconds(quantile(health, 0.95))}; processor time of a recall: ${milliseconds(each)}`;
  row(`recall over ${memories} memories, p50 / p95`, `${milliseconds(quantile(asked, 0.5))} / ${milliseconds(quantile(asked, 0.95))}`, note);
  row("memory over an empty vault", `${(residentMiB() - before).toFixed(0)} MiB`, `${memories} memories, ${QUESTIONS} questions`);
}

/** One conversation in a vault of its own: every turn a memory, every question asked. */
async function conversation({ memories, questions, adversarial }, score, answers) {
  await withVault(async ({ port }) => {
    const keys = new Map();
    for (let first = 0; first < memories.length; first += BATCH) {
      const batch = memories.slice(first, first + BATCH);
      const items = batch.map(({ session, author, date, text }) => ({ session, author, source_date: date, content: text }));
      const report = await must(port, "POST", "/api/bulk", { items });
      report.items.forEach((item) => keys.set(item.id, [...(keys.get(item.id) ?? []), batch[item.index].key]));
    }
    const sessions = new Map(memories.map(({ key, session }) => [key, session]));
    for (const { text, evidence } of questions) {
      const answer = await must(port, "GET", `/api/recall?limit=50&q=${encodeURIComponent(text)}`);
      const ranked = answer.results.flatMap(({ id }) => keys.get(id) ?? []);
      score.add(ranked, evidence, (key) => sessions.get(key));
      answers.answerable.push(answer.results[0]?.score ?? 0);
    }
    const best = async (text) => (await must(port, "GET", `/api/recall?limit=1&q=${encodeURIComponent(text)}`)).results[0]?.score ?? 0;
    for (const text of adversarial) answers.adversarial.push(await best(text));
    for (const text of nonsense) answers.nonsense.push(await best(text));
    for (const text of moreNonsense) answers.moreNonsense.push(await best(text));
  });
}

async function locomo() {
  if (!existsSync(LOCOMO)) {
    row("LoCoMo", "skipped", "set VAULT_LOCOMO to a LoCoMo JSON file");
    return;
  }
  const conversations = load(LOCOMO);
  const score = new Score();
  const answers = { answerable: [], adversarial: [], nonsense: [], moreNonsense: [] };
  for (const each of conversations) await conversation(each, score, answers);
  const { questions, r10, mrr, sessionR5 } = score.result;
  const names = conversations.map(({ name }) => name).join(", ");
  row("LoCoMo turns, recall@10 / MRR", `${r10} / ${mrr}`, `model inside; ${questions} questions of ${names}`);
  row("LoCoMo sessions, recall@5", sessionR5, "a session ranks as its best turn");
  const share = (scores, counts) => (scores.filter(counts).length / scores.length).toFixed(3);
  const none = share(answers.nonsense, (score) => score === 0);
  const some = share(answers.answerable, (score) => score > 0);
  row("nonsense that gets no answer", none, `${nonsense.length} questions in each of ${conversations.length} vaults; of the answerable ones ${some} keep one`);
  const more = share(answers.moreNonsense, (score) => score === 0);
  row("the same of gibberish, general knowledge and what was never told", more, `${moreNonsense.length} questions in a dozen languages, likewise`);
  row("adversarial questions, AUC of the best score", areaUnderCurve(answers.answerable, answers.adversarial).toFixed(3), `${answers.adversarial.length} questions about the wrong person; .5 is chance`);
}

async function multilang() {
  if (!languages.present(LANGUAGES)) {
    row("languages", "skipped", "set VAULT_LANGUAGES to the folder of the notes");
    return;
  }
  const { own, english } = await languages.measure(LANGUAGES, withVault);
  const [ownShown, englishShown] = [languages.shown(own), languages.shown(english)];
  row("notes in their own language, among the first 3", ownShown.mean, ownShown.each);
  row("English question, note in another language, among the first 3", englishShown.mean, englishShown.each);
}

async function backup() {
  const told = ({ seconds, mebibytes }) => `${seconds.toFixed(1)} s, ${mebibytes.toFixed(0)} MiB more memory`;
  const { file, small } = await withVault(async (vault) => {
    await fill(vault.port, BACKED_UP);
    const whole = await download(vault);
    const size = (bytes) => `${(bytes.length / 2 ** 20).toFixed(0)} MiB`;
    const small = await download(vault, "?embeddings=0");
    row(`backup of ${BACKED_UP} memories`, told(whole), `${size(whole.result)}; ${size(small.result)} without embeddings`);
    return { file: whole.result, small: small.result };
  });
  for (const [what, given] of [["restore of the same", file], ["restore without embeddings", small]]) {
    await withVault(async (vault) => {
      const restored = await upload(vault, given);
      if (restored.result.outcome.counts.memories !== BACKED_UP) throw new Error(JSON.stringify(restored.result));
      row(what, told(restored), "until every memory is found by words");
    });
  }
}

function size() {
  const files = ["entry.js", "index.js", "index_bg.wasm"].map((file) => readFileSync(path.join(process.env.VAULT_BUILD, file)));
  const bytes = execFileSync("gzip", ["-9", "-c"], { input: Buffer.concat(files), maxBuffer: 2 ** 26 }).length;
  row("Worker, gzipped", `${(bytes / 1024).toFixed(0)} KiB`);
}

const parts = {
  size,
  start: () => withVault(({ startMilliseconds }) => row("first answer after the process starts", milliseconds(startMilliseconds))),
  writes: () => withVault(writes),
  reads: () => withVault(reads),
  backup: () => backup(),
  large: () => withVault((vault) => reads(vault, MANY)),
  locomo,
  languages: multilang,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(", ")}; there are ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}
for (const [name, measure] of Object.entries(parts)) {
  // A hundred thousand memories take minutes to store, so that part runs only when it is named.
  if (wanted.length === 0 ? name !== "large" : wanted.includes(name)) await measure();
}
console.log("\n| what | measured | |\n| --- | --- | --- |");
for (const cells of rows) console.log(`| ${cells.join(" | ")} |`);
