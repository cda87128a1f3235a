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
import { URL_, finish, launch, newPage } from "./support.mjs";

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
for (const { name, options, run } of tests.filter((test) => test.name.toLowerCase().includes(wanted))) {
  const page = options.page === false ? null : await newPage(options);
  try {
    await run(page);
    if (page?.complaints.length) throw new Error(page.complaints.join("\n"));
    passed += 1;
    console.log(`ok   ${name}`);
  } catch (error) {
    failures += 1;
    console.log(
      `FAIL ${name}\n     ${String(error.stack ?? error)
        .split("\n")
        .slice(0, 8)
        .join("\n     ")}${page?.complaints.length ? `\n     ${page.complaints.join("\n     ")}` : ""}`,
    );
  } finally {
    await page?.leave();
  }
}
await finish();
console.log(`${passed} passed, ${failures} failed`);
process.exit(failures ? 1 : 0);
