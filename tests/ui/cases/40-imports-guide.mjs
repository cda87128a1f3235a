// Imports and the guide: what each button does, checked in the vault.
import { api, axe, ok, remember, same, shoot, unique } from "../support.mjs";

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
  test("a pasted list comes in, and the report accounts for every item", async (page) => {
    const word = unique("paste");
    await remember(`Knows ${word} already.`);
    await page.view("imports");
    await page
      .getByLabel("Paste memories here")
      .fill(
        `- The spare key to the ${word} shed hangs upstairs.\n- Knows ${word} already.\n- Rex, a brown dog, lives next to ${word} since June.`,
      );
    await page.getByLabel("From").fill("My notes");
    await page.getByRole("button", { name: "Bring in", exact: true }).click();
    await page.getByText("3 read: 2 kept and 1 you had already.").waitFor();
    await page.locator(".reason summary", { hasText: "Already yours" }).click();
    await page.getByRole("link", { name: "Open it." }).first().waitFor();
    await page.locator(".reason .word", { hasText: `Knows ${word} already.` }).waitFor();
    const found = (await api("GET", `/api/recall?q=${word}`)).results;
    same(found.length, 3, "three memories");
    ok(
      found.some((one) => one.source === "My notes"),
      "with their source",
    );
    same(await axe(page), [], "axe finds nothing in the report");
    await shoot(page, "import-report");
    await page.locator(".ledger").getByText("My notes").first().waitFor();
    same(await page.getByLabel("Paste memories here").inputValue(), "", "the box is empty again");
  });

  test("files are read, JSON item by item, with refusals by reason", async (page) => {
    const word = unique("file");
    await page.view("imports");
    await page
      .locator("input[type=file]")
      .setInputFiles([
        upload(
          "memories.json",
          JSON.stringify({
            memories: [
              { content: `${word} from JSON`, type: "fact", tags: ["json"] },
              { text: `${word} under another name` },
              `${word} as a string`,
              { content: "x".repeat(70_000) },
              "  ",
            ],
          }),
        ),
        upload("notes.md", `${word} first note\n\n${word} second note`),
      ]);
    await page.getByText("memories.json, 5 items").waitFor();
    await page.getByRole("button", { name: "Bring in", exact: true }).click();
    // What is close to one that is kept waits in the queue instead.
    await page.getByText(/^7 read: .*1 refused and 1 blank\.$/).waitFor();
    const found = (await api("GET", `/api/recall?q=${word}`)).results;
    same(found.length, 5, "five memories");
    same(found.find((one) => one.content.includes("from JSON")).tags, ["json"], "with their fields");
    same([...new Set(found.map((one) => one.source))].sort(), ["memories.json", "notes.md"], "each names its file");
  });

  test("several files are one import that names them, and what was not taken as given is said", async (page) => {
    const word = unique("several");
    const wide = Buffer.from(`\ufeffcontent\ttype\n${word} in a spreadsheet\tfact\n`, "utf16le");
    await page.view("imports");
    await page
      .locator("input[type=file]")
      .setInputFiles([
        upload(`${word}.csv`, `content;importance;mood\n${word} rows at dawn;7;glad\n`),
        { name: `${word}.tsv`, mimeType: "text/plain", buffer: wide },
        upload(`${word}.md`, `# Boat\n\n- the ${word} mast\n\n| a | b |\n| --- | --- |\n| ${word} | 2 |\n`),
      ]);
    await page.getByRole("button", { name: "Look first" }).click();
    await page.locator(".reason .word", { hasText: `Boat: the ${word} mast` }).waitFor();
    await page.getByRole("button", { name: "Bring in", exact: true }).click();
    await page.getByText(/^4 read: (?!.*would)/).waitFor();
    await page.getByText("1 was not taken quite as given; it says what was left out.").waitFor();
    await page.locator(".reason .warned", { hasText: "importance “7” is no number from 0 to 1: it is 0.5" }).waitFor();
    await page.getByText(`${word}.csv: Columns left out: “mood”.`).waitFor();
    same(await axe(page), [], "axe finds nothing in the report");
    await page.locator(".ledger a", { hasText: `${word}.csv and 2 more files` }).click();
    await page.locator("summary", { hasText: "files in this import" }).click();
    await page.locator(".reason li", { hasText: `${word}.md` }).waitFor();
    await page.locator(".table .warned").first().waitFor();
    const found = (await api("GET", `/api/recall?q=${word}`)).results;
    same(found.map((one) => one.source).sort(), [`${word}.csv`, `${word}.md`, `${word}.md`, `${word}.tsv`], "each item keeps its file");
  });

  test("a file that cannot be read is said, and can be left out", async (page) => {
    await page.view("imports");
    for (const [name, bytes, said] of [
      ["export.zip", "PK\x03\x04", "is a ZIP archive."],
      ["nothing.md", " \n", "is empty."],
      ["half.json", "[{", "is not valid JSON."],
    ]) {
      await page.locator("input[type=file]").setInputFiles([upload(name, bytes)]);
      await page.getByText(`${name}: ${said}`).waitFor();
    }
    await page
      .locator("input[type=file]")
      .setInputFiles([{ name: "photo.json", mimeType: "application/json", buffer: Buffer.from([0xff, 0xd8, 0x00]) }]);
    await page.getByText("photo.json: is not text in UTF-8 or UTF-16.").waitFor();
    await page.locator("input[type=file]").setInputFiles([upload("good.txt", "hello")]);
    await page.getByRole("button", { name: "Leave good.txt out" }).click();
    await page.getByRole("button", { name: "Bring in", exact: true }).click();
    await page.getByText("There is nothing to bring in yet.").waitFor();
  });

  test(
    "twelve hundred items are sent in parts; a break in between is resumed and nothing comes twice",
    { refusals: true },
    async (page) => {
      const word = unique("large");
      let calls = 0;
      await page.route("**/api/bulk", (route) => (++calls === 2 ? route.abort() : route.continue()));
      await page.view("imports");
      await page
        .locator("input[type=file]")
        .setInputFiles([upload("large.json", JSON.stringify(Array.from({ length: 1200 }, (_, i) => `${word} item number ${i}`)))]);
      await page.getByRole("button", { name: "Bring in", exact: true }).click();
      await page.getByText("It stopped.").waitFor();
      await page.getByRole("button", { name: "Go on" }).click();
      await page.getByText(/^1200 read: (?!.*(?:refused|already))/).waitFor({ timeout: 60_000 });
      const text = Array.from({ length: 1200 }, (_, i) => `- ${word} item number ${i}`).join("\n");
      await page.getByLabel("Paste memories here").fill(text);
      await page.getByRole("button", { name: "Bring in", exact: true }).click();
      await page.getByText("1200 read: 1200 you had already.").waitFor({ timeout: 60_000 });
      same((await api("GET", `/api/recall?q=${word}&limit=1`)).total, 1200, "each is there once");
    },
  );

  test("an import that waits is approved from the list as a whole", async (page) => {
    const word = unique("batch");
    const report = await api("POST", "/api/bulk", { items: [`${word} one`], source: word });
    const approved = [];
    await page.route("**/api/batches?**", async (route) => {
      const answer = await (await route.fetch()).json();
      answer.batches.forEach((batch) => batch.id === report.batch_id && (batch.proposed = approved.length ? 0 : 1));
      await route.fulfill({ json: answer });
    });
    page.on(
      "response",
      (response) => response.url().endsWith(`/api/batches/${report.batch_id}/approve`) && approved.push(response.status()),
    );
    await page.view("imports");
    const line = page.locator(".line", { hasText: word });
    ok((await line.getByRole("link", { name: "Decide one by one" }).getAttribute("href")).endsWith(report.batch_id), "it can be looked at first");
    const undoes = Boolean((await api("GET", "/api/openapi.json")).paths["/api/batches/{id}/undo"]);
    same((await line.getByRole("button", { name: /Undo/ }).count()) > 0, undoes, "undo is offered where the vault can");
    await line.getByRole("button", { name: "Approve the one" }).click();
    await page
      .getByText(/approved\./)
      .first()
      .waitFor();
    same(approved, [200], "the vault was told");
  });

  test("an import is undone once the vault can do that, after asking", async (page) => {
    const word = unique("undoimport");
    const report = await api("POST", "/api/bulk", { items: [`${word} one`], source: word });
    await withRoutes(page, [["/api/batches/{id}/undo", "post"]]);
    const told = [];
    await page.route(
      "**/api/batches/*/undo",
      (route) => (told.push(route.request().url()), route.fulfill({ json: { id: report.batch_id, undone: 1 } })),
    );
    await page.view("imports");
    await page.locator(".line", { hasText: word }).getByRole("button", { name: "Undo this import" }).click();
    await page.locator("dialog").getByRole("button", { name: "Undo this import" }).click();
    await page.getByText(/^Import undone/).first().waitFor();
    ok(told[0].includes(report.batch_id), "the vault was told");
  });

  test("the guide is written, compared, saved as a version, and an earlier one brought back", async (page) => {
    const word = unique("guide");
    const before = await api("GET", "/api/guide");
    await page.view("guide", ".desk textarea");
    const text = page.getByLabel("The guide in Markdown");
    await text.fill(`${before.content}\n\n## ${word}\n\n- Say **${word}** first.`);
    await page.locator(".preview li b", { hasText: word }).waitFor();
    await page.locator(".difflines .add", { hasText: word }).first().waitFor();
    same(await axe(page), [], "axe finds nothing while writing");
    ok(await page.getByRole("button", { name: `Save version ${before.version + 1}` }).isVisible(), "saving is offered");
    await page.keyboard.press("Control+s");
    await page
      .getByText(`Saved as version ${before.version + 1}.`)
      .first()
      .waitFor();
    ok((await api("GET", "/api/guide")).content.includes(word), "it is saved");
    await page
      .locator(".line", { hasText: `Version ${before.version + 1}` })
      .getByRole("link", { name: "What changed" })
      .click();
    await page.getByText(`What version ${before.version + 1} changed`).waitFor();
    await page
      .locator(".line", { hasText: new RegExp(`Version ${before.version}(?!\\d)`) })
      .getByRole("button", { name: "Bring back" })
      .click();
    await page
      .getByText(`Version ${before.version} is back, as version ${before.version + 2}.`)
      .first()
      .waitFor();
    same((await api("GET", "/api/guide")).content, before.content, "the earlier words are in use");
    await page.locator("#undo").click();
    await page.getByText("Back as it was").first().waitFor();
    ok((await api("GET", "/api/guide")).content.includes(word), "undo brings the newer one back");
    await api("PUT", "/api/guide", { content: before.content });
  });

  test("two people writing the guide do not overwrite each other unseen, and what is typed stays", { refusals: true }, async (page) => {
    const before = await api("GET", "/api/guide");
    await page.view("guide", ".desk textarea");
    await page.getByLabel("The guide in Markdown").fill(`${before.content}\n\nMine.`);
    await api("PUT", "/api/guide", { content: `${before.content}\n\nTheirs.` });
    await page.getByRole("button", { name: /^Save version/ }).click();
    await page.getByText("Not saved.").waitFor();
    ok((await page.getByLabel("The guide in Markdown").inputValue()).endsWith("Mine."), "what was typed is there");
    await page.to("status", ".figures");
    await page.to("guide", ".desk textarea");
    ok((await page.getByLabel("The guide in Markdown").inputValue()).endsWith("Mine."), "also after a visit elsewhere");
    await page.getByRole("button", { name: "Discard" }).click();
    ok((await page.getByLabel("The guide in Markdown").inputValue()).endsWith("Theirs."), "discarding shows the one in use");
    await page.locator("#undo").click();
    ok((await page.getByLabel("The guide in Markdown").inputValue()).endsWith("Mine."), "and can be undone");
    await page.getByRole("button", { name: "Discard" }).click();
    await api("PUT", "/api/guide", { content: before.content });
  });
};
