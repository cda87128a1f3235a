// The dashboard, measured in Chromium against a local vault with 20,000 memories, on the build that is deployed: how soon the
// first page stands on a slow line, how long each view takes to open, how smoothly a long list scrolls, what is transferred.
import { createRequire } from "node:module";
import path from "node:path";
import { must, quantile } from "./client.mjs";
import { start } from "../running-vault.mjs";
import { sentence } from "./words.mjs";

const MEMORIES = 20_000;
const BATCH = 500;
const PROPOSALS = 600;
/** A phone on a middling line: 1.6 Mbit/s, 150 ms there and back, a processor four times slower. */
const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: (1.6e6 / 8) * 0.9, uploadThroughput: (0.75e6 / 8) * 0.9 };
const SLOW_PROCESSOR = 4;
/** Rows of memories that are there when scrolling is measured. */
const ROWS = 2_000;
const ROUNDS = 5;
const VIEWS = ["", "review", "memories", "ask", "map", "imports", "conversations", "guide", "apps", "history", "audit", "backup", "status", "settings"];

const require = createRequire(path.join(process.env.VAULT_SCRIPTS, "package.json"));
const { chromium } = require("playwright-core");
const rows = [];
const row = (what, value, note = "") => {
  rows.push([what, value, note]);
  console.error(`${what}: ${value} ${note}`);
};

const vault = await start();
const browser = await chromium.launch({ executablePath: process.env.VAULT_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
try {
  const at = `http://127.0.0.1:${vault.port}`;
  const types = ["fact", "preference", "person", "project", "event", "note"];
  // What is brought in holds at once: the sentences are alike enough that most would wait for a word.
  await must(vault.port, "PUT", "/api/settings", { mode: "auto" });
  for (let first = 0; first < MEMORIES; first += BATCH) {
    const items = Array.from({ length: BATCH }, (_, place) => ({ content: sentence(first + place), type: types[(first + place) % 6] }));
    await must(vault.port, "POST", "/api/bulk", { items });
  }
  await must(vault.port, "PUT", "/api/settings", { mode: "review" });
  for (let place = 0; place < PROPOSALS; place += 1)
    await must(vault.port, "POST", "/api/memories", { content: `${sentence(MEMORIES + place)} Proposal ${place}.`, propose: true });
  await must(vault.port, "GET", "/api/recall?q=something");
  const began = performance.now();
  let map = await must(vault.port, "GET", "/api/map");
  while (map.redrawing || map.pending) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    map = await must(vault.port, "GET", "/api/map");
  }
  row("map drawn for the first time", `${((performance.now() - began) / 1000).toFixed(1)} s`, `${map.points.id.length} points`);

  const fresh = async (slow) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, reducedMotion: "reduce" });
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    await client.send("Network.enable");
    if (slow) {
      await client.send("Network.emulateNetworkConditions", SLOW_LINE);
      await client.send("Emulation.setCPUThrottlingRate", { rate: SLOW_PROCESSOR });
    }
    const seen = { ours: 0, answers: 0, requests: 0 };
    const urls = new Map();
    client.on("Network.requestWillBeSent", ({ requestId, request }) => urls.set(requestId, request.url));
    client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      seen[urls.get(requestId)?.includes("/api/") ? "answers" : "ours"] += encodedDataLength;
      seen.requests += 1;
    });
    return { page, context, seen };
  };
  const paints = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { page, context } = await fresh(true);
    await page.goto(`${at}/`);
    await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
    paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
    await context.close();
  }
  row("first paint, slow line and processor", `${quantile(paints, 0.5).toFixed(0)} ms`, "1.6 Mbit/s, 150 ms, a quarter of the speed");

  const { page, context, seen } = await fresh(false);
  await page.goto(`${at}/`);
  await page.locator("main h1").waitFor();
  await page.waitForTimeout(1500);
  const kib = (bytes) => `${(bytes / 1024).toFixed(0)} KiB`;
  row("first page transfers", kib(seen.ours), `and ${kib(seen.answers)} of answers; ${seen.requests} requests`);
  /** From the change of the address until the view stands and reads nothing more. */
  const opened = (name) =>
    page.evaluate(
      (wanted) =>
        new Promise((resolve) => {
          const started = performance.now();
          location.hash = `#/${wanted}`;
          const look = () => {
            const main = document.querySelector(`main[data-view="${wanted || "home"}"]`);
            if (main && main.querySelector("h1") && !main.querySelector("[aria-busy=true]")) resolve(performance.now() - started);
            else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        }),
      name,
    );
  const times = new Map(VIEWS.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of [...VIEWS.slice(1), ""]) times.get(name).push(await opened(name));
  }
  for (const name of VIEWS) {
    const all = times.get(name);
    row(`${name || "home"} opens`, `${quantile(all, 0.5).toFixed(0)} ms`, `the first time ${all[0].toFixed(0)} ms`);
  }
  await opened("memories");
  const loaded = await page.evaluate(async (wanted) => {
    const rowsNow = () => document.querySelectorAll(".ledger .line").length;
    for (let turn = 0; turn < 1_000 && rowsNow() < wanted; turn += 1) {
      scrollTo(0, document.body.scrollHeight);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    scrollTo(0, 0);
    return rowsNow();
  }, ROWS);
  const frames = await page.evaluate(async () => {
    const gaps = [];
    let last = performance.now();
    for (let frame = 0; frame < 240; frame += 1) {
      scrollBy(0, 60);
      await new Promise(requestAnimationFrame);
      gaps.push(performance.now() - last);
      last = performance.now();
    }
    return gaps;
  });
  row("a frame while scrolling through memories, p50 / p95", `${quantile(frames, 0.5).toFixed(0)} / ${quantile(frames, 0.95).toFixed(0)} ms`, `${loaded} rows are there; 16.7 ms is 60 a second`);
  await opened("review");
  const steps = await page.evaluate(async () => {
    const taken = [];
    for (let step = 0; step < 20; step += 1) {
      const began = performance.now();
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
      await new Promise(requestAnimationFrame);
      taken.push(performance.now() - began);
    }
    return taken;
  });
  row("the next case of Review stands, p50 / p95", `${quantile(steps, 0.5).toFixed(0)} / ${quantile(steps, 0.95).toFixed(0)} ms`, `${PROPOSALS} wait`);
  await opened("map");
  const moves = await page.evaluate(async () => {
    const gaps = [];
    for (let move = 0; move < 60; move += 1) {
      const before = performance.now();
      document.getElementById("map").dispatchEvent(new WheelEvent("wheel", { deltaY: move < 30 ? -30 : 30, ctrlKey: true, cancelable: true, bubbles: true }));
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      gaps.push((performance.now() - before) / 2);
    }
    return gaps;
  });
  row("a frame while coming closer on the map, p50 / p95", `${quantile(moves, 0.5).toFixed(0)} / ${quantile(moves, 0.95).toFixed(0)} ms`, `${map.points.id.length} dots`);
  await context.close();
} finally {
  await browser.close();
  vault.stop();
}
console.log("\n| what | measured | |\n| --- | --- | --- |");
for (const cells of rows) console.log(`| ${cells.join(" | ")} |`);
