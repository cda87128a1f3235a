// Drives each client against a vault of its own: all notes go in through it, and a word of each language's first note must
// bring that note back through it.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { start } from "../running-vault.mjs";

const here = import.meta.dirname;
const inspector = path.join(here, "..", "node_modules", "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js");

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

/** Runs a program; resolves to what it wrote to stdout. */
function run(command, args, { input = "", env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"], env: { ...process.env, ...env }, timeout: 120_000 });
    const output = [[], []];
    child.stdout.on("data", (chunk) => output[0].push(chunk));
    child.stderr.on("data", (chunk) => output[1].push(chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      const [stdout, stderr] = output.map((chunks) => Buffer.concat(chunks).toString());
      if (code === 0) resolve(stdout);
      else reject(new Error(`exit code ${code}: ${stderr.slice(-2_000)} ${stdout.slice(-2_000)}`));
    });
    child.stdin.end(input);
  });
}

const scripted = (command, program) => async (order) => JSON.parse(await run(command, [path.join(here, program)], { input: JSON.stringify(order) }));

/** Inspector's command line makes one call a process; --strict also checks the tools' schemas. */
async function inspected({ url, imports, questions }) {
  const home = mkdtempSync(path.join(tmpdir(), "inspector-"));
  const inspect = async (...args) => {
    const common = ["--cli", "--server-url", url, "--transport", "http", "--format", "json", "--protocol-era", "modern"];
    return JSON.parse(await run(process.execPath, [inspector, ...common, ...args], { env: { HOME: home, MCP_INSPECTOR_SECRET_STORE: "file" } }));
  };
  const call = async (name, args) => (await inspect("--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args))).result;
  try {
    const { result } = await inspect("--method", "tools/list", "--strict");
    let stored = 0;
    for (const [source, items] of Object.entries(imports)) stored += (await call("bulk_remember", { items, source })).structuredContent.stored;
    const answers = [];
    for (const query of questions) answers.push((await call("recall", { query })).structuredContent.results.map(({ content }) => content));
    return { tools: result.tools.map(({ name }) => name), stored, answers };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const clients = {
  "TypeScript client": scripted(process.execPath, "typescript.mjs"),
  "Python client": scripted(process.env.VAULT_PYTHON, "python_client.py"),
  "Inspector": inspected,
};

let [passed, failed] = [0, 0];
function check(what, holds, found) {
  console.log(`${holds ? "ok    " : "FAILED"} ${what}${holds ? "" : `: ${JSON.stringify(found)}`}`);
  if (holds) passed += 1;
  else failed += 1;
}

const imports = notes(process.argv.slice(2));
const languages = Object.keys(imports);
const total = Object.values(imports).flat().length;
for (const [name, drive] of Object.entries(clients)) {
  const vault = await start();
  try {
    const questions = languages.map((language) => wordOf(imports[language][0]));
    const { tools, stored, answers } = await drive({ url: `http://127.0.0.1:${vault.port}/mcp`, imports, questions });
    check(`${name} lists the tools`, tools.includes("recall") && tools.length >= 9, tools);
    check(`${name} brings in ${total} notes`, stored === total, stored);
    languages.forEach((language, place) => {
      const found = answers[place].includes(imports[language][0]);
      check(`${name} finds a ${language} note by "${questions[place]}"`, found, answers[place]);
    });
  } catch (error) {
    check(`${name} runs`, false, error.message);
  } finally {
    vault.stop();
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
