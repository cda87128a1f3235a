// With real apps, let in through the consent page: what they propose, ask to forget and import, and taking their key away.
import { api, axe, connectAgent, memory, ok, quiet, same, shoot, until, unique } from "../support.mjs";

export default (test) => {
  test("an app is let in, proposes, is told apart from another in the queue, and loses its key", { refusals: true }, async (page) => {
    const names = [unique("Claude "), unique("Cursor ")];
    const claude = await connectAgent(page, names[0]);
    if (!claude) return console.log("     skipped: this vault has no OAuth");
    const cursor = await connectAgent(page, names[1]);
    const word = unique("agents");
    const first = await claude("remember", { content: `The ${word} gate opens at 7.` });
    await claude("remember", { content: `The ${word} gate is green.` });
    await cursor("remember", { content: `The ${word} gate squeaks.` });
    await page.view("review", ".case");
    await page.getByRole("button", { name: `${names[0]} 2` }).click();
    same(await page.locator(".queue li").count(), 2, "the app's own");
    ok((await page.locator(".case-head").innerText()).includes(names[0]), "its name stands at the case");
    await page.keyboard.press("a");
    await page.to("status", ".figures");
    same((await api("GET", `/api/recall?q=${word}&status=active`)).total, 1, "one is approved");
    ok(first.id, "the app has its id");

    await page.view("apps", ".app");
    const line = page.locator(".app", { hasText: names[0] });
    ok((await line.innerText()).includes("this computer, 127.0.0.1"), "where it runs");
    ok((await line.innerText()).includes("proposes memories"), "what it may do");
    same(await axe(page), [], "axe finds nothing");
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByText("This vault runs on this machine only").waitFor();
    await shoot(page, "apps-real");
    await page.getByRole("button", { name: `Disconnect ${names[0]}` }).click();
    await page.locator("dialog").getByRole("button", { name: "Disconnect", exact: true }).click();
    await page.getByText(`${names[0]} is disconnected.`).first().waitFor();
    same(
      (await api("GET", "/api/oauth/grants")).grants.filter((grant) => grant.client.name === names[0]),
      [],
      "its grant is gone",
    );
    let refused = false;
    await claude("recall", { query: word }).catch(() => (refused = true));
    ok(refused, "its next call is refused");
    await page.getByRole("button", { name: `Remove ${names[0]}` }).click();
    await page.locator("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText(`${names[0]} is removed.`).first().waitFor();
    await page.to("audit?action=disconnect_app", ".ledger .line");
    await page.locator(".ledger .line", { hasText: "disconnected" }).first().waitFor();
  });

  test("what an app really asked to forget is kept by one click and forgotten by two", async (page) => {
    const name = unique("Codex ");
    const codex = await connectAgent(page, name);
    if (!codex) return console.log("     skipped: this vault has no OAuth");
    const word = unique("forget");
    const [kept, gone] = [
      await api("POST", "/api/memories", { content: `Keeps ${word} bees.` }),
      await api("POST", "/api/memories", { content: `Keeps ${word} wasps.` }),
    ];
    for (const one of [kept, gone]) await codex("forget", { id: one.id });
    await page.view(`review/${kept.id}`, ".case");
    await page.getByText("An agent asks to forget this.").waitFor();
    ok((await page.locator(".case-head").innerText()).includes(name), "who asks");
    await page.getByRole("button", { name: "Keep it" }).click();
    await until(async () => !(await memory(kept.id)).forget_requested_at, "it is kept");
    await page.view(`memories/${gone.id}`, ".detail .timeline li");
    await page.getByText(`${name} asks to forget this.`).waitFor();
    await page.locator(".detail").getByRole("button", { name: "Forget…" }).click();
    await page.getByRole("button", { name: "Forget it" }).click();
    await until(() => api("GET", `/api/memories/${gone.id}`, undefined, 404).then(() => true), "it is gone");
    await quiet(page);
  });

  test("an app's import waits as one batch and is approved with one click", async (page) => {
    const name = unique("Importer ");
    const importer = await connectAgent(page, name);
    if (!importer) return console.log("     skipped: this vault has no OAuth");
    const word = unique("brought");
    const report = await importer("bulk_remember", { items: [1, 2, 3].map((n) => `The ${word} fact number ${n}.`), source: name });
    await page.view(`review?batch=${report.batch_id}`, ".case");
    same(await page.locator(".queue li").count(), 3, "the import's own in the queue");
    await page.view("imports", ".ledger .line");
    await page.locator(".line", { hasText: name }).first().getByRole("button", { name: "Approve all 3" }).click();
    await page.getByText("3 approved.").first().waitFor();
    same((await api("GET", `/api/memories?batch=${report.batch_id}&status=active`)).total, 3, "all three are active");
  });
};
