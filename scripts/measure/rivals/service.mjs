// mcp-memory-service: SQLite with vectors (sqlite-vec) and trigrams, a sentence model by ONNX. It would download the model;
// here VAULT_RIVAL_MODEL names a folder with model.onnx and tokenizer.json. With `none` the service does what it does by itself
// without a network: it stores hashes of the text in place of vectors, and says nothing of it in its answers.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, openSync, symlinkSync } from "node:fs";
import path from "node:path";
import { open as openStdio } from "./stdio.mjs";
import { told } from "./texts.mjs";

export const name = "mcp-memory-service";
export const ways = { usual: "mode semantic", best: "mode hybrid" };
export const bulk = "one memory_store call after the other; it has no bulk tool";

const MODEL = process.env.VAULT_RIVAL_MODEL === "none" ? null : process.env.VAULT_RIVAL_MODEL;
const PROGRAMS = process.env.VAULT_MEMORY_SERVICE;
/** How long filling may take before it stops, in seconds, and how much longer its program may take to end. */
const FILL_SECONDS = 240;
const END_SECONDS = 60;

/** Why its figures say little in any row that stores or finds; undefined when it has its model. */
export const hollow = MODEL ? undefined : "ran without its model: it stores and searches hashes of the text in place of vectors";

export function about() {
  const model = MODEL
    ? "mcp-memory-service embeds with all-MiniLM-L6-v2, its default, put where it would have downloaded it to"
    : "mcp-memory-service RAN WITHOUT ITS MODEL: its own offline default stores hashes of the text in place of vectors, so its writes " +
      "embed nothing and its semantic scores say nothing";
  return [
    model,
    "mcp-memory-service is given a conversation_id, which turns off its refusal of near duplicates: with it on, it loses memories",
    "mcp-memory-service is filled for the larger stores by its own store_batch, because one by one would take too long; bulk is through its door",
  ];
}

/** A missing model file is an error before anything is measured. */
export function check() {
  for (const file of MODEL ? ["model.onnx", "tokenizer.json"] : []) {
    if (!existsSync(path.join(MODEL, file))) throw new Error(`VAULT_RIVAL_MODEL: ${MODEL} has no ${file}`);
  }
}

/** Where the service looks for its model: a home folder of its own, so that a model the user has does not slip in. */
function home(folder) {
  const models = path.join(folder, "..", "home", ".cache", "mcp_memory", "onnx_models", "all-MiniLM-L6-v2");
  mkdirSync(models, { recursive: true });
  if (MODEL && !existsSync(path.join(models, "onnx"))) symlinkSync(path.resolve(MODEL), path.join(models, "onnx"));
  return path.join(folder, "..", "home");
}

const environment = (folder) => ({
  HOME: home(folder),
  MCP_MEMORY_STORAGE_BACKEND: "sqlite_vec",
  MCP_MEMORY_SQLITE_PATH: path.join(folder, "memory.db"),
  MCP_MEMORY_BASE_DIR: folder,
  MCP_MEMORY_ONNX_ALLOW_DOWNLOAD: "0",
  HF_HUB_OFFLINE: "1",
  ...(MODEL ? {} : { MCP_MEMORY_ALLOW_HASH_EMBEDDINGS: "1" }), // it would not open again what it filled with hashes
});

/** Starts it on a folder; what lies there from an earlier start is there again. */
export async function open(folder) {
  const log = path.join(folder, "..", `${path.basename(folder)}.log`);
  const env = environment(folder);
  const start = () => openStdio({ command: path.join(PROGRAMS, "memory"), args: ["server"], env, cwd: folder, log });
  let server = await start();
  const keys = new Map();
  const remember = async (memory) => {
    const answer = await server.text("memory_store", { content: told(memory), conversation_id: memory.conversation ?? "bench" });
    const [, hash] = /stored successfully.*hash: (\w{64})/.exec(answer) ?? [];
    if (hash) keys.set(hash, memory.key);
    return hash ? 1 : 0;
  };
  const oneByOne = async (memories, until = Infinity) => {
    let stored = 0;
    for (const memory of memories) {
      if (performance.now() > until) break;
      stored += await remember(memory);
    }
    return stored;
  };
  return {
    began: server.began,
    ping: () => server.ping(),
    residentMiB: () => server.residentMiB(),
    cpuMilliseconds: () => server.cpuMilliseconds(),
    stop: () => server.stop(),
    remember,
    bulk: oneByOne,
    keep: oneByOne,
    async fill(memories) {
      await server.stop();
      const stored = await batch(memories.map(told), env, folder, log);
      server = await start();
      return stored;
    },
    async ask(question, way = "usual") {
      const input = { query: question, limit: 10, ...(way === "usual" ? {} : { mode: "hybrid" }) };
      const answer = await server.text("memory_search", input);
      return [...answer.matchAll(/^ +Hash: (\w+)/gm)].map(([, hash]) => keys.get(hash) ?? hash);
    },
  };
}

/** Stores texts by the service's own library while its server is stopped; resolves to how many it stored. */
function batch(texts, env, cwd, log) {
  const command = path.join(PROGRAMS, "python");
  const options = { cwd, env: { PATH: process.env.PATH, ...env }, stdio: ["pipe", "pipe", openSync(log, "a")] };
  const program = [path.join(import.meta.dirname, "fill_service.py"), String(FILL_SECONDS)];
  const child = spawn(command, program, { ...options, timeout: (FILL_SECONDS + END_SECONDS) * 1_000 });
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify(texts));
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve(Number(output));
      else reject(new Error(`filling mcp-memory-service failed (${signal ?? code}); ${log} may say why`));
    });
  });
}
