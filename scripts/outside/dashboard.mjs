// Starts a vault and runs the browser tests against it.
import { spawn } from "node:child_process";
import path from "node:path";
import { start } from "../running-vault.mjs";

const tests = path.join(import.meta.dirname, "..", "..", "tests", "ui", "run.mjs");

const vault = await start();
// The README's pictures are of a vault in which no test has written.
const fresh = await start();
const env = { ...process.env, VAULT_URL: `http://127.0.0.1:${vault.port}`, VAULT_FRESH_URL: `http://127.0.0.1:${fresh.port}` };
const run = spawn(process.execPath, [tests, ...process.argv.slice(2)], { stdio: "inherit", env });
run.once("exit", (code) => {
  vault.stop();
  fresh.stop();
  process.exit(code ?? 1);
});
