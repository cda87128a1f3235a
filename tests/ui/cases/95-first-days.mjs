// What one meets in the first days with a vault: two proposals alike, a zone not one's own, a question in another language.
import { api, axe, memory, ok, propose, remember, same, shoot, unique, until, withRoutes } from "../support.mjs";

const upload = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
const json = (value, status = 200) => ({ status, json: value });

/** Lets the pages see these proposals alone, the second resembling the first. */
async function pairOf(page, [first, second]) {
  await page.route("**/api/memories?**", async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const answer = await (await route.fetch()).json();
    if (query.get("status") !== "proposed") return route.fulfill(json({ ...answer, memories: query.has("forget_requested") ? [] : answer.memories }));
    const both = [await memory(second), await memory(first)].filter((one) => one.status === "proposed");
    const memories = both.map((one) => ({ ...one, similar_to: one.id === second ? first : undefined, similarity: one.id === second ? 0.91 : undefined }));
    return route.fulfill(json({ ...answer, memories, total: memories.length, next_cursor: null }));
  });
}

export default (test) => {
  test("two proposals alike stand side by side, and neither is among the plain ones", async (page) => {
    const word = unique("boiler");
    const first = await propose(`The ${word} is serviced in May.`);
    const second = await propose(`The ${word} is serviced in June.`);
    await pairOf(page, [first.id, second.id]);
    await page.view("", "main");
    await page.getByText("One proposal is close to another that waits.").waitFor();
    await page.view("review", ".case");
    same(await page.locator(".queue h2").allInnerTexts(), ["Look closer"], "there is nothing plain");
    same(await page.locator(".queue button").evaluateAll((all) => all.map((one) => one.dataset.id)), [second.id, first.id], "next to each other");
    same(await page.getByRole("button", { name: /^Approve the/ }).count(), 0, "and nothing is approved unseen");
    for (const [id, old, next] of [[second.id, "May", "June"], [first.id, "June", "May"]]) {
      await page.locator(`.queue [data-id="${id}"]`).click();
      await page.getByText("Close to another that waits. Which do you want?").waitFor();
      await page.locator(".sideof.old del", { hasText: old }).waitFor();
      await page.locator(".sideof.new ins", { hasText: next }).waitFor();
    }
    same(await axe(page), [], "axe finds nothing");
    await shoot(page, "review-pair");
    await page.locator("[data-key=a]").click();
    await page.to("status", ".figures");
    same([(await memory(first.id)).status, (await memory(second.id)).status], ["active", "proposed"], "each is decided on its own");
  });

  test("the browser's zone is one press away while the vault counts in UTC", { zone: "Asia/Seoul" }, async (page) => {
    const { time_zone } = await api("GET", "/api/settings");
    await api("PUT", "/api/settings", { time_zone: "UTC" });
    await page.view("", "main");
    await page.getByRole("button", { name: "Keep UTC" }).click();
    await until(async () => (await page.getByRole("button", { name: "Show times in Asia/Seoul" }).count()) === 0, "it can be sent away");
    await page.evaluate(() => localStorage.removeItem("zone"));
    await page.view("", "main");
    await page.reload();
    await page.getByRole("button", { name: "Show times in Asia/Seoul" }).click();
    await page.getByText("Times are shown in Asia/Seoul.").first().waitFor();
    same((await api("GET", "/api/settings")).time_zone, "Asia/Seoul", "the vault's zone");
    same(await page.getByRole("button", { name: "Show times in Asia/Seoul" }).count(), 0, "it is not offered again");
    await api("PUT", "/api/settings", { time_zone });
  });

  test("what a question shares with an answer is its telling words, and what shares none was found by meaning", async (page) => {
    await page.view("conversations", "main");
    const found = await page.evaluate(async () => {
      const { marked, wordsOf } = await import("/ui/lib/words.js");
      const { TOAST_MILLISECONDS } = await import("/ui/lib/notices.js");
      const { HOLD_MILLISECONDS } = await import("/ui/lib/held.js");
      const { t } = await import("/ui/texts.js");
      return {
        german: marked("der Hund ist im Garten", "Wann ist der Termin").found,
        shared: marked("Der Termin ist am Montag", "Wann ist der Termin").found,
        names: wordsOf("where is my NAS with 5G"),
        alone: wordsOf("tea"),
        korean: wordsOf("서울 집").map((one) => one.normalize("NFC")),
        after: t.review.afterPlain,
        seconds: [HOLD_MILLISECONDS / 1000, (HOLD_MILLISECONDS + TOAST_MILLISECONDS) / 1000],
      };
    });
    same(found.german, [], "function words are not shared words");
    same(found.shared, ["termin"], "the telling word is");
    same([found.names, found.alone, found.korean], [["nas", "5g"], ["tea"], ["서울", "집"]], "short words that tell something stay");
    ok(found.after.includes(`for ${found.seconds[0]} seconds, many at once for ${found.seconds[1]}.`), `the time of undoing is the one said: ${found.after}`);
    const word = unique("dentist");
    const kept = await remember(`The ${word} has moved.`);
    await page.route("**/api/recall?**", (route) => route.fulfill(json({ mode: "local", total: 1, more: 0, results: [{ ...kept, content: "Der Zahnarzt ist der beste", tags: [], type: "fact", status: "active", approved: true, score: 0.8, created_by: "owner:x", created_at: new Date().toISOString() }] })));
    await page.route("**/api/status", async (route) => route.fulfill(json({ ...(await (await route.fetch()).json()), recall_mode: "local" })));
    await page.view("ask?q=who+is+der+doctor", ".ledger");
    await page.getByText("Found by meaning").waitFor();
    same(await page.locator(".ledger mark").count(), 0, "nothing is marked");
  });

  test("a refused backup can be followed by another file at once", async (page) => {
    await withRoutes(page, [["/api/restore", "post"]]);
    const told = [];
    const view = (state) => ({ id: "res_9", state, bytes: 9, checked_bytes: 9, hashes_corrected: 0, vault_is_empty: true, committing: false, backup: { made_at: "2026-11-01T10:00:00Z", tables: [] }, fault: state === "broken" ? { line: 1, message: "is not the header of a backup" } : null });
    let begun = 0;
    await page.route("**/api/restore", (route) => (route.request().method() === "GET" ? route.fulfill(json(null)) : (begun += 1, told.push("POST"), route.fulfill(json(view("receiving"), 201)))));
    await page.route("**/api/restore/res_9**", (route) => (told.push(route.request().method()), route.fulfill(route.request().method() === "DELETE" ? { status: 204 } : json(view(begun > 1 ? "ready" : "broken")))));
    await page.view("backup", "main .btn");
    await page.locator("input[type=file]").setInputFiles([upload("odd.json", "{}")]);
    await page.getByText("This file cannot be restored.").waitFor();
    await page.getByRole("button", { name: "Choose another file…" }).waitFor();
    await page.locator("input[type=file]").setInputFiles([upload("right.jsonl", "{}")]);
    await page.getByText("Checked: the file is whole").waitFor();
    same(told, ["POST", "PUT", "GET", "DELETE", "POST", "PUT", "GET"], "the refused one is thrown away first");
  });

  test("a file the vault refuses as a whole is no stop, and the others go on without it", { refusals: true }, async (page) => {
    const word = unique("export");
    let calls = 0;
    await page.route("**/api/bulk**", (route) => {
      calls += 1;
      return route.request().postData().includes("mapping")
        ? route.fulfill(json({ error: { code: "invalid", message: "is an export of whole conversations", field: "text" } }, 400))
        : route.continue();
    });
    await page.view("imports", "textarea");
    await page.locator("input[type=file]").setInputFiles([upload("conversations.json", '[{"mapping":{}}]'), upload("notes.md", `- The ${word} is blue.`)]);
    await page.getByRole("button", { name: "Look first" }).click();
    await page.getByText("The vault does not take conversations.json.").waitFor();
    await page.getByText("Nothing was brought in.").waitFor();
    same(await page.getByRole("button", { name: "Go on", exact: true }).count(), 0, "the same request is not offered again");
    same(calls, 1, "nor sent");
    await page.getByRole("button", { name: "Go on without it" }).click();
    await page.getByText("1 read: 1 would be kept.").waitFor();
  });

  test("what is not there yet is not shown as fine", async (page) => {
    await page.route("**/api/status", async (route) => {
      const answer = await (await route.fetch()).json();
      return route.fulfill(json({ ...answer, index: { ...answer.index, bytes: 0, loaded: null, total: 3, bytes_allowed: 72 * 1024 * 1024 } }));
    });
    await page.view("status", ".figures");
    await page.getByText("not loaded yet").waitFor();
    await page.route("**/api/audit?**", (route) => route.fulfill(json({ entries: [], total: 0, next_cursor: null })));
    await remember(`The ${unique("lamp")} is in the attic.`);
    await page.route("**/api/status", async (route) => {
      const answer = await (await route.fetch()).json();
      return route.fulfill(json({ ...answer, memories: { ...answer.memories, active: 3 } }));
    });
    await page.view("", ".checks");
    await page.locator(".checks .state.off", { hasText: "none yet" }).waitFor();
  });

  test("a hill is round and whole on every sheet, also at a corner", async (page) => {
    await page.view("conversations", "main");
    const hills = await page.evaluate(async () => {
      const { ROOM, cellsOf, contour, heights, levels } = await import("/ui/lib/ground.js");
      return [1.8, 1, 0.7].map((aspect) => {
        const { wide, high } = cellsOf(aspect);
        const field = heights([ROOM / wide], [ROOM / high], { wide, high });
        const pieces = contour(field, levels(field)[0]);
        const [xs, ys] = [pieces.flatMap(([a, , b]) => [a * aspect, b * aspect]), pieces.flatMap(([, a, , b]) => [a, b])];
        const span = (all) => Math.max(...all) - Math.min(...all);
        return { round: span(xs) / span(ys), least: Math.min(...xs, ...ys) };
      });
    });
    for (const { round, least } of hills) {
      ok(Math.abs(round - 1) < 0.05, `as broad as high: ${round}`);
      ok(least > 0, `inside the sheet: ${least}`);
    }
  });

  test("on a phone the buttons of the map stand clear of its ground", { width: 390, height: 800, touch: true }, async (page) => {
    await remember(`The ${unique("mapword")} is in the attic.`);
    await page.view("map", ".mapwrap canvas");
    const [ground, tools] = [await page.locator("#map").boundingBox(), await page.locator(".maptools").boundingBox()];
    ok(tools.y >= ground.y + ground.height, "below it");
    await shoot(page, "map-phone-clear");
  });
};
