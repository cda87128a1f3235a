// Drives every client against a vault of its own: it signs in, all notes go in through it, a word of each language's first note
// brings that note back, it renews its access token by itself, and once the owner has revoked it, it has to sign in again.
//
//   node run.mjs [--only NAME] [FILE.jsonl…]     what ./scripts/clients runs, with the environment it sets
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { start } from "../../scripts/running-vault.mjs";

/** How long a client may take for one answer, the first one with all of its sign-in, in milliseconds. */
const ANSWER_LIMIT = 120_000;

/** How long a client may take to end when its input ends, in milliseconds. */
const END_LIMIT = 5_000;

const here = import.meta.dirname;

/** Name -> the program; all understand the lines that commands.mjs describes. */
const clients = {
  "TypeScript client 2": [process.execPath, "typescript_v2.mjs"],
  "TypeScript SDK 1": [process.execPath, "typescript_v1.mjs"],
  "Python client": [process.env.VAULT_PYTHON, "python_client.py"],
  "FastMCP": [process.env.VAULT_PYTHON, "fastmcp_client.py"],
  "Inspector": [process.execPath, "inspector.mjs"],
  "mcp-remote": [process.execPath, "mcp_remote.mjs"],
};

/** {language: [text]}: from files of one {"text"} a line, or our own. */
function notes(files) {
  if (files.length === 0) return JSON.parse(readFileSync(path.join(here, "notes.json"), "utf8"));
  const read = (file) => readFileSync(file, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line).text);
  return Object.fromEntries(files.map((file) => [path.basename(file, ".jsonl"), read(file)]));
}

/** The longest word of a text, as its language divides words. */
function wordOf(text) {
  const words = [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)].filter(({ isWordLike }) => isWordLike);
  return words.map(({ segment }) => segment).reduce((longest, word) => (word.length > longest.length ? word : longest), "");
}

/** Starts a client: {ask(line) -> its answer, close()}. */
function open([command, program], url, env) {
  const child = spawn(command, [path.join(here, program), url], { env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", ...env } });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let said = "";
  child.stderr.on("data", (chunk) => (said = (said + chunk).slice(-4_000)));
  child.stdin.on("error", () => {}); // it has ended; the missing answer tells
  const ended = new Promise((resolve) => child.once("close", resolve).once("error", (error) => resolve(error.message)));

  return {
    async ask(line) {
      child.stdin.write(`${line}\n`);
      const late = new Promise((resolve) => setTimeout(resolve, ANSWER_LIMIT, { late: true }).unref());
      const { value, late: isLate } = await Promise.race([lines.next(), late]);
      if (value) return JSON.parse(value);
      throw new Error(`${isLate ? `no answer within ${ANSWER_LIMIT / 1000} s` : `it ended (${await ended})`} at: ${line.slice(0, 200)}\n${said}`);
    },
    async close() {
      child.stdin.end();
      const forced = setTimeout(() => child.kill("SIGKILL"), END_LIMIT);
      await ended;
      clearTimeout(forced);
    },
  };
}

let [passed, failed] = [0, 0];
function check(what, holds, found) {
  console.log(`${holds ? "ok    " : "FAILED"} ${what}${holds ? "" : `: ${JSON.stringify(found)}`}`);
  if (holds) passed += 1;
  else failed += 1;
}

/** What the owner sees and does: nobody else is signed in on this machine, so these calls carry no credentials. */
const owner = (port) => ({
  grants: async () => (await (await fetch(`http://127.0.0.1:${port}/api/oauth/grants`)).json()).grants,
  revoke: async (id) => (await fetch(`http://127.0.0.1:${port}/api/oauth/grants/${encodeURIComponent(id)}`, { method: "DELETE" })).status,
});

const same = (some, others) => JSON.stringify(some.map(({ id }) => id)) === JSON.stringify(others.map(({ id }) => id));

async function drive(name, client, port, denies) {
  const { tools } = await client.ask("tools");
  check(`${name} lists the tools`, tools?.includes("recall") && tools.length >= 9, tools);

  let stored = 0;
  for (const [source, items] of Object.entries(imports)) {
    const reply = await client.ask(`bulk_remember ${JSON.stringify({ items, source })}`);
    stored += reply.answer?.stored ?? 0;
    if (!reply.answer) console.log(JSON.stringify(reply));
  }
  const total = Object.values(imports).flat().length;
  check(`${name} brings in ${total} notes`, stored === total, stored);

  for (const [language, [first]] of Object.entries(imports)) {
    const query = wordOf(first);
    const reply = await client.ask(`recall ${JSON.stringify({ query })}`);
    const found = reply.answer?.results.some(({ content }) => content === first);
    check(`${name} finds a ${language} note by "${query}"`, found, reply);
  }

  const { grants, revoke } = owner(port);
  const allowed = await grants();
  check(`${name} is what the owner sees as allowed, once`, allowed.length === 1 && Boolean(allowed[0].client.name), allowed);

  await client.ask("lapse");
  const renewed = await client.ask('recall {"query": "anything"}');
  check(`${name} renews its access token by itself`, Boolean(renewed.answer) && same(await grants(), allowed), renewed);

  writeFileSync(denies, ""); // from here on the owner says no
  const statuses = await Promise.all(allowed.map(({ id }) => revoke(id)));
  check(`${name} is revoked`, statuses.every((status) => status === 204), statuses);
  const refused = await client.ask('recall {"query": "anything"}');
  check(`${name} has to sign in again`, "signIn" in refused, refused);
  const left = await grants();
  check(`${name} is not among what the owner allows any more`, left.length === 0, left);
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: "string" } } });
const imports = notes(positionals);
for (const [name, program] of Object.entries(clients).filter(([name]) => !values.only || name === values.only)) {
  const began = performance.now();
  const folder = mkdtempSync(path.join(tmpdir(), "client-"));
  const denies = path.join(folder, "denies");
  const vault = await start();
  const client = open(program, `http://127.0.0.1:${vault.port}/mcp`, { VAULT_BROWSER_DENIES: denies });
  try {
    await drive(name, client, vault.port, denies);
  } catch (error) {
    check(`${name} runs`, false, error.message);
  } finally {
    await client.close();
    vault.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`       ${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
