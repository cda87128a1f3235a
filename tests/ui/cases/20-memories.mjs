// Memories: search, filters, paging, one memory with its past, editing, forgetting, adding, links and the back button.
import { api, axe, memory, ok, perTry, propose, quiet, remember, same, shoot, until, unique } from "../support.mjs";

export default (test) => {
  test("search answers while one types, in the order of recall, with the words marked and the score", async (page) => {
    const word = unique("harbour");
    await remember(`The ${word} has a crane.`);
    await remember(`The ${word} ${word} fee is 12 EUR a night at the ${word}.`);
    await page.view("memories");
    await page.getByLabel("Search your memories").pressSequentially(`the ${word}`);
    await page.locator("mark").first().waitFor();
    const expected = (await api("GET", `/api/recall?q=the+${word}&status=active`)).results.map((one) => one.id);
    const shown = await page.locator(".ledger .stretch").evaluateAll((links) => links.map((link) => link.hash.split(/[/?]/)[2]));
    same(shown, expected, "the order");
    ok((await page.locator(".scored").first().innerText()).includes("0."), "the score");
    ok(page.url().includes(`q=the+${word}`), "the search is in the address");
    await shoot(page, "memories-search");
  });

  // U-213
  test("seventy-five matches under a filter are all reached", async (page) => {
    const tag = unique("tag");
    const { batch_id } = await api("POST", "/api/bulk", { items: Array.from({ length: 75 }, (_, i) => ({ content: `Item ${i} of ${tag}`, tags: [tag] })) });
    // What is close to another waits; here all of them are wanted.
    await api("POST", `/api/batches/${batch_id}/approve`);
    await page.view(`memories?tag=${tag}`);
    await page.getByText("75 memories").first().waitFor();
    await until(async () => {
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      return (await page.locator(".ledger .line").count()) === 75;
    }, "all rows are there");
    await page.getByLabel("Search your memories").fill(`Item ${tag}`);
    await page
      .getByText(/75 found in/)
      .first()
      .waitFor();
    await until(async () => {
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      return (await page.locator(".ledger .line").count()) === 75;
    }, "all found rows are there");
  });

  test("each filter is sent to the vault and can be taken away", async (page) => {
    const word = unique("kite");
    await remember(`${word} one`, { type: "person", tier: "short", tags: [word], source: `src-${word}` });
    await remember(`${word} two`, { type: "fact" });
    await page.view(`memories?q=${word}`);
    await page.getByText("2 found in").first().waitFor();
    for (const [label, value] of [
      ["Type", "person"],
      ["Life", "short"],
      ["Time", "today"],
    ])
      await page.getByLabel(label, { exact: true }).selectOption(value);
    await page.getByLabel("Tag", { exact: true }).pressSequentially(word);
    await page.getByLabel("Source", { exact: true }).pressSequentially(`src-${word}`);
    await page.keyboard.press("Enter");
    await page.waitForURL("**source=src*");
    await page.getByText("1 found in").first().waitFor();
    for (const part of ["type=person", "tier=short", "after=today", `tag=${word}`, `source=src-${word}`])
      ok(page.url().includes(part), `${part} is in the address`);
    await page.getByRole("button", { name: "Clear filters" }).first().click();
    await page.getByText("2 found in").first().waitFor();
  });

  test("nothing found says so, and offers replaced and rejected ones", async (page) => {
    const word = unique("gone");
    const old = await remember(`The ${word} of yesterday.`);
    await remember(perTry("The cellar was painted green in spring.", "Nobody grows quinces up there now."), { supersedes: old.id });
    await page.view(`memories?q=${word}`);
    await page.getByText(`Nothing like “${word}”.`).first().waitFor();
    await page.getByRole("button", { name: "Include replaced and rejected" }).click();
    await page.locator(".ledger .is-past").waitFor();
    await page.view("memories?q=the");
    await page.locator(".empty").waitFor();
  });

  test("a memory opens by the address that agents are given, with its past and what replaced it", async (page) => {
    const word = unique("office");
    const first = await remember(`Works in the ${word} on Mondays.`, {
      type: "fact",
      source: "talk",
      author: "Ada",
      session: "s1",
      tags: ["work"],
      source_date: "2026-03-10",
    });
    await api("PATCH", `/api/memories/${first.id}`, { content: `Works in the ${word} on Tuesdays.` });
    const second = await remember(`Works from home since ${word} closed.`, { supersedes: first.id });
    await page.view(`memories/${first.id}`, ".detail .timeline li");
    ok((await page.title()).startsWith(`Works in the ${word}`), "the title names it");
    const timeline = page.locator(".timeline");
    await timeline.getByText("you changed the text").first().waitFor();
    ok((await timeline.innerText()).includes(`Works in the ${word} on Mondays.`), "the earlier text is shown");
    same(await timeline.locator("del").allInnerTexts(), ["Mondays"], "with what changed marked");
    for (const text of ["10 March 2026", "talk", "Ada", "s1", first.id])
      ok((await page.locator(".detail").innerText()).includes(text), `${text} is shown`);
    ok(!(await page.locator(".detail").getByRole("button", { name: /^Edit/ }).count()), "history is not edited");
    await page.locator(".chain a").click();
    await page.waitForURL(`**/#/memories/${second.id}`);
    await page.locator(".detail").getByText(`Works from home since ${word} closed.`).first().waitFor();
    same(await axe(page), [], "axe finds nothing");
  });

  test("an unknown memory says that it was forgotten or never was", { refusals: true }, async (page) => {
    await page.view("memories/mem_00000000000000000000000000", ".detail h2");
    await page.getByText("There is no memory here.").first().waitFor();
  });

  test("an edit is stored field by field and can be undone", async (page) => {
    const word = unique("tea");
    const { id } = await remember(`Drinks ${word} with milk.`, { type: "preference", tags: ["food"] });
    await page.view(`memories/${id}`, ".detail .timeline li");
    await page.keyboard.press("e");
    await page.locator("dialog textarea").fill(`Drinks ${word} without milk.`);
    await page.locator("dialog select[name=type]").selectOption("fact");
    await page.locator("dialog input[name=tags]").fill("food, drink");
    await page.locator("dialog .more summary").click();
    await page.locator("dialog input[name=source_date]").fill("2026-02-01");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Changed. The wording before").first().waitFor();
    const after = await memory(id);
    same(
      [after.content, after.type, after.tags, after.source_date],
      [`Drinks ${word} without milk.`, "fact", ["food", "drink"], "2026-02-01"],
      "the memory",
    );
    await page.locator("#undo").click();
    await page.getByText("Back as it was.").first().waitFor();
    const back = await memory(id);
    same(
      [back.content, back.type, back.tags, back.source_date ?? null],
      [`Drinks ${word} with milk.`, "preference", ["food"], null],
      "the memory as before",
    );
  });

  test("forgetting asks first, says what goes and what stays, and destroys the text", { refusals: true }, async (page) => {
    const word = unique("secret");
    const { id } = await remember(`The ${word} is under the mat.`);
    await page.view(`memories/${id}`, ".detail .timeline li");
    await page.locator(".detail").getByRole("button", { name: "Forget…" }).click();
    await page.getByText("This cannot be undone").first().waitFor();
    await shoot(page, "forget");
    await page.getByRole("button", { name: "Keep it" }).click();
    same((await memory(id)).status, "active", "it is still there");
    await page.locator(".detail").getByRole("button", { name: "Forget…" }).click();
    await page.getByRole("button", { name: "Forget it" }).click();
    await page.getByText("Forgotten.").first().waitFor();
    await api("GET", `/api/memories/${id}`, undefined, 404);
    await page.locator(".detail").waitFor({ state: "detached" });
    ok(!(await page.locator("main").innerText()).includes(word), "the text is off the page");
  });

  test("a memory is added, and a known one is shown instead of stored twice", async (page) => {
    const word = unique("key");
    await page.view("memories");
    await page.keyboard.press("n");
    await page.locator("dialog textarea").fill(`The ${word} is with the neighbours.`);
    await page.locator("dialog select[name=type]").selectOption("fact");
    await page.locator("dialog").getByRole("button", { name: "Keep it" }).click();
    await page.getByText("Kept. Your agents can use it now.").first().waitFor();
    await page.locator(".detail").getByText(`The ${word} is with the neighbours.`).first().waitFor();
    const found = (await api("GET", `/api/recall?q=${word}`)).results;
    same([found.length, found[0].type], [1, "fact"], "it is stored");
    await page.getByRole("button", { name: "Add a memory" }).click();
    await page.locator("dialog textarea").fill(`The ${word} is with the neighbours.`);
    await page.locator("dialog").getByRole("button", { name: "Keep it" }).click();
    await page.getByText("You keep this already; here it is.").first().waitFor();
    same((await api("GET", `/api/recall?q=${word}`)).total, 1, "still one");
  });

  test("a wrong value is said in the dialog, at its field", { refusals: true }, async (page) => {
    await page.view("memories?add=1", "dialog textarea");
    await page.locator("dialog textarea").fill("   ");
    await page.locator("dialog").getByRole("button", { name: "Keep it" }).click();
    await page.locator("dialog .wrong").waitFor();
    same(await page.locator("dialog textarea").getAttribute("aria-invalid"), "true", "the field is marked");
    await page.locator("dialog textarea").fill(unique("date"));
    await page.locator("dialog .more summary").click();
    await page.locator("dialog input[name=source_date]").fill("yesteryear");
    await page.locator("dialog").getByRole("button", { name: "Keep it" }).click();
    await page.locator("dialog .wrong", { hasText: "The date" }).waitFor();
  });

  // U-212
  test("the text and the link of a memory are copied whole", async (page) => {
    const text = `${unique("copy")} ${"nine thousand characters of text. ".repeat(270)}`.trim();
    const { id } = await remember(text);
    await page.view(`memories/${id}`, ".detail .timeline li");
    await page.getByRole("button", { name: "Copy the text" }).click();
    await until(async () => (await page.evaluate(() => navigator.clipboard.readText())) === text, "the whole text");
    ok((await page.locator(".detail .word.read").innerText()).length >= text.length - 2, "and shown whole");
    await page.getByRole("button", { name: "Copy the link to this memory" }).click();
    await until(async () => (await page.evaluate(() => navigator.clipboard.readText())).endsWith(`/#/memories/${id}`), "the link");
  });

  test("the back button goes from the memory to the list where one was", async (page) => {
    const tag = unique("back");
    await api("POST", "/api/bulk", { items: Array.from({ length: 45 }, (_, i) => ({ content: `Back ${i} of ${tag}`, tags: [tag] })) });
    await page.view("");
    await page.to(`memories?tag=${tag}`, ".ledger .line");
    await page.evaluate(() => scrollTo(0, 900));
    await page.locator(".ledger .stretch").nth(20).click();
    await page.locator(".detail .timeline li").waitFor();
    await page.goBack();
    await until(async () => (await page.locator(".detail").count()) === 0, "the memory closes");
    ok(page.url().endsWith(`memories?tag=${tag}`), "the list's address");
    ok((await page.evaluate(() => scrollY)) > 300, "the list is where it was");
    await page.goBack();
    await page.locator(".lede").waitFor();
  });

  test("on a phone a memory is its own screen with a way back", { width: 360, height: 740, touch: true }, async (page) => {
    const word = unique("phone");
    const { id } = await remember(`A ${word} memory.`);
    await page.view(`memories?q=${word}`, ".ledger .line");
    await page.locator(".ledger .stretch").first().tap();
    await page.locator(".detail .timeline li").waitFor();
    same(await page.locator(".split > section").isVisible(), false, "the list is away");
    ok(page.url().includes(id), "it has its address");
    await page.getByRole("link", { name: "Back to the list" }).tap();
    await page.locator(".ledger .line").first().waitFor();
  });

  test("a proposal leads to its case, j and k walk the list, Escape closes", async (page) => {
    const word = unique("walk");
    const { id } = await propose(`A ${word} proposal.`);
    await remember(`Another ${word}.`);
    await page.view(`memories?q=${word}&status=active,proposed`, ".ledger .line");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await page.locator(".detail .timeline li").waitFor();
    await page.keyboard.press("Escape");
    await until(async () => (await page.locator(".detail").count()) === 0, "it closes");
    await page.to(`memories/${id}`, ".detail .timeline li");
    await page.getByRole("link", { name: "Decide" }).click();
    await page.locator(".case").waitFor();
    ok(page.url().includes(`review/${id}`), "the case has its address");
  });

  test("find or jump goes to pages and memories from anywhere", { refusals: true }, async (page) => {
    const word = unique("jump");
    const { id } = await remember(`The ${word} spot.`);
    await page.view("settings", "form");
    await page.keyboard.press("Control+k");
    await page.keyboard.type(word);
    await page.locator(".found-list a .word").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/#/memories/${id}`);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("something");
    await page.keyboard.press("Escape");
    same(await page.locator("dialog[open]").count(), 0, "Escape closes it");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("audit");
    await page.keyboard.press("Enter");
    await page.locator("main[data-view=audit]").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keys" }).waitFor();
    same(await axe(page), [], "axe finds nothing in the list of keys");
  });

  // U-81
  test("times are the owner's zone's, with the exact instant on hover", async (page) => {
    const before = await api("GET", "/api/settings");
    await api("PUT", "/api/settings", { time_zone: "Asia/Tokyo" });
    try {
      const { id } = await remember(`Seen at ${unique("dusk")}.`, { source_date: "2026-03-09T15:30:00Z" });
      await page.view(`memories/${id}`, ".detail .timeline li");
      const time = page.locator(".detail .facts time").first();
      same(await time.innerText(), "10 March 2026 at 00:30", "in Tokyo it was the tenth");
      same(await time.getAttribute("title"), "10 March 2026 at 00:30:00 (Asia/Tokyo) · 2026-03-09T15:30:00.000Z", "the instant");
    } finally {
      await api("PUT", "/api/settings", { time_zone: before.time_zone });
    }
    await quiet(page);
  });
};
