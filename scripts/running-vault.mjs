// A running vault for programs that measure or drive it: one workerd on an empty folder of its own, spoken to on 127.0.0.1.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { cpuMilliseconds, residentMiB } from "./measure/processes.mjs";
import { token } from "../tests/clients/token.mjs";

const { VAULT_BUILD, VAULT_SCRIPTS, VAULT_WORKERD } = process.env;

/**
 * Starts a vault; resolves to {port, token(), residentMiB(), cpuMilliseconds(), stop(), began, startMilliseconds}.
 * `await token()` is a bearer token for /mcp; it holds on one port. With a `folder` the data lies there and stays after stop(), so
 * that a start on the same folder and `port` goes on.
 */
export async function start({ folder: kept, port: wanted = 0 } = {}) {
  const folder = kept ?? mkdtempSync(path.join(tmpdir(), "vault-"));
  const data = path.join(folder, "data");
  const config = path.join(folder, "workerd.capnp");
  mkdirSync(data, { recursive: true });
  const runner = path.join(VAULT_SCRIPTS, "workerd.mjs");
  const owner = ["--var", "DEV_OWNER_EMAIL=owner@localhost"];
  execFileSync(process.execPath, [runner, "config", "--build", VAULT_BUILD, "--out", config, "--data", data, ...owner]);
  const began = performance.now();
  const sockets = ["--directory-path", `data=${data}`, "--socket-addr", `http=127.0.0.1:${wanted}`];
  const child = spawn(VAULT_WORKERD, ["serve", config, "--control-fd=1", ...sockets], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise((resolve, reject) => {
    const lines = createInterface({ input: child.stdout });
    lines.on("line", (line) => line.startsWith('{"event":"listen"') && resolve(JSON.parse(line).port));
    child.once("exit", (code) => reject(new Error(`workerd ended with ${code}`)));
  });
  await fetch(`http://127.0.0.1:${port}/health`);
  const startMilliseconds = performance.now() - began;
  return {
    port,
    began,
    startMilliseconds,
    token: () => token(`http://127.0.0.1:${port}/mcp`),
    residentMiB: () => residentMiB(child.pid),
    cpuMilliseconds: () => cpuMilliseconds(child.pid),
    stop: () => {
      child.removeAllListeners("exit");
      child.kill("SIGKILL");
      if (!kept) rmSync(folder, { recursive: true, force: true });
    },
  };
}
