// The dashboard in a real browser, against a real vault:
//
//   VAULT_URL=http://127.0.0.1:8430 node tests/ui/run.mjs [words of a test's name]
//
// VAULT_URL serves both the dashboard and the API. VAULT_CHROMIUM names the browser (/usr/bin/chromium), VAULT_SCRIPTS the
// folder with playwright-core and axe-core, VAULT_SCREENSHOTS a folder for pictures of every view. The tests write into the
// vault; give them one of its own. The last line is `N passed, N failed`.
import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { URL_, begin, finish, launch, newPage } from "./support.mjs";

if (!URL_) {
  console.error("VAULT_URL is not set; name a running vault that serves the dashboard");
  process.exit(2);
}
const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), "cases");
const wanted = process.argv.slice(2).join(" ").toLowerCase();
const tests = [];
for (const file of readdirSync(folder)
  .filter((name) => name.endsWith(".mjs"))
  .sort()) {
  const { default: register } = await import(path.join(folder, file));
  register((name, options, run) =>
    tests.push(typeof options === "function" ? { name, options: {}, run: options } : { name, options, run }),
  );
}

await launch();
let [passed, failures] = [0, 0];
/** Runs a test on a page of its own; resolves to what went wrong, or null. */
async function attempt(test, again) {
  const { options, run } = test;
  begin(tests.indexOf(test), again);
  const page = options.page === false ? null : await newPage(options);
  try {
    await run(page);
    return page?.complaints.length ? page.complaints.join("\n     ") : null;
  } catch (error) {
    const said = String(error.stack ?? error).split("\n").slice(0, 8);
    return [...said, ...(page?.complaints ?? [])].join("\n     ");
  } finally {
    await page?.leave();
  }
}

// A browser under load loses a click or an answer now and then. What fails twice is broken; what fails once is said aloud.
for (const test of tests.filter((test) => test.name.toLowerCase().includes(wanted))) {
  let wrong = await attempt(test, 0);
  if (wrong) {
    console.log(`AGAIN ${test.name}\n     ${wrong}`);
    wrong = await attempt(test, 1);
  }
  if (wrong) failures += 1;
  else passed += 1;
  console.log(wrong ? `FAIL ${test.name}\n     ${wrong}` : `ok   ${test.name}`);
}
await finish();
console.log(`${passed} passed, ${failures} failed`);
process.exit(failures ? 1 : 0);
