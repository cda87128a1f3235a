// What looks after the vault: clearing away, restoring, erasing, making the index anew, and imports looked at before they come
// in. Routes that a vault may not have yet are answered here, in the shapes of its contract.
import { URL_, api, axe, ok, propose, quiet, remember, same, shoot, unique, until, withRoutes } from "../support.mjs";

const upload = (name, text) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(text) });
const json = (body, status = 200) => ({ status, contentType: "application/json", body: JSON.stringify(body) });
/** Answers `/api/status` with more than the vault says. */
const withStatus = (page, more) =>
  page.route("**/api/status", async (route) => {
    const answer = await (await route.fetch()).json();
    return route.fulfill(json({ ...answer, ...(typeof more === "function" ? more(answer) : more) }));
  });

export default (test) => {
  test("history shows what the next clearing takes, how long the past stays, and clears away after asking", async (page) => {
    const old = await remember(`The ${unique("old")} key hung in the hall.`);
    await remember(`The ${unique("old")} key hangs in the kitchen.`, { supersedes: old.id });
    await withRoutes(page, [
      ["/api/retention", "get"],
      ["/api/retention/run", "post"],
    ]);
    let cleared = false;
    await page.route("**/api/retention", (route) =>
      route.fulfill(
        json({
          would_remove: { superseded: cleared ? 0 : 1, rejected: cleared ? 0 : 3, audit: 0, dead_jobs: 0 },
          ids: { superseded: cleared ? [] : [old.id], rejected: [] },
          next_run_at: "2026-12-01T03:00:00Z",
          last_run: { at: "2026-11-30T03:00:00Z", removed: { superseded: 2, rejected: 0, audit: 0 } },
        }),
      ),
    );
    await page.route("**/api/retention/run", (route) => ((cleared = true), route.fulfill(json({ removed: { superseded: 1, rejected: 3 }, ids: {}, more: false }))));
    const told = [];
    await page.route("**/api/settings", async (route) => {
      const settings = await (await route.fetch({ method: "GET", postData: undefined })).json();
      if (route.request().method() === "PUT") told.push(route.request().postDataJSON());
      return route.fulfill(json({ superseded_days: 365, rejected_days: 30, audit_days: 365, ...settings, ...told.at(-1) }));
    });
    await page.view("history", ".days");
    await page.getByText("1 replaced memory and 3 rejected proposals.").waitFor();
    await page.locator("section", { hasText: "What the next clearing takes" }).getByText("key hung in the hall").waitFor();
    same(await axe(page), [], "axe finds nothing");
    await shoot(page, "history-retention");
    await page.locator("input[name=superseded_days]").fill("0");
    await page.getByRole("button", { name: "Save these days" }).click();
    await page.getByText("Saved.").first().waitFor();
    same(told, [{ superseded_days: 0 }], "only what changed is sent");
    await page.locator("#undo").click();
    await until(() => told.length === 2, "undo is sent");
    same(told[1], { superseded_days: 365 }, "and brings the days back");
    await page.locator("input[name=rejected_days]").fill("");
    await page.getByRole("button", { name: "Save these days" }).click();
    await page.locator(".wrong").waitFor();
    await page.getByRole("button", { name: "Clear away now…" }).click();
    same(await page.evaluate(() => document.activeElement.textContent), "Keep them", "focus starts on the safe button");
    ok(!cleared, "nothing is cleared by asking");
    await page.getByRole("button", { name: "Clear them away" }).click();
    await page.getByText("1 replaced memory and 3 rejected proposals cleared away.").first().waitFor();
    await page.getByText("Nothing is old enough.").waitFor();
  });

  test("a backup is sent in parts, checked, shown for what it is, and only then restored", async (page) => {
    await remember(`Here before ${unique("restore")}.`);
    await withRoutes(page, [
      ["/api/backup", "get"],
      ["/api/restore", "post"],
    ]);
    const told = [];
    const view = { id: "res_1", state: "receiving", bytes: 0, checked_bytes: 0, hashes_corrected: 0, embeddings_kept: 2, vault_is_empty: false, committing: false, parts: [] };
    let looks = 0;
    await page.route("**/api/restore", (route) => route.fulfill(route.request().method() === "GET" ? json(null) : json(view, 201)));
    await page.route("**/api/restore/res_1**", (route) => {
      const { pathname, search } = new URL(route.request().url());
      told.push(`${route.request().method()} ${pathname.replace("/api/restore/res_1", "")}${search}`);
      if (route.request().method() === "DELETE") return route.fulfill({ status: 204 });
      if (pathname.endsWith("/commit")) return route.fulfill(json({ ...view, state: "restored", outcome: { left_out: 1, to_embed: 3 } }));
      if (route.request().method() === "PUT") return route.fulfill(json({ ...view, bytes: 9_000_000 }));
      looks += 1;
      return route.fulfill(json(looks < 2 ? { ...view, state: "checking", bytes: 9_000_000, checked_bytes: 5_000_000 } : { ...view, state: "ready", bytes: 9_000_000, backup: { made_at: "2026-11-01T08:00:00Z", tables: [{ name: "memories", rows: 1200 }, { name: "exclusions", rows: 4 }] }, forgotten_since: { memories: 2, ids: [] } }));
    });
    await page.view("backup", "main .btn");
    await page.locator("input[type=file]").setInputFiles([upload("vault.jsonl", "x".repeat(9_000_000))]);
    await page.getByText("Checked: the file is whole").waitFor();
    const text = await page.locator("main").innerText();
    for (const part of ["1 November 2026", "1,200", "Leave out 2 you forgot since"]) ok(text.includes(part), `${part} is shown`);
    same(told.filter((one) => one.startsWith("PUT")), ["PUT /parts/1", "PUT /parts/2"], "in two parts");
    ok(!told.some((one) => one.includes("commit")), "nothing is restored yet");
    same(await axe(page), [], "axe finds nothing");
    await shoot(page, "backup-checked");
    await page.getByRole("button", { name: "Restore this backup…" }).click();
    await page.getByText(/^Restore over /).waitFor();
    same(await page.evaluate(() => document.activeElement.textContent), "Keep what is here", "focus starts on the safe button");
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await page.getByText(/^Restored\. 1 that you forgot since stayed out/).first().waitFor();
    ok(told.includes("POST /commit?replace=1"), "the vault was told");
  });

  test("a file that is no backup is refused by name of the fault, and nothing changes", async (page) => {
    await withRoutes(page, [["/api/restore", "post"]]);
    const view = { id: "res_2", state: "broken", bytes: 9, checked_bytes: 9, hashes_corrected: 0, vault_is_empty: true, committing: false, fault: { line: 1, message: "is not the header of a backup <b>x</b>" } };
    const told = [];
    await page.route("**/api/restore", (route) => route.fulfill(route.request().method() === "GET" ? json(null) : json({ ...view, state: "receiving" }, 201)));
    await page.route("**/api/restore/res_2**", (route) => (told.push(route.request().method()), route.fulfill(route.request().method() === "DELETE" ? { status: 204 } : json(view))));
    await page.view("backup", "main .btn");
    await page.locator("input[type=file]").setInputFiles([upload("odd.json", "{}")]);
    await page.getByText("This file cannot be restored.").waitFor();
    await page.getByText("Line 1: is not the header of a backup <b>x</b>.").waitFor();
    await page.getByRole("button", { name: "Do not restore" }).click();
    await page.getByRole("button", { name: "Choose a backup…" }).waitFor();
    same(told, ["PUT", "GET", "DELETE"], "the file is thrown away");
  });

  test("erasing the vault takes typed words, shows on every page, and is called off with one press", async (page) => {
    await withRoutes(page, [
      ["/api/erase", "post"],
      ["/api/backup", "get"],
    ]);
    const told = [];
    let at = null;
    await page.route("**/api/erase", (route) => {
      told.push([route.request().method(), route.request().postDataJSON?.() ?? null]);
      at = route.request().method() === "POST" ? "2026-12-07T10:00:00Z" : null;
      return route.fulfill(at ? json({ erases_at: at }, 202) : { status: 204 });
    });
    await withStatus(page, () => (at ? { erase_at: at } : {}));
    await page.view("backup", "main .btn");
    await page.getByRole("button", { name: "Erase everything…" }).click();
    same(await page.evaluate(() => document.activeElement.textContent), "Keep my vault", "focus starts on the safe button");
    const now = page.getByRole("button", { name: "Erase it after the days of grace" });
    ok(await now.isDisabled(), "the button sleeps until the words are typed");
    await page.getByLabel("Type “erase my vault” to go on").fill("erase my");
    ok(await now.isDisabled(), "half of them is not enough");
    await page.keyboard.press("Enter");
    same(told, [], "nothing was sent");
    same(await axe(page), [], "axe finds nothing");
    await page.getByLabel("Type “erase my vault” to go on").fill("erase my vault");
    await now.click();
    await page.getByText("This vault will be erased on").waitFor();
    same(told[0], ["POST", { confirm: "erase my vault" }], "the vault was told");
    await page.to("memories");
    await page.getByText("This vault will be erased on").waitFor();
    await page.locator(".banner").getByRole("button", { name: "Keep my vault" }).click();
    await page.getByText("The vault stays.").first().waitFor();
    await page.getByText("This vault will be erased on").waitFor({ state: "detached" });
    same(told[1][0], "DELETE", "and was told again");
  });

  test("the index is made anew from Status, with progress that follows by itself", async (page) => {
    let done = -1;
    await withStatus(page, ({ index }) => ({
      index: { ...index, total: 50, embedded: 50, pending: 0, dead: 0, engine: "auto", engine_in_use: "vault", ...(done >= 0 && done < 40 ? { rebuild: { done: (done += 15), total: 50 } } : {}) },
    }));
    const told = [];
    await page.route("**/api/reindex**", (route) => (told.push(new URL(route.request().url()).search), (done = 0), route.fulfill(json({ status: "begun" }, 202))));
    await page.view("status", "#index");
    await page.getByText("50 of 50").waitFor();
    await page.getByRole("button", { name: "Make it anew" }).click();
    await page.getByText("15 of 50 made anew.").waitFor();
    same(await axe(page), [], "axe finds nothing");
    await page.getByText("30 of 50 made anew.").waitFor();
    await page.getByText("made anew.").waitFor({ state: "detached" });
    same(told, ["?reembed=1"], "the vault was told once");
  });

  // U-216
  test("what does not answer is said on every page, and everything else works", async (page) => {
    const word = unique("degraded");
    await remember(`The ${word} lamp is green.`);
    await withStatus(page, ({ index }) => ({ recall_mode: "local", index: { ...index, parked: { jobs: 12, until: "2030-01-01T10:00:00Z", reason: "<i>out of neurons</i>" } } }));
    for (const view of ["", "memories", "review", "map", "guide"]) {
      await page.view(view);
      await page.getByText("Workers AI does not answer.").waitFor();
      same(await axe(page), [], `axe finds nothing in ${view || "home"}`);
    }
    await page.view(`memories?q=${word}`, ".ledger .line");
    await page.view("status", "#index");
    await page.getByRole("heading", { name: "Workers AI does not answer." }).waitFor();
    ok((await page.locator("main").innerText()).includes("<i>out of neurons</i>"), "the reason is text");
  });

  test("an import is looked at before it comes in, goes on over several calls, and each item has its reason", async (page) => {
    const word = unique("dry");
    await page.route("**/api/openapi.json", async (route) => {
      const document = await (await route.fetch()).json();
      document.paths["/api/bulk"].post.parameters = [{ name: "dry_run", in: "query" }];
      document.components.schemas.Bulk.properties.batch_id = {};
      await route.fulfill(json(document));
    });
    const told = [];
    await page.route("**/api/bulk**", (route) => {
      const dry = new URL(route.request().url()).searchParams.get("dry_run") === "1";
      const body = route.request().postDataJSON();
      told.push({ dry, batch: body.batch_id ?? null, more: body.more ?? false });
      const step = told.filter((one) => !one.dry).length;
      const items = dry || step === 1
        ? [{ index: 0, outcome: "stored" }, { index: 1, outcome: "near_duplicate", reason: "says the same as one you keep" }]
        : [{ index: 2, outcome: "refused", reason: "looks like a password" }];
      return route.fulfill(json({ ...(dry ? { dry_run: true } : { batch_id: "bat_1" }), state: "done", status: "active", read_as: "text", total: 3, remaining: dry ? 0 : step === 1 ? 1 : 0, items }));
    });
    await page.view("imports", "textarea");
    await page.locator("textarea").fill(`- One ${word}\n- Two ${word}\n- Three ${word}`);
    await page.getByRole("button", { name: "Look first" }).click();
    await page.getByText("What would become of it").waitFor();
    await page.getByText("2 read: 1 would be kept and 1 you keep in other words.").waitFor();
    await page.getByText("Nothing has been stored yet.").waitFor();
    ok((await page.locator("textarea").inputValue()).includes(word), "the text stays");
    same(await axe(page), [], "axe finds nothing");
    await shoot(page, "imports-dry");
    await page.getByRole("button", { name: "Bring them in" }).click();
    await page.getByText("3 read: 1 kept, 1 you keep in other words and 1 refused.").waitFor();
    same(told, [{ dry: true, batch: null, more: false }, { dry: false, batch: null, more: false }, { dry: false, batch: "bat_1", more: false }], "the second call goes on with the first");
  });

  test("one import shows what became of each item, and what stayed when it is undone", async (page) => {
    const one = await remember(`Brought in ${unique("batch")}.`);
    await withRoutes(page, [
      ["/api/batches/{id}", "get"],
      ["/api/batches/{id}/undo", "post"],
    ]);
    let undone = false;
    await page.route("**/api/batches/bat_7**", (route) => {
      const { pathname, searchParams } = new URL(route.request().url());
      if (pathname.endsWith("/undo")) return (undone = true), route.fulfill(json({ id: "bat_7", undone_at: "2026-11-30T09:00:00Z", removed: 1, restored: 1, kept: [{ id: one.id, reason: "was edited since <b>x</b>" }] }));
      const items = [{ index: 0, outcome: "stored", id: one.id }, { index: 1, outcome: "refused", reason: "looks like a password" }].filter((item) => !searchParams.get("outcome") || item.outcome === searchParams.get("outcome"));
      return route.fulfill(json({ id: "bat_7", created_by: "owner:ada", created_at: "2026-11-30T08:00:00Z", source: "<i>list</i>", read_as: "text", state: undone ? "undone" : "done", ...(undone ? { undone_at: "2026-11-30T09:00:00Z" } : {}), counts: { total: 2, stored: 1, duplicate: 0, excluded: 0, blank: 0, refused: 1 }, proposed: 0, active: 1, items, next_cursor: null }));
    });
    await page.view("imports/bat_7", "table");
    await page.getByText("looks like a password").waitFor();
    await page.locator("td .word", { hasText: "Brought in" }).waitFor();
    same(await axe(page), [], "axe finds nothing");
    await page.getByRole("button", { name: /^Refused/ }).click();
    await until(async () => (await page.locator("tbody tr").count()) === 1, "one is left");
    await page.getByRole("button", { name: "Undo this import" }).click();
    await page.locator("dialog").getByRole("button", { name: "Undo this import" }).click();
    await page.getByText("Import undone: 1 taken back, 1 holds again, 1 stayed.").first().waitFor();
    await page.getByText("was edited since <b>x</b>").waitFor();
    same(await page.getByRole("button", { name: "Undo this import" }).count(), 0, "it is not undone twice");
  });

  test("many are decided in one call and taken back by the vault", async (page) => {
    const word = unique("bulk");
    const ids = [];
    for (const at of [1, 2, 3]) ids.push((await propose(`The ${word} number ${at} is blue.`)).id);
    await withRoutes(page, [["/api/review", "post"]]);
    const told = [];
    await page.route("**/api/review", async (route) => {
      const { action, ids: asked } = route.request().postDataJSON();
      told.push([action, asked.filter((id) => ids.includes(id)).length]);
      if (action === "reject") for (const id of asked) await api("POST", `/api/memories/${id}/reject`);
      return route.fulfill(json({ done: asked, left: [] }));
    });
    await page.view("review", ".case");
    for (const id of ids) await page.locator(`.queue li:has([data-id="${id}"]) input`).check({ force: true });
    await page.getByRole("button", { name: "Reject 3" }).click();
    await page.to("status", ".figures");
    await page.getByText("3 rejected.").first().waitFor();
    await page.locator("#undo").click();
    await page.getByText("Back in the queue: 3.").first().waitFor();
    same(told, [["reject", 3], ["undecide", 3]], "in one call each");
  });

  test("flags of the vault, likeness and possible disagreement are shown with the case", async (page) => {
    const word = unique("flag");
    const kept = await remember(`The ${word} meeting is on Tuesday.`);
    const flagged = await propose(`A harmless looking ${word} text.`);
    const other = await propose(`The ${word} meeting is on Friday.`);
    const with_ = (memory) => ({
      ...memory,
      ...(memory.id === flagged.id ? { flags: ["instructions"] } : {}),
      ...(memory.id === other.id ? { may_conflict_with: [kept.id], similar_to: kept.id, similarity: 0.87 } : {}),
    });
    await page.route("**/api/memories?**", async (route) => {
      const answer = await (await route.fetch()).json();
      return route.fulfill(json({ ...answer, memories: answer.memories.map(with_) }));
    });
    await page.view(`review/${flagged.id}`, ".case");
    await page.getByText("Probably not yours").waitFor();
    ok(await page.locator(".decide .btn.primary", { hasText: "Reject" }).isVisible(), "Reject is the primary");
    await page.to(`review/${other.id}`, ".sides");
    await page.getByText("It may disagree with one you keep. Which is true now?").waitFor();
    await page.getByText("87 % alike in meaning").waitFor();
    same(await axe(page), [], "axe finds nothing");
  });

  test("who is signed in can sign out, at the address the vault gives and at no other", async (page) => {
    let sign_out = "https://team.example.test/logout";
    await page.route("http://vault.example.test/**", async (route) => {
      const { pathname, search } = new URL(route.request().url());
      if (pathname === "/api/me") return route.fulfill(json({ email: "ada@example.test", role: "owner", sign_out, dev: false }));
      return route.fulfill({ response: await route.fetch({ url: `${URL_}${pathname}${search}` }) });
    });
    await page.goto("http://vault.example.test/");
    const link = page.locator("#side").getByRole("link", { name: "Sign out" });
    await until(async () => (await link.getAttribute("title")) === "Signed in as ada@example.test", "the vault said who it is");
    same(await link.getAttribute("href"), sign_out, "the address");
    sign_out = "javascript:alert(1)";
    await page.reload();
    await page.locator(".lede h1").waitFor();
    await until(async () => (await link.count()) === 0, "an address that is none is not offered");
  });

  test("a row keeps its button while others come in before it", async (page) => {
    const clients = [{ id: "cl_1", name: "First" }, { id: "cl_9", name: "Last" }];
    const grants = [{ id: "gr_1", client: clients[0], redirect_uri: "http://127.0.0.1:1/", scopes: [], connected_at: "2026-11-01T08:00:00Z", last_used_at: null, expires_at: null }];
    await withRoutes(page, [
      ["/api/oauth/grants", "get"],
      ["/api/oauth/clients", "get"],
    ]);
    await page.route("**/api/oauth/**", (route) => {
      if (route.request().method() === "DELETE") return grants.pop(), route.fulfill({ status: 204 });
      return route.fulfill(json(route.request().url().includes("grants") ? { grants } : { clients }));
    });
    await page.view("apps");
    const button = await page.getByRole("button", { name: "Remove Last" }).elementHandle();
    await page.getByRole("button", { name: "Disconnect First" }).click();
    await page.locator("dialog").getByRole("button", { name: "Disconnect", exact: true }).click();
    await page.getByRole("button", { name: "Remove First" }).waitFor();
    same(await button.getAttribute("aria-label"), "Remove Last", "a click on its way still means the same app");
    await quiet(page);
  });
};
