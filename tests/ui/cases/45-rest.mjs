// Settings, audit, ask, status, apps, backup: what each button does, checked in the vault.
import { api, axe, memory, newPage, ok, propose, quiet, remember, same, shoot, until, unique } from "../support.mjs";

const upload = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
/** Makes routes seem to be there that this vault may not have yet. */
async function withRoutes(page, paths) {
  await page.route("**/api/openapi.json", async (route) => {
    const document = await (await route.fetch()).json();
    for (const [path, method] of paths) document.paths[path] = { ...document.paths[path], [method]: {} };
    await route.fulfill({ json: document });
  });
}

export default (test) => {
  test("settings are saved, wrong ones refused at their field, and a change can be undone", { refusals: true }, async (page) => {
    const before = await api("GET", "/api/settings");
    await page.view("settings", "form");
    await page.getByLabel("Time zone").fill("Asia/Tokyo");
    await page.locator("input[name=short_tier_days]").fill("45");
    await page.locator("input[name=forget_grace_days]").fill("3");
    await page.getByText("It holds at once").click();
    await page.getByRole("button", { name: "Save settings" }).click();
    await page.getByText("Saved.").first().waitFor();
    const { mode, time_zone, short_tier_days, forget_grace_days } = await api("GET", "/api/settings");
    same([mode, time_zone, short_tier_days, forget_grace_days], ["auto", "Asia/Tokyo", 45, 3], "they are stored");
    await page.locator("#undo").click();
    await page.getByText("Back as it was.").first().waitFor();
    same(await api("GET", "/api/settings"), before, "they are as before");
    await page.getByLabel("Time zone").fill("Mars/Olympus");
    await page.getByRole("button", { name: "Save settings" }).click();
    await page.locator(".wrong", { hasText: "The time zone must be an IANA name" }).waitFor();
    same(await page.getByLabel("Time zone").getAttribute("aria-invalid"), "true", "the field is marked");
    await page.getByLabel("Time zone").fill(before.time_zone);
    await page.locator("input[name=short_tier_days]").fill("0");
    await page.getByRole("button", { name: "Save settings" }).click();
    await page.locator(".wrong", { hasText: "The days of short-lived memories" }).waitFor();
    same(await api("GET", "/api/settings"), before, "nothing was stored");
  });

  test("a forgotten text is let back in after asking", async (page) => {
    const text = `Forgotten ${unique("out")}.`;
    const { id } = await remember(text);
    await api("POST", `/api/memories/${id}/forget`);
    const { total } = await api("GET", "/api/exclusions?limit=1");
    await page.view("history", ".ledger");
    await page.getByRole("button", { name: "Let it come back…" }).first().click();
    await page.locator("dialog").getByRole("button", { name: "Let it come back", exact: true }).click();
    await page.getByText("It may be stored again.").first().waitFor();
    same((await api("GET", "/api/exclusions?limit=1")).total, total - 1, "the fingerprint is gone");
  });

  test("the log is filtered by what, who and which, and leads to the memory", { refusals: true }, async (page) => {
    const one = await propose(`Logged ${unique("audit")}.`);
    await api("POST", `/api/memories/${one.id}/approve`);
    await page.view("audit", ".ledger .line");
    await page.getByLabel("Action").selectOption("approve");
    await until(
      async () => (await page.locator(".ledger .line").allInnerTexts()).every((text) => text.includes("approved")),
      "approvals only",
    );
    await page.locator(".ledger a.word").first().waitFor();
    ok((await page.locator(".ledger a.word").first().innerText()).startsWith("Logged"), "the words behind the id");
    await page.locator(".ledger .line").first().hover();
    await page.getByRole("button", { name: "Only this one" }).first().click();
    await page.getByText("1 entry").waitFor();
    ok(page.url().includes(`subject=${one.id}`), "the filter is in the address");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await until(async () => (await page.locator(".ledger .line").count()) > 1, "all again");
    await page.view(`audit?subject=${one.id}`, ".ledger .line");
    await page.getByText("2 entries").waitFor();
    await page.locator(".ledger a").first().click();
    await page.waitForURL(`**/#/memories/${one.id}`);
    await page.view("audit?action=keep&subject=mem_none");
    await page.getByText("Nothing of that kind happened.").waitFor();
  });

  test("the whole log is reached by scrolling", async (page) => {
    const { total } = await api("GET", "/api/audit?limit=1&action=propose");
    await page.view("audit?action=propose", ".ledger .line");
    const wanted = Math.min(total, 160);
    await until(
      async () => {
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
        return (await page.locator(".ledger .line").count()) >= wanted;
      },
      `${wanted} entries are read`,
      15_000,
    );
  });

  test("Ask shows what an agent gets: order, scores, proposals marked, history on request", async (page) => {
    const word = unique("ask");
    const old = await remember(`The ${word} bus leaves at nine.`);
    await remember(`The ${word} bus leaves at ten.`, { supersedes: old.id });
    await propose(`The ${word} bus may leave at eleven.`);
    await page.view("ask");
    await page.getByRole("searchbox").fill(`when does the ${word} bus leave`);
    await page.keyboard.press("Enter");
    const question = `q=when+does+the+${word}+bus+leave`;
    const answer = await api("GET", `/api/recall?${question}`);
    await page.getByText(`${answer.total.toLocaleString("en-GB")} found in`).first().waitFor();
    await page.getByText("Agents get this one marked as not approved").first().waitFor();
    const expected = answer.results;
    same(
      await page.locator(".scored > span:last-child").evaluateAll((all) => all.map((one) => one.lastChild.textContent.trim())),
      expected.map((one) => one.score.toFixed(2)),
      "the scores",
    );
    await page.getByText("As the agent reads it").click();
    same(
      JSON.parse(await page.locator(".answer").textContent()).results.map((one) => one.id),
      expected.map((one) => one.id),
      "the raw answer",
    );
    await page.getByLabel("also what was replaced").check();
    const more = await api("GET", `/api/recall?${question}&include_superseded=1`);
    ok(more.total > answer.total, "history answers too");
    await page.getByText(`${more.total.toLocaleString("en-GB")} found in`).first().waitFor();
    ok(page.url().includes("past=1"), "it is in the address");
    await page.view(`ask?q=${unique("nonsense")}`);
    await page.locator(".empty").waitFor();
  });

  test("Status tells troubled jobs from healthy ones", async (page) => {
    await page.route("**/api/status", async (route) => {
      const answer = await (await route.fetch()).json();
      Object.assign(answer.agenda, {
        dead: 1,
        waiting: 2,
        troubled: [
          { kind: "destroy_forgotten", key: "", due_at: answer.now, attempts: 20, last_error: "internal", state: "dead" },
          { kind: "some_new_kind", key: "x", due_at: answer.now, attempts: 2, last_error: "unavailable", state: "waiting" },
        ],
      });
      await route.fulfill({ json: answer });
    });
    await page.view("status", ".figures");
    await page.getByRole("heading", { level: 1, name: "Working; something was set aside" }).waitFor();
    await page.getByText("tried 20 times, then set aside").waitFor();
    await page.getByText("failed 2 times; the vault tries again").waitFor();
    same(await axe(page), [], "axe finds nothing");
    await shoot(page, "status-trouble");
    await page.unroute("**/api/status");
    await page.getByRole("button", { name: "Look again" }).click();
    await page.getByText("Everything works").waitFor();
  });

  test("connected apps are shown with what they may do, and disconnected after asking", async (page) => {
    const grants = [
      {
        id: "gr_1",
        client: { id: "cl_1", name: "Claude", verified_host: "claude.ai" },
        redirect_uri: "https://claude.ai/cb",
        scopes: ["memory.read", "memory.write"],
        approved_by: "ada@localhost",
        connected_at: "2026-11-01T08:00:00Z",
        last_used_at: "2026-11-30T07:00:00Z",
        expires_at: null,
        writes: { recent: 61, limit: 100, window_minutes: 60, total: 240 },
      },
      {
        id: "gr_2",
        client: { id: "cl_2", name: "<b>Codex</b>\u202e", verified_host: null },
        redirect_uri: "http://127.0.0.1:1455/cb",
        scopes: ["memory.read", "odd.scope"],
        approved_by: "ada@localhost",
        connected_at: "2026-11-02T08:00:00Z",
        last_used_at: null,
        expires_at: "2027-01-01T00:00:00Z",
        writes: { recent: 0, limit: 100, window_minutes: 60, total: 0 },
      },
    ];
    const clients = [
      { id: "cl_1", name: "Claude" },
      { id: "cl_3", name: "Idle one" },
    ];
    await withRoutes(page, [
      ["/api/oauth/grants", "get"],
      ["/api/oauth/clients", "get"],
      ["/api/status/connection", "get"],
    ]);
    const told = [];
    await page.route("**/api/oauth/**", (route) => {
      const request = route.request();
      if (request.method() === "DELETE") {
        told.push(new URL(request.url()).pathname);
        (request.url().includes("grants") ? grants : clients).splice(request.url().includes("grants") ? 0 : 1, 1);
        return route.fulfill({ status: 204 });
      }
      return route.fulfill({ json: request.url().includes("grants") ? { grants } : { clients } });
    });
    await page.route("**/api/status/connection", (route) =>
      route.fulfill({
        json: {
          checks: [
            { name: "Address answers", passed: true, detail: "200 in 80 ms" },
            { name: "Sign-in pages found", passed: false, detail: "the document is missing", setting: "PUBLIC_URL" },
          ],
          note: "Seen from inside.",
        },
      }),
    );
    await page.view("apps");
    await page.getByText("2 apps share this memory.").waitFor();
    await page.getByText("240 written in all; 61 of 100 calls in the last 60 minutes").waitFor();
    for (const text of [
      "claude.ai",
      "this computer, 127.0.0.1",
      "proposes memories",
      "odd.scope",
      "Never used yet",
      "<b>Codex</b>",
      "Idle one",
    ])
      ok((await page.locator("main").innerText()).includes(text), `${text} is shown`);
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByText("the document is missing").waitFor();
    await page.getByText("PUBLIC_URL").waitFor();
    same(await axe(page), [], "axe finds nothing");
    await shoot(page, "apps-connected");
    await page.getByRole("button", { name: "Disconnect Claude" }).click();
    await page.getByText("It loses access at once").waitFor();
    await page.locator("dialog").getByRole("button", { name: "Disconnect", exact: true }).click();
    await page.getByText("Claude is disconnected.").first().waitFor();
    await page.getByRole("button", { name: "Remove Idle one" }).click();
    await page.locator("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("Idle one is removed.").first().waitFor();
    same(told, ["/api/oauth/grants/gr_1", "/api/oauth/clients/cl_3"], "the vault was told");
  });

  test("each app's way to connect is ready to copy", async (page) => {
    await page.view("apps");
    for (const [name, text] of [
      ["Claude Code", "claude mcp add --transport http memory-vault"],
      ["Codex", "[mcp_servers.memory-vault]"],
      ["Cursor", '"mcpServers"'],
      ["VS Code", '"servers"'],
      ["Any other", "npx mcp-remote"],
      ["ChatGPT", "/mcp"],
      ["Claude", "/mcp"],
    ]) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.locator(".steps code", { hasText: text }).first().waitFor();
      const copy = page.locator(".steps .copy", { hasText: text }).first();
      await copy.getByRole("button").click();
      await until(async () => (await page.evaluate(() => navigator.clipboard.readText())).includes(text), `${name} is copied`);
    }
  });

  test("backup shows what is coming, and the real thing once the vault has it", async (page) => {
    const has = (await api("GET", "/api/openapi.json")).paths["/api/backup"];
    await page.view("backup");
    if (!has) {
      await page.getByText("Backups are not built into this vault yet.").waitFor();
      same(await page.locator("main .btn").count(), 0, "no button that does nothing");
    }
    await withRoutes(page, [
      ["/api/backup", "get"],
      ["/api/export", "get"],
      ["/api/restore", "post"],
    ]);
    await page.view("backup", "main .btn");
    same(await page.getByRole("link", { name: "Download a backup" }).getAttribute("href"), "/api/backup", "the download");
    same(await page.getByRole("link", { name: "CSV" }).getAttribute("href"), "/api/export?format=csv", "the table");
    await quiet(page);
  });

  test("the skip link leads to the page, and the phone's menu to every view", { page: false }, async () => {
    const page = await newPage({ width: 360, height: 740, touch: true });
    await page.view("audit");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    same(await page.evaluate(() => document.activeElement.id), "main", "focus is on the page");
    ok(page.url().endsWith("#/audit"), "the address stays");
    await page.getByRole("button", { name: "More", exact: true }).tap();
    same(await axe(page), [], "axe finds nothing in the menu");
    await page.locator("dialog").getByRole("link", { name: "Settings" }).tap();
    await page.waitForURL("**/#/settings");
    same(await page.locator("dialog[open]").count(), 0, "the menu is closed");
    same(page.complaints, [], "nothing complains");
    await page.leave();
  });

  test("one memory has the same words in every page that shows it", async (page) => {
    const { id, content } = await remember(`Exactly “these” words — 10² people, 5 mW, ½ & <tags> ${unique("same")}.`);
    await page.view(`memories/${id}`, ".detail .timeline li");
    same(await page.locator(".detail .word.read").textContent(), content, "in the panel");
    same((await memory(id)).content, content, "and in the vault");
  });
};
