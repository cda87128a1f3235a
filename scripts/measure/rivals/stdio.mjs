// MCP over a program's standard input and output, one request at a time.
import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { createInterface } from "node:readline";
import { cpuMilliseconds, residentMiB } from "../processes.mjs";

/** How long one call may take, in milliseconds, before the server counts as hung. */
const CALL_LIMIT = 120_000;
/** How long a server may take to end after its input is closed, in milliseconds. */
const STOP_LIMIT = 5_000;

/** Every process started here and still running: none of them outlives this program. */
const running = new Set();
process.once("exit", () => running.forEach((child) => child.kill("SIGKILL")));

/** Starts a server and shakes hands; resolves to {call(tool, arguments), text(…), ping(), residentMiB(), cpuMilliseconds(), stop(), began}. */
export async function open({ command, args, env, cwd, log }) {
  const began = performance.now();
  const child = spawn(command, args, { cwd, env: { PATH: process.env.PATH, LANG: "C.UTF-8", ...env }, stdio: ["pipe", "pipe", openSync(log, "a")] });
  running.add(child);
  const ended = new Promise((resolve) => {
    child.once("error", resolve);
    child.once("exit", (code, signal) => resolve(new Error(`${command} ended (${signal ?? code}); ${log} may say why`)));
  }).finally(() => running.delete(child));
  const waiting = new Map();
  ended.then((error) => waiting.forEach(({ reject }) => reject(error)));
  child.stdin.on("error", () => {}); // the exit says it better
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = parsed(line);
    waiting.get(message?.id)?.resolve(message);
  });

  let last = 0;
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  async function request(method, params) {
    const id = (last += 1);
    let timer;
    const answer = new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      timer = setTimeout(() => reject(new Error(`${method} was not answered within ${CALL_LIMIT / 1000} s`)), CALL_LIMIT);
    });
    send({ id, method, params });
    try {
      const { error, result } = await answer;
      if (error) throw new Error(`${method}: ${error.message}`);
      return result;
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  }

  await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } });
  send({ method: "notifications/initialized" });
  const call = async (name, input) => {
    const result = await request("tools/call", { name, arguments: input });
    if (result.isError) throw new Error(`${name}: ${textOf(result)}`);
    return result;
  };
  return {
    began,
    call,
    text: async (name, input) => textOf(await call(name, input)),
    ping: () => request("ping", {}),
    residentMiB: () => residentMiB(child.pid),
    cpuMilliseconds: () => cpuMilliseconds(child.pid),
    stop: async () => {
      child.stdin.end();
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT);
      await ended;
      clearTimeout(timer);
    },
  };
}

const textOf = (result) => result.content.map(({ text = "" }) => text).join("\n");

/** A line as a message; servers also print what is none. */
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
