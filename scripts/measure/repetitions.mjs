// Brings the observation lists of LoCoMo (short facts) into a vault through /api/bulk and lists what was left out, each with
// the text it was taken to repeat: node scripts/measure/repetitions.mjs OUT, with the file in VAULT_LOCOMO and a build in
// VAULT_BUILD. One conversation is one vault's worth; all of them go into one, which makes repetitions likelier.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { must } from "./client.mjs";
import { start } from "../running-vault.mjs";

const LOCOMO = process.env.VAULT_LOCOMO ?? path.join(process.env.VAULT_SCRIPTS, "../../shared/data/locomo-tune.json");
const [out] = process.argv.slice(2);
if (!out) throw new Error("say where to write what was left out: repetitions.mjs OUT");
if (!existsSync(LOCOMO)) {
  console.error(`skipped: there is no ${LOCOMO}; set VAULT_LOCOMO to the file`);
  process.exit(0);
}

/** [[fact, …] per conversation] */
function facts() {
  return JSON.parse(readFileSync(LOCOMO, "utf8")).map(({ observation }) =>
    Object.values(observation).flatMap((bySpeaker) => Object.values(bySpeaker).flatMap((list) => list.map((entry) => [entry].flat()[0]))),
  );
}

const BATCH = 500;
const vault = await start();
try {
  const counts = {};
  const skipped = [];
  let took = 0;
  for (const list of facts()) {
    for (let first = 0; first < list.length; first += BATCH) {
      const items = list.slice(first, first + BATCH);
      const began = performance.now();
      const report = await must(vault.port, "POST", "/api/bulk", { items });
      took += performance.now() - began;
      for (const name of ["total", "stored", "similar", "duplicate", "near_duplicate", "excluded", "refused", "blank"]) {
        counts[name] = (counts[name] ?? 0) + report[name];
      }
      for (const item of report.items.filter(({ outcome }) => outcome !== "stored")) {
        const kept = item.id && (await must(vault.port, "GET", `/api/memories/${item.id}`));
        skipped.push([item.outcome, item.similarity ?? "", items[item.index], kept?.content ?? item.reason].join("\t"));
      }
    }
  }
  writeFileSync(out, skipped.map((line) => `${line}\n`).join(""));
  console.log(JSON.stringify({ ...counts, milliseconds: Math.round(took), left_out: skipped.length }));
} finally {
  vault.stop();
}
