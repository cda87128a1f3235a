// The README's pictures, made by every run from a vault of their own with invented memories. VAULT_PICTURES=1 puts them under
// ui/pictures, where the README shows them from; otherwise they go to the other screenshots.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { UI, newPage, ok, quiet, same } from "../support.mjs";

const PICTURES = path.join(UI, "pictures");
const NAMES = ["home.jpg", "map.jpg", "review.jpg"];
/** What one picture may weigh. */
const BYTES = 120 * 1024;
/** Weeks in which they came. */
const WEEKS = 25;
const SIZE = { width: 1080, height: 680 };

/** Invented: a person with a boat, a flat, a kitchen, a job and two languages. */
const MEMORIES = {
  event: [
    "Kestrel went back into the water on 2 May after two weeks in the yard.",
    "The boat's rudder was mended in the harbour of Marstrand.",
    "Sailed Kestrel from Gothenburg to Skagen in eleven hours, wind south-west.",
    "The anchor chain of the boat was replaced in June; the old one is in the cellar.",
    "Kestrel's mainsail has a new batten; the sailmaker is called Ruth.",
    "The boat's engine was serviced in the harbour; oil again after 100 hours.",
    "Moved into the flat on the quay on the first of March.",
  ],
  preference: [
    "Cooks without nuts: Ilse is allergic.",
    "Likes risotto with mushrooms better than with peas.",
    "Bakes bread on Sundays with rye flour and little yeast.",
    "Dinner for guests is soup, bread and a salad.",
    "Cooks pasta in a lot of water and salts it late.",
    "Takes tea without milk, coffee with.",
    "Prefers answers that are short, with the number first.",
    "Wants code in answers without comments, in Rust where possible.",
    "Wants dates in answers written as day, month, year.",
    "Prefers trains to planes for anything under ten hours.",
  ],
  fact: [
    "The router in the hall is at 192.168.7.1 and reboots on Mondays at four.",
    "Backups to the NAS in the cellar start at 02:30.",
    "The printer on the home network is called paper and needs A4 in tray 2.",
    "The fibre line into the flat has 500 Mbit/s; the contract ends in May.",
    "The home network has a guest Wi-Fi called Quay, its password is on the fridge.",
    "The flat's meter stands behind the left door in the hall.",
    "The spare key is with the neighbours on the third floor.",
  ],
  project: [
    "The log of the boat is a Rust program that writes Markdown.",
    "CI of the Rust crate takes nine minutes, six of them the browser tests.",
    "The Rust crate's linker step is slow without lld.",
    "The boat log crate reads tide tables from a text file.",
    "Tests of the Rust crate run twice a day in CI.",
    "The garden of the house association needs a plan by April.",
  ],
  person: [
    "Ilse plays the violin and teaches on Wednesdays.",
    "Noor repairs bicycles and lives across the canal.",
    "Grandmother's birthday is on 9 October; she likes dahlias.",
    "Samir, the neighbour, waters the plants in August.",
    "Ruth is the sailmaker in the old harbour.",
    "Ilse's brother Anton visits in the second week of July.",
  ],
  note: [
    "日本語の練習は火曜と木曜の朝にする。",
    "日本語の教科書は第十二課まで読んだ。",
    "日本語の会話の練習相手は由美さん。",
    "漢字の練習帳は机の左の引き出しにある。",
    "日本語の試験は十二月の最初の日曜日。",
    "工作安排：星期二上午开会。",
    "工作安排在星期五之前写好。",
    "每个星期一检查工作安排。",
  ],
};

export default (test) => {
  test("the README's pictures are made anew, and those it shows are there and small", { page: false }, async () => {
    const base = (process.env.VAULT_FRESH_URL ?? "").replace(/\/$/, "");
    if (base) await make(base);
    else console.log("     no picture made: VAULT_FRESH_URL names no vault of its own for them");
    same(readdirSync(PICTURES).sort(), NAMES, "ui/pictures holds the pictures and nothing else");
    for (const name of NAMES) {
      const file = path.join(PICTURES, name);
      ok(existsSync(file) && statSync(file).size < BYTES, `${name} is there and small`);
      same(readFileSync(file).subarray(0, 3).toString("hex"), "ffd8ff", `${name} is a picture`);
    }
    const readme = readFileSync(path.join(UI, "..", "README.md"), "utf8");
    for (const name of NAMES) ok(readme.includes(`ui/pictures/${name}`), `the README shows ${name}`);
  });
};

async function make(base) {
  const post = async (route, body) => {
    const response = await fetch(base + route, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    ok(response.ok, `${route}: ${response.status}`);
    return response.json();
  };
  // Whoever looks lives somewhere: without a zone Home would ask for it.
  const zoned = await fetch(`${base}/api/settings`, { method: "PUT", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ time_zone: "Europe/Stockholm" }) });
  ok(zoned.ok, `the zone is set: ${zoned.status}`);
  const items = Object.entries(MEMORIES).flatMap(([type, texts]) => texts.map((content) => ({ content, type })));
  // A vault that grew week by week, so that the shelf has something on it. Only a vault built for tests lets its clock be set.
  const clock = (weeks) => fetch(`${base}/test/clock`, { method: "POST", body: JSON.stringify({ shift_millis: -weeks * 7 * 86_400_000 }) });
  // The golden ratio spreads them evenly; the power lets more of them be of late.
  const weekOf = (at) => Math.floor(WEEKS * ((at * 0.618034) % 1) ** 1.4);
  for (let week = WEEKS - 1; week >= 0; week -= 1) {
    const ofWeek = items.filter((_, at) => weekOf(at) === week);
    if (ofWeek.length === 0) continue;
    await clock(week);
    const { batch_id } = await post("/api/bulk", { items: ofWeek, source: "notes" });
    await post(`/api/batches/${batch_id}/approve`);
  }
  await clock(0);
  const wifi = await post("/api/memories", { content: "The fibre line costs 49 euros a month and the contract ends in May.", type: "fact" });
  await post("/api/memories", { content: "The fibre line costs 59 euros a month and the contract ends in June.", type: "fact", propose: true, supersedes: wifi.id });
  await post("/api/memories", { content: "Ilse moved her lessons to Thursdays.", type: "person", propose: true });
  await post("/api/memories", { content: "Kestrel needs new fenders before May.", type: "project", propose: true });
  const folder = process.env.VAULT_PICTURES ? PICTURES : (process.env.VAULT_SCREENSHOTS ?? "");
  const page = await newPage({ ...SIZE });
  for (const [name, view, wait] of [
    ["home.jpg", "", ".lede h1"],
    ["review.jpg", "review", ".sides"],
    ["map.jpg", "map", ".maplabel"],
  ]) {
    await page.goto("about:blank");
    await page.goto(`${base}/#/${view}`);
    await page.locator(wait).first().waitFor();
    await quiet(page);
    await page.waitForTimeout(400);
    const picture = await page.screenshot({ type: "jpeg", quality: 82, ...(folder ? { path: path.join(folder, name) } : {}) });
    ok(picture.length < BYTES, `${name} made now is small: ${picture.length} bytes`);
  }
  same(page.complaints, [], "nothing complains");
  await page.leave();
}
