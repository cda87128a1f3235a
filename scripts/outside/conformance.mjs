// Runs the conformance suite once per requirement set and counts what it checked.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { start } from "../running-vault.mjs";

const REQUIREMENTS = ["2026-07-28", "2025-11-25"];
const here = import.meta.dirname;
const suite = path.join(here, "..", "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");

/** Runs the suite; resolves to its exit code. */
function run(args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [suite, ...args], { stdio: ["ignore", "inherit", "inherit"] });
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

/** Checks of all scenarios in an output folder that ended with this status. */
function count(folder, status) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith("checks.json"));
  const checks = files.flatMap((file) => JSON.parse(readFileSync(path.join(folder, file), "utf8")));
  return checks.filter((check) => check.status === status).length;
}

let [passed, failed] = [0, 0];
for (const requirements of REQUIREMENTS) {
  const vault = await start();
  const folder = mkdtempSync(path.join(tmpdir(), "conformance-"));
  try {
    const url = `http://127.0.0.1:${vault.port}/mcp`;
    const baseline = path.join(here, "conformance.yml");
    const code = await run(["server", "--url", url, "--requirements", requirements, "--expected-failures", baseline, "-o", folder]);
    passed += count(folder, "SUCCESS");
    if (process.env.VAULT_LIST_FAILURES) {
      for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith("checks.json"))) {
        for (const check of JSON.parse(readFileSync(path.join(folder, file), "utf8"))) {
          if (check.status === "FAILURE" || check.status === "WARNING") console.log(requirements, file, check.id, check.status, check.errorMessage ?? "");
        }
      }
    }
    failed += code === 0 ? 0 : 1;
  } finally {
    vault.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
