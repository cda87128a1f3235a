// Runs the conformance suite: once per requirement set against the server, through a proxy that adds the token the suite has no
// option for, and once against the authorization server. Counts what it checked.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { discover, register } from "../../tests/clients/token.mjs";
import { fileOf } from "../installed.mjs";
import { start } from "../running-vault.mjs";
import { proxy } from "./bearer-proxy.mjs";

/** How many checks of each run pass at least. Fewer means that scenarios were not run or skipped, whatever the exit code says. */
const EXPECTED = { "2026-07-28": 104, "2025-11-25": 37, authorization: 3 };

const here = import.meta.dirname;
const baseline = path.join(here, "conformance.yml");
const suite = fileOf("@modelcontextprotocol/conformance", "dist/index.js");
const approve = path.join(here, "../../tests/clients/approve.mjs");

/** Runs a Node program to its end, or until `signal`, telling `hear` each line it writes; resolves to its exit code. */
function run(args, { hear = () => {}, signal } = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], signal });
    child.on("error", () => {}); // it was stopped; "close" follows
    createInterface({ input: child.stdout }).on("line", (line) => {
      console.log(line);
      hear(line);
    });
    child.once("close", (code) => resolve(code ?? 1));
  });
}

/** One requirement set against /mcp. */
async function requirements(vault, revision, folder) {
  const bearer = await proxy(`http://127.0.0.1:${vault.port}`, await vault.token());
  const url = `http://127.0.0.1:${bearer.port}/mcp`;
  try {
    return await run([suite, "server", "--url", url, "--requirements", revision, "--expected-failures", baseline, "-o", folder]);
  } finally {
    bearer.stop();
  }
}

/** The authorization server: the suite prints the address of the consent page and waits for the browser to come back. */
async function authorization(vault, folder) {
  const { resource, server } = await discover(`http://127.0.0.1:${vault.port}/mcp`);
  const port = await freePort();
  const id = await register(server, { name: "Conformance suite", redirect: `http://127.0.0.1:${port}/callback` });
  const stop = new AbortController();
  const hear = async (line) => {
    const [address] = line.startsWith(`${server.authorization_endpoint}?`) ? /\S+/.exec(line) : [];
    // Without an approval the suite would wait for minutes.
    if (address && (await run([approve, "--visit", address])) !== 0) stop.abort();
  };
  const args = ["--url", server.issuer, "--client-id", id, "--resource", resource, "-p", String(port), "-o", folder];
  return run([suite, "authorization", ...args], { hear, signal: stop.signal });
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** All checks in an output folder, each with the scenario's folder. */
function checks(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith("checks.json"));
  return files.flatMap((file) => JSON.parse(readFileSync(path.join(folder, file), "utf8")).map((check) => ({ scenario: path.dirname(file), ...check })));
}

let [passed, failed] = [0, 0];
for (const [name, expected] of Object.entries(EXPECTED)) {
  const vault = await start();
  const folder = mkdtempSync(path.join(tmpdir(), "conformance-"));
  try {
    const code = await (name === "authorization" ? authorization(vault, folder) : requirements(vault, name, folder));
    const all = checks(folder);
    const succeeded = all.filter(({ status }) => status === "SUCCESS").length;
    console.log(`${name}: ${succeeded} checks passed, exit code ${code}`);
    if (succeeded < expected) console.log(`${name}: expected at least ${expected}`);
    if (process.env.VAULT_LIST_FAILURES) {
      for (const { scenario, id, status, errorMessage } of all.filter(({ status }) => status === "FAILURE" || status === "WARNING")) {
        console.log(name, scenario, id, status, errorMessage ?? "");
      }
    }
    passed += succeeded;
    failed += code === 0 && succeeded >= expected ? 0 : 1;
  } catch (error) {
    console.log(`${name}: ${error.stack}`);
    failed += 1;
  } finally {
    vault.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
