// Runs the Worker in workerd, the runtime Cloudflare itself uses. Node's own modules only; Node 18 or newer.
//
//   node workerd.mjs bin                   prints the path of the workerd binary (it needs no Node)
//   node workerd.mjs free --port N         exit code 1 and a message if a loopback port is taken
//   node workerd.mjs run --build DIR --data DIR --port N [--lock-fd N]
//                                          what ./scripts/dev does: serves on both loopback addresses until a signal comes
//   node workerd.mjs config --build DIR --out FILE [--data DIR] [--socket NAME=ADDRESS]... [--var KEY=VALUE]...
//                           [--stand-in BINDING=FILE[#Class]]... [--outbound FILE] [--stand-in-socket NAME=FILE[#Class]]...
//                                          writes a workerd configuration and runs nothing
//
// How the end-to-end tests use it: write a configuration once per set of variables, then start workerd directly,
//   $VAULT_WORKERD serve FILE --control-fd=1 --directory-path data=DIR --socket-addr http=127.0.0.1:0
// which takes about 0.1 s. Its first line on stdout is {"event":"listen","socket":"http","port":N}; lines after it are the
// Worker's console.log, stderr is its console.warn and console.error, so both must be drained. The data folder must exist
// (--data here is only the default of --directory-path there).
// kill -9 and a new start on the same folder (or with http=127.0.0.1:N on the same port) work; SIGTERM waits for open requests.
//
// A stand-in is a JavaScript module: `--stand-in AI=ai.mjs#StandInAi` binds its class (a WorkerEntrypoint) as env.AI, and
// `--outbound net.mjs` sends every fetch() of the Worker to its default export. One file is one service, however often it is named.
// `--stand-in-socket internet=net.mjs#Control` opens a loopback port of its own to a class, so that a test can talk to it.

import { spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const SCRIPTS = path.dirname(fileURLToPath(import.meta.url));

/** Text bindings of a vault that runs on this machine: each may be set in the environment; null = absent unless it is. */
const VARIABLES = {
  VAULT_NAME: "personal",
  DEV_OWNER_EMAIL: "owner@localhost",
  PUBLIC_URL: null,
  VAULT_JURISDICTION: null,
  ACCESS_TEAM_DOMAIN: null,
  ACCESS_AUD: null,
  ACCESS_ALLOWED_EMAILS: null,
  ACCESS_SERVICE_TOKENS: null,
  EMBEDDING_MODEL: null,
};

/** The names of the Durable Object: class in the Worker, binding in `env`, and the key its data lies under on disk. */
const OBJECT = { className: "MemoryVault", binding: "VAULT", uniqueKey: "memory-vault" };

/** How long a start may take until /health answers 200, and how long open requests may delay the end, in milliseconds. */
const START_LIMIT = 30_000;
const STOP_LIMIT = 2_000;

/** Lines of workerd that say nothing about the vault: its own notices and JavaScript stack frames. VAULT_VERBOSE=1 shows them. */
const NOISE = /^(kj|workerd|capnp)\/\S+: (info|warning|debug): |^\s+at .*[:)]|threw an error: rolled back$|^(Stack:|Error|Reinitializing Wasm application|)$/;

class Failure extends Error {}

function workerdBinary() {
  const platform = `${process.platform}-${process.arch === "x64" ? "64" : process.arch}`;
  try {
    return createRequire(import.meta.url).resolve(`@cloudflare/workerd-${platform}/bin/workerd`);
  } catch {
    throw new Failure(`workerd for ${platform} is not installed: run ./scripts/build once`);
  }
}

/** The compatibility settings of wrangler.jsonc, so that a local vault runs by the same rules as a deployed one. */
function compatibility() {
  const text = fs.readFileSync(path.join(SCRIPTS, "..", "wrangler.jsonc"), "utf8");
  const plain = text.replace(/("(?:\\.|[^"\\])*")|\/\/.*|\/\*[^]*?\*\//g, (_, string) => string ?? "");
  const settings = JSON.parse(plain);
  return { date: settings.compatibility_date, flags: settings.compatibility_flags ?? [] };
}

/** A Cap'n Proto text literal. Control characters as \xNN, everything else as it is. */
function quote(text) {
  return `"${text.replace(/["\\]/g, "\\$&").replace(/[\x00-\x1f\x7f]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`)}"`;
}

/** The configuration as text. Files are embedded by a path relative to the configuration, which is all workerd takes. */
function configuration({ build, out, data, sockets, vars, standIns = [], outbound, standInSockets = [] }) {
  const embed = (file) => `embed ${quote(path.relative(path.dirname(path.resolve(out)), path.resolve(file)))}`;
  const { date, flags } = compatibility();
  const rules = `compatibilityDate = ${quote(date)}, compatibilityFlags = [${flags.map(quote).join(", ")}]`;

  const services = new Map(); // a stand-in's file -> the name of its service
  const service = (file) => {
    if (!fs.existsSync(file)) throw new Failure(`no such stand-in: ${file}`);
    const key = path.resolve(file);
    if (!services.has(key)) services.set(key, `stand-in-${services.size + 1}`);
    return services.get(key);
  };
  const designator = (file, entrypoint) =>
    `(name = ${quote(service(file))}${entrypoint ? `, entrypoint = ${quote(entrypoint)}` : ""})`;
  const bindings = [
    `(name = ${quote(OBJECT.binding)}, durableObjectNamespace = ${quote(OBJECT.className)})`,
    ...vars.map(([name, value]) => `(name = ${quote(name)}, text = ${quote(value)})`),
    ...standIns.map(([name, file, entrypoint]) => `(name = ${quote(name)}, service = ${designator(file, entrypoint)})`),
  ];
  const outboundLine = outbound ? `\n  globalOutbound = ${quote(service(outbound))},` : "";
  const doors = [
    ...sockets.map(([name, address]) => [name, address, quote("vault")]),
    ...standInSockets.map(([name, file, entrypoint]) => [name, "127.0.0.1:0", designator(file, entrypoint)]),
  ];
  const standInServices = [...services].map(
    ([file, name]) => `\n    (name = ${quote(name)}, worker = (modules = [(name = "main", esModule = ${embed(file)})], ${rules})),`,
  );
  return `# Written by scripts/workerd.mjs.
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "vault", worker = .vault),
    (name = "data", disk = (path = ${quote(path.resolve(data))}, writable = true)),${standInServices.join("")}
  ],
  sockets = [
${doors.map(([name, address, to]) => `    (name = ${quote(name)}, address = ${quote(address)}, http = (), service = ${to}),`).join("\n")}
  ],
);
const vault :Workerd.Worker = (
  modules = [
    (name = "entry.js", esModule = ${embed(path.join(build, "entry.js"))}),
    (name = "index.js", esModule = ${embed(path.join(build, "index.js"))}),
    (name = "index_bg.wasm", wasm = ${embed(path.join(build, "index_bg.wasm"))}),
  ],
  ${rules},${outboundLine}
  durableObjectNamespaces = [(className = ${quote(OBJECT.className)}, uniqueKey = ${quote(OBJECT.uniqueKey)}, enableSql = true)],
  durableObjectStorage = (localDisk = "data"),
  bindings = [
    ${bindings.join(",\n    ")},
  ],
);
`;
}

function writeConfiguration(options) {
  try {
    fs.writeFileSync(options.out, configuration(options), { mode: 0o600 });
  } catch (error) {
    throw error.code ? new Failure(`cannot write ${options.out}: ${error.message}`) : error;
  }
}

/** Resolves to true if nothing listens on the port of this address; null where the machine lacks the address (no IPv6). */
function isFree(host, port) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", (error) => resolve(error.code === "EADDRINUSE" ? false : error.code === "EACCES" ? false : null));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** The loopback addresses this machine has, each of them free; fails with the way out otherwise. */
async function loopbackSockets(port) {
  const sockets = [];
  for (const [name, host, address] of [["http", "127.0.0.1", `127.0.0.1:${port}`], ["http6", "::1", `[::1]:${port}`]]) {
    const free = await isFree(host, port);
    if (free === false) throw new Failure(`port ${port} is taken or not allowed: choose another one with --port N`);
    if (free) sockets.push([name, address]);
  }
  return sockets;
}

/** Passes the lines of a stream on to our stderr, less the noise. */
function relay(stream) {
  let rest = "";
  const write = (line) => (process.env.VAULT_VERBOSE || !NOISE.test(line)) && process.stderr.write(`${line}\n`);
  stream.setEncoding("utf8");
  stream.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    lines.forEach(write);
  });
  stream.on("end", () => rest && write(rest));
}

async function healthy(url, stopped) {
  let last = "no answer";
  for (const end = Date.now() + START_LIMIT; Date.now() < end && !stopped(); ) {
    try {
      const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) });
      const body = await answer.text();
      if (answer.status === 200) return null;
      last = `${answer.status} ${body.slice(0, 500)}`;
    } catch (error) {
      last = error.cause?.message ?? error.message;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return last;
}

async function run({ build, data, port, lockFd }) {
  const sockets = await loopbackSockets(port);
  const vars = Object.entries(VARIABLES)
    .map(([name, value]) => [name, process.env[name] ?? value])
    .filter(([, value]) => value);
  const out = path.join(data, "workerd.capnp");
  process.umask(0o077); // what the vault keeps is for its owner alone, also in a folder that others may enter
  writeConfiguration({ build, out, data, sockets, vars });

  // The lock on the data folder goes on to workerd: whoever holds the data open holds the lock, also if this process is killed.
  const stdio = ["ignore", "pipe", "pipe", ...(lockFd ? [lockFd] : [])];
  const child = spawn(workerdBinary(), ["serve", out], { stdio, cwd: data, env: { ...process.env, PWD: data } });
  const ended = new Promise((resolve) => {
    child.once("error", (error) => resolve(`could not be started: ${error.message}`));
    child.once("close", (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with exit code ${code}`));
  });
  relay(child.stdout);
  relay(child.stderr);

  let stopping = false;
  const stop = () => {
    stopping = true;
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT).unref();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
  process.once("exit", () => child.kill("SIGKILL"));

  const url = `http://localhost:${port}`;
  let end = null;
  ended.then((how) => (end = how));
  const sick = await healthy(url, () => stopping || end);
  if (!sick) {
    const owner = vars.find(([name]) => name === "DEV_OWNER_EMAIL");
    console.log(`data       ${data}${owner ? `, signed in as ${owner[1]}` : ""}`);
    console.log(`dashboard  ${url}/\nMCP        ${url}/mcp\nready ${url}`);
  } else if (!stopping && !end) {
    stop();
    await ended;
    throw new Failure(`the vault did not become healthy within ${START_LIMIT / 1000} s; /health last said: ${sick}`);
  }
  const how = await ended;
  if (!stopping) throw new Failure(`workerd ${how}${process.env.VAULT_VERBOSE ? "" : " (VAULT_VERBOSE=1 shows all it says)"}`);
}

/** "KEY=VALUE" cut at the first "=". */
function pair(text) {
  const at = text.indexOf("=");
  if (at < 1) throw new Failure(`expected NAME=VALUE, got: ${text}`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** "NAME=FILE#Class" in its parts. */
function standIn(text) {
  const [name, target] = pair(text);
  return [name, ...target.split("#")];
}

const string = { type: "string" };
const list = { type: "string", multiple: true, default: [] };
const OPTIONS = {
  build: string, out: string, data: string, port: string, outbound: string, "lock-fd": string,
  socket: list, var: list, "stand-in": list, "stand-in-socket": list,
};

const COMMANDS = {
  bin: () => console.log(workerdBinary()),
  free: async (need) => void (await loopbackSockets(Number(need("port")))),
  run: (need, given) =>
    run({ build: need("build"), data: path.resolve(need("data")), port: Number(need("port")), lockFd: Number(given["lock-fd"]) }),
  config: (need, given) =>
    writeConfiguration({
      build: need("build"),
      out: need("out"),
      data: given.data ?? path.join(path.dirname(given.out), "data"),
      sockets: given.socket.length ? given.socket.map(pair) : [["http", "127.0.0.1:0"]],
      vars: given.var.map(pair),
      standIns: given["stand-in"].map(standIn),
      standInSockets: given["stand-in-socket"].map(standIn),
      outbound: given.outbound,
    }),
};

async function main() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: OPTIONS });
  const command = COMMANDS[positionals[0]];
  if (!command) throw new Failure(`usage: workerd.mjs ${Object.keys(COMMANDS).join(" | ")} (described at the top of the file)`);
  await command((name) => {
    if (values[name] === undefined) throw new Failure(`--${name} is missing`);
    return values[name];
  }, values);
}

main().catch((error) => {
  const known = error instanceof Failure || error.code?.startsWith("ERR_PARSE_ARGS");
  console.error(known ? `error: ${error.message}` : error);
  process.exitCode = 1;
});
