// A new user's way through the page, against the vault itself: nothing here is answered by the test.
import { readFileSync } from "node:fs";
import { api, ok, quiet, remember, same, unique, until } from "../support.mjs";

/** Sets the vault's clock; false where the vault was not built for tests. */
const clock = async (body) => (await fetch(`${process.env.VAULT_URL}/test/clock`, { method: "POST", body: JSON.stringify(body) })).ok;

export default (test) => {
  // U-81
  test("what was stored late at night is today's in the owner's zone, and the same instant in the export", async (page) => {
    const before = await api("GET", "/api/settings");
    const word = unique("midnight");
    if (!(await clock({ fixed_millis: Date.parse("2026-03-09T15:30:00Z") }))) return console.log("     skipped: this vault's clock cannot be set");
    await api("PUT", "/api/settings", { time_zone: "Asia/Tokyo" });
    try {
      const { id } = await remember(`The ferry ${word} sails at night.`);
      await clock({ fixed_millis: Date.parse("2026-03-10T02:00:00Z") });
      await page.clock.setFixedTime("2026-03-10T02:00:00Z");
      await page.view(`memories?after=today&q=${word}`, ".ledger .line");
      const time = page.locator(".line .when time").first();
      same(await time.innerText(), "00:30", "shown as of today, the tenth");
      same(await time.getAttribute("title"), "10 March 2026 at 00:30:00 (Asia/Tokyo) · 2026-03-09T15:30:00.000Z", "the instant");
      const exported = await (await fetch(`${process.env.VAULT_URL}/api/export?format=json`)).text();
      const line = exported.split("\n").find((one) => one.includes(id)) ?? exported;
      ok(line.includes("2026-03-09T15:30:00.000Z"), "the same instant in the export");
    } finally {
      await clock({ shift_millis: 0 });
      await api("PUT", "/api/settings", { time_zone: before.time_zone });
    }
    await quiet(page);
  });

  test("what was begun in the dialog is there again after it was left, and a click beside it does not close it", async (page) => {
    const text = `Half a thought about ${unique("fender")}`;
    await page.view("memories", ".tools");
    await page.keyboard.press("n");
    await page.locator("dialog textarea").fill(text);
    await page.mouse.click(8, 8);
    ok(await page.locator("dialog textarea").isVisible(), "a slip of the hand loses nothing");
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Add a memory" }).click();
    same(await page.locator("dialog textarea").inputValue(), text, "the words are there");
    ok(!(await page.getByLabel("Said by").isVisible()), "what few need is folded away");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Kept. Your agents can use it now.").first().waitFor();
    await page.keyboard.press("n");
    same(await page.locator("dialog textarea").inputValue(), "", "what was kept is not offered again");
    await page.keyboard.press("Escape");
  });

  test("Home's shelf is the vault's own count by weeks", async (page) => {
    if (!(await clock({ shift_millis: -3 * 7 * 86_400_000 }))) return console.log("     skipped: this vault's clock cannot be set");
    await remember(`The first spine of ${unique("shelf")}.`, { type: "event" });
    await clock({ shift_millis: 0 });
    await remember(`The second spine of ${unique("shelf")}.`, { type: "person" });
    await page.view("", ".shelf");
    const { weeks } = await api("GET", "/api/status");
    const kept = weeks.reduce((sum, week) => sum + week.total, 0).toLocaleString("en-GB");
    ok((await page.locator("#shelf + p").innerText()).startsWith(`${kept} kept in 26 weeks`), "the sum");
    same(await page.locator(".shelf tbody tr").count(), weeks.filter((week) => week.total).length, "a row for each week that has any");
    same(await page.locator(".shelf svg g").count(), 26, "a spine for each");
  });

  test("what any version of the guide changed has an address, the first one too", { refusals: true }, async (page) => {
    const word = unique("tone");
    const before = await api("GET", "/api/guide");
    const now = await api("PUT", "/api/guide", { content: `${before.content}\n- ${word}` });
    await page.view(`guide/${now.version}`, ".difflines .add");
    ok((await page.locator(".difflines .add").innerText()).endsWith(`- ${word}`), "the line it added");
    same(await page.locator(".difflines .cut").count(), 0, "and none it took away");
    await page.to("guide/1", ".difflines .add");
    const first = await api("GET", "/api/guide/versions/1");
    same(await page.locator(".difflines li").count(), first.content.split("\n").length, "all of the first one is new");
    await page.to("guide/99999", ".banner");
    ok((await page.locator("#diff").locator("../..").innerText()).includes("version of the guide"), "one that never was says so");
    const typed = `${now.content}\n- not yet saved`;
    await page.getByLabel("The guide in Markdown").fill(typed);
    await page.locator(".line", { hasText: new RegExp(`Version ${before.version}(?!\\d)`) }).getByRole("button", { name: "Bring back" }).click();
    await page.getByText(`Version ${before.version} is back`).first().waitFor();
    same((await api("GET", "/api/guide")).content, before.content, "the vault brought it back");
    await page.locator("#undo").click();
    await until(async () => (await api("GET", "/api/guide")).content === now.content, "the vault takes that back");
    await until(async () => (await page.getByLabel("The guide in Markdown").inputValue()) === typed, "with what was being typed");
    await page.getByRole("button", { name: "Discard" }).click();
    await api("PUT", "/api/guide", { content: before.content });
  });

  test("a backup taken with the page comes back with the page, also after it was left in between", async (page) => {
    const [stays, goes, late] = ["stays", "goes", "late"].map((name) => `The ${unique(name)} lamp.`);
    const kept = await remember(stays);
    const { id } = await remember(goes);
    await page.view("backup", "main .btn");
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download a backup" }).click()]);
    const file = await download.path();
    ok(readFileSync(file, "utf8").includes(stays), "the file holds the words");
    await page.getByText("Your browser saves the file.").first().waitFor();
    await page.to("", "#order");
    ok((await page.locator(".checks li", { hasText: "Last backup" }).innerText()).includes("just now"), "Home knows of it");
    await page.to("backup", "main .btn");
    await api("POST", `/api/memories/${id}/forget`);
    const after = await remember(late);
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByText("Checked: the file is whole").waitFor();
    await page.view("backup", "main .btn");
    await page.getByText("Checked: the file is whole").waitFor();
    await page.getByText("Leave out 1 you forgot since").waitFor();
    await page.getByRole("button", { name: "Restore this backup…" }).click();
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await page.getByText(/^Restored\. 1 that you forgot since stayed out/).first().waitFor();
    await api("GET", `/api/memories/${after.id}`, undefined, 404);
    await api("GET", `/api/memories/${id}`, undefined, 404);
    same((await api("GET", `/api/memories/${kept.id}`)).content, stays, "the rest is as it was");
    await page.view("backup", "main .btn");
    await page.getByRole("button", { name: "Choose a backup…" }).waitFor();
  });

  test("before an import is undone a backup is offered; one press saves all of it, and then it goes on", async (page) => {
    const word = unique("saved");
    const report = await api("POST", "/api/bulk", { items: [`The ${word} lamp.`], source: word });
    await page.view(`imports/${report.batch_id}`, "main .btn");
    await page.getByRole("button", { name: "Undo this import" }).click();
    const dialog = page.locator("dialog");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Save a backup, then go on" }).click(),
    ]);
    ok(/^memory-vault.*\.jsonl$/.test(download.suggestedFilename()), "it has a backup's name");
    const lines = readFileSync(await download.path(), "utf8").trimEnd().split("\n");
    ok(lines.some((line) => line.includes(`The ${word} lamp.`)), "with what is about to go");
    same(JSON.parse(lines.at(-1)).rows, lines.length - 2, "and whole");
    await page.getByText(/^Import undone: 1 taken back/).first().waitFor();
    same((await api("GET", `/api/batches/${report.batch_id}`)).state, "undone", "then it went on");
  });

  test("where the backup does not come whole, nothing is undone", { refusals: true }, async (page) => {
    const word = unique("half");
    const report = await api("POST", "/api/bulk", { items: [`The ${word} lamp.`], source: word });
    await page.route("**/api/backup", (route) => route.fulfill({ status: 200, contentType: "application/x-ndjson", body: '{"format":"x"}\n{"table":"memories"' }));
    await page.view(`imports/${report.batch_id}`, "main .btn");
    await page.getByRole("button", { name: "Undo this import" }).click();
    await page.locator("dialog").getByRole("button", { name: "Save a backup, then go on" }).click();
    await page.locator("dialog").getByText("The backup did not come whole, so nothing else was done.").waitFor();
    same((await api("GET", `/api/batches/${report.batch_id}`)).state, "done", "it is as it was");
  });
};
