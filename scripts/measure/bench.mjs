// The measuring program behind scripts/bench. Every row runs against a vault of its own over loopback, on the build that is
// deployed. Speeds depend on the machine, so each stands beside what the same run needs for GET /health, the cheapest
// request that reaches the vault.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { download, upload } from "./backup.mjs";
import { durations, must, quantile, rate } from "./client.mjs";
import { Score, load } from "./locomo.mjs";
import { start } from "../running-vault.mjs";
import { question, sentence } from "./words.mjs";

const MEMORIES = 10_000;
const BATCH = 500;
const BACKED_UP = 20_000;
const QUESTIONS = 500;
const WRITES = 2_000;
const LOCOMO = process.env.VAULT_LOCOMO ?? path.join(process.env.VAULT_SCRIPTS, "../../shared/data/locomo-tune.json");

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

async function reads({ port, residentMiB }) {
  const before = residentMiB();
  const began = performance.now();
  await fill(port, MEMORIES);
  row("bulk import into an empty vault", `${((MEMORIES * 1000) / (performance.now() - began)).toFixed(0)}/s`, `${MEMORIES} items, ${BATCH} a call`);
  const ask = (number) => must(port, "GET", `/api/recall?q=${encodeURIComponent(question(number))}`);
  await durations(20, ask);
  const asked = await durations(QUESTIONS, ask);
  const health = await durations(QUESTIONS, () => must(port, "GET", "/health"));
  const note = `GET /health: ${milliseconds(quantile(health, 0.5))}, ${milliseconds(quantile(health, 0.95))}`;
  row(`recall over ${MEMORIES} memories, p50 / p95`, `${milliseconds(quantile(asked, 0.5))} / ${milliseconds(quantile(asked, 0.95))}`, note);
  row("memory over an empty vault", `${(residentMiB() - before).toFixed(0)} MiB`, `${MEMORIES} memories, ${QUESTIONS} questions`);
}

/** One conversation in a vault of its own: every turn a memory, every question asked. */
async function conversation({ memories, questions }, score) {
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
    }
  });
}

async function locomo() {
  if (!existsSync(LOCOMO)) {
    row("LoCoMo", "skipped", "set VAULT_LOCOMO to a LoCoMo JSON file");
    return;
  }
  const conversations = load(LOCOMO);
  const score = new Score();
  for (const each of conversations) await conversation(each, score);
  const { questions, r10, mrr, sessionR5 } = score.result;
  const names = conversations.map(({ name }) => name).join(", ");
  row("LoCoMo turns, recall@10 / MRR", `${r10} / ${mrr}`, `model inside; ${questions} questions of ${names}`);
  row("LoCoMo sessions, recall@5", sessionR5, "a session ranks as its best turn");
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
  locomo,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(", ")}; there are ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length === 0 || wanted.includes(name)) await measure();
}
console.log("\n| what | measured | |\n| --- | --- | --- |");
for (const cells of rows) console.log(`| ${cells.join(" | ")} |`);
