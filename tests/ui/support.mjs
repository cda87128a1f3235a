// What every browser test uses: one Chromium, a page that fails the test when the console or the content policy complains,
// and the vault's API to prepare and to check.
//
// Needs playwright-core 1.65.1 and axe-core 4.14.1, found from the folder in VAULT_SCRIPTS (the project's `scripts`).
import { createHash, randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const scripts = path.resolve(process.env.VAULT_SCRIPTS ?? path.join(HERE, "../../scripts"));
const require = createRequire(path.join(scripts, "package.json"));
const { chromium } = require("playwright-core");
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const UI = path.resolve(HERE, "../../ui");
export const URL_ = (process.env.VAULT_URL ?? "").replace(/\/$/, "");
const SHOTS = process.env.VAULT_SCREENSHOTS ?? "";
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Every page of the dashboard, by its address. */
export const VIEWS = [
  "",
  "review",
  "memories",
  "ask",
  "map",
  "imports",
  "conversations",
  "guide",
  "apps",
  "history",
  "audit",
  "backup",
  "status",
  "settings",
];

let browser = null;
export async function launch() {
  browser = await chromium.launch({ executablePath: process.env.VAULT_CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
}
export const finish = () => browser?.close();

/** Calls the API; throws on anything but success unless `refused` is the status expected. */
export async function api(method, route, body, refused = 0) {
  const response = await fetch(URL_ + route, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = response.status === 204 ? null : await response.json().catch(() => null);
  if (refused ? response.status !== refused : !response.ok)
    throw new Error(`${method} ${route}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}
export const remember = (content, more = {}) => api("POST", "/api/memories", { content, ...more });
export const propose = (content, more = {}) => remember(content, { propose: true, ...more });
export const memory = (id) => api("GET", `/api/memories/${id}`);

/** Makes the page believe that the vault has these routes; the test answers them. */
export async function withRoutes(page, paths) {
  await page.route("**/api/openapi.json", async (route) => {
    const document = await (await route.fetch()).json();
    for (const [at, method] of paths) document.paths[at] = { ...document.paths[at], [method]: {} };
    await route.fulfill({ json: document });
  });
}

let [test, serial, tries] = ["", 0, 0];
/** Called before each try of a test; `number` is its place among all tests, `again` how often it was tried before. */
export function begin(number, again) {
  [test, serial, tries] = [`${number.toString(36)}x${again}`, 0, again];
}
/** One of these for each try of a test: for a text that must have nothing in common with its unique words. */
export const perTry = (...texts) => texts[tries % texts.length];
/**
 * A word that no other test and no other try of a test uses. The same in every run: what the vault finds alike hangs on the
 * pieces of a word too, so a word by chance would make a test that fails by chance.
 */
export const unique = (name = "word") => `${name}q${test}${(++serial).toString(36)}`;

/** Fails with a sentence unless the value holds. */
export function ok(value, sentence) {
  if (!value) throw new Error(sentence);
}
export function same(actual, expected, sentence) {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${sentence}: ${a} instead of ${b}`);
}
/** Waits until a check stops failing. */
export async function until(check, sentence, milliseconds = 20_000) {
  const end = Date.now() + milliseconds;
  let last = null;
  while (Date.now() < end) {
    try {
      if (await check()) return;
      last = null;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  throw new Error(`${sentence}${last ? ` (${last.message})` : ""}`);
}

/** A page on the dashboard. `complaints` collects what the console and the policy say. */
export async function newPage({
  width = 1280,
  height = 860,
  theme = "light",
  touch = false,
  motion = "reduce",
  zone = "Europe/Stockholm",
  scale = 1,
  refusals = false,
} = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    hasTouch: touch,
    reducedMotion: motion,
    timezoneId: zone,
    deviceScaleFactor: scale,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints = [];
  page.on("console", (message) => {
    const text = message.text();
    // A refusal of the vault's is an answer; the browser notes it all the same.
    if (message.type() === "error" && !(refusals && text.startsWith("Failed to load resource"))) complaints.push(`console: ${text}`);
    if (/Content Security Policy/i.test(text)) complaints.push(`policy: ${text}`);
  });
  page.on("pageerror", (error) => complaints.push(`error: ${error.stack}`));
  page.on("dialog", (dialog) =>
    dialog.type() === "beforeunload"
      ? dialog.accept()
      : (complaints.push(`a script opened a dialog: ${dialog.message()}`), dialog.dismiss()),
  );
  await page.addInitScript(() =>
    addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)),
  );
  page.complaints = complaints;
  page.lastAsked = 0;
  for (const event of ["request", "requestfinished", "requestfailed"]) page.on(event, () => (page.lastAsked = Date.now()));
  /** Closes it; requests that a test answers itself may still be on their way. */
  page.leave = async () => {
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
  };
  const there = async (address, wait) => {
    const name = address.split(/[/?]/)[0];
    await page.locator(name === "nowhere" ? "main" : `main[data-view="${name || "home"}"]`).waitFor({ state: "attached" });
    await page.locator(wait).first().waitFor({ state: "attached" });
    await quiet(page);
  };
  page.view = async (address, wait = "main h1") => {
    await page.goto("about:blank");
    await page.goto(`${URL_}/#/${address}`);
    await there(address, wait);
  };
  /** Goes on without loading the page again, as a link does. */
  page.to = async (address, wait = "main h1") => {
    await page.evaluate((hash) => (location.hash = hash), `#/${address}`);
    await there(address, wait);
  };
  return page;
}
/** Until nothing is being read any more. */
export async function quiet(page) {
  await until(() => Date.now() - page.lastAsked > 150, "the page stops asking");
  await page.waitForFunction(() => !document.querySelector("main [aria-busy=true]"), null, { timeout: 20_000 }).catch(() => {});
}

/** An app that was let in through the consent page, as a function that calls its tools; null where the vault has no OAuth. */
export async function connectAgent(page, name) {
  const known = await fetch(`${URL_}/.well-known/oauth-protected-resource/mcp`);
  if (!known.ok) return null;
  const { resource } = await known.json();
  const redirect_uri = "http://127.0.0.1:9/callback";
  const client = await api("POST", "/register", {
    client_name: name,
    redirect_uris: [redirect_uri],
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
  });
  const verifier = randomBytes(32).toString("base64url");
  const code_challenge = createHash("sha256").update(verifier).digest("base64url");
  await page.route(`${redirect_uri}**`, (route) => route.fulfill({ contentType: "text/html", body: "<title>back in the app</title>" }));
  await page.goto(
    `${URL_}/authorize?${new URLSearchParams({ response_type: "code", client_id: client.client_id, redirect_uri, code_challenge, code_challenge_method: "S256", scope: "memory.read memory.write", state: "s", resource })}`,
  );
  await page.getByRole("button", { name: "Approve" }).click();
  await page.waitForURL(`${redirect_uri}**`);
  const code = new URL(page.url()).searchParams.get("code");
  const answer = await fetch(`${URL_}/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri,
      client_id: client.client_id,
      code_verifier: verifier,
      resource,
    }),
  });
  const { access_token } = await answer.json();
  ok(access_token, `${name} got a token`);
  return async (tool, args) => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name, version: "1" },
    };
    const headers = {
      Authorization: `Bearer ${access_token}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call",
      "Mcp-Name": tool,
    };
    const response = await fetch(`${URL_}/mcp`, {
      method: "POST",
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args, _meta } }),
    });
    const { result, error } = await response.json().catch(() => ({ error: response.status }));
    if (!result || result.isError) throw new Error(`${tool}: ${JSON.stringify(result ?? error)}`);
    return result.structuredContent;
  };
}

/** What axe finds, as sentences. */
export async function axe(page) {
  // Evaluated through the protocol, which the page's policy does not bind.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, {
      resultTypes: ["violations"],
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }),
  );
  return violations.flatMap((one) =>
    one.nodes.map((node) => `${one.id}: ${node.target.join(" ")} ${node.failureSummary?.split("\n")[1]?.trim() ?? ""}`),
  );
}
export const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

export async function shoot(page, name) {
  if (!SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: path.join(SHOTS, `${name}.png`), fullPage: false });
}
