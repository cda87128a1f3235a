// Hostile content is text: it runs nothing, loads nothing, breaks nothing, and what it hides is shown.
import { api, newPage, ok, propose, quiet, remember, same, shoot, sideways, unique } from "../support.mjs";

const MARKUP = `<img src=x onerror=alert(1)><script>alert(2)</script></script><svg onload=alert(3)>[x](javascript:alert(4))"'><style>*{display:none}</style>{{7*7}}\${alert(5)}`;

async function everywhere(page, ids, word, check) {
  for (const view of [
    "",
    "review",
    `review/${ids.proposed}`,
    `memories?q=${word}`,
    `memories/${ids.kept}`,
    `memories/${ids.proposed}`,
    `ask?q=${word}`,
    "imports",
    "guide",
    "audit",
    "status",
  ]) {
    await page.view(view);
    await check(view);
  }
}

export default (test) => {
  // U-157
  test("markup in every field is shown as it is and does nothing", async (page) => {
    const word = unique("xss");
    const fields = {
      source: MARKUP.slice(0, 150),
      session: MARKUP.slice(0, 150),
      author: MARKUP.slice(0, 150),
      tags: [MARKUP.slice(0, 40)],
    };
    const kept = await remember(`${word} ${MARKUP}`, fields);
    const proposed = await propose(`${word} changed ${MARKUP}`, { ...fields, supersedes: kept.id });
    await api("POST", "/api/bulk", { items: [`${word} import ${MARKUP}`], source: MARKUP.slice(0, 150) });
    const guide = await api("GET", "/api/guide");
    await api("PUT", "/api/guide", {
      content: `# ${MARKUP}\n\n- ${MARKUP}\n\n[click](javascript:alert(6)) **${MARKUP}** \`${MARKUP}\`\n\n${guide.content}`,
    });
    try {
      await everywhere(page, { kept: kept.id, proposed: proposed.id }, word, async (view) => {
        same(
          await page.evaluate(
            () => document.querySelectorAll("main img, main script, main style, [onerror], [onload], a[href^='javascript']").length,
          ),
          0,
          `nothing came to life in ${view}`,
        );
        same(await sideways(page), 0, `${view} does not scroll sideways`);
      });
      await page.view(`memories/${kept.id}`, ".detail .timeline li");
      ok((await page.locator(".detail .word.read").innerText()).includes("<img src=x onerror=alert(1)>"), "it is readable");
    } finally {
      await api("PUT", "/api/guide", { content: guide.content });
    }
  });

  // U-156
  test("what cannot be seen is drawn with its code", async (page) => {
    const word = unique("hidden");
    const one = await propose(`${word} buy milk`);
    // The vault cleans what it stores; what an older one left must be shown all the same.
    await page.route("**/api/memories**", async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replaceAll(
        `${word} buy milk`,
        `${word} buy\\u200b\\u200b\\u200b milk\\u202e yad\\u0007${"\u{e0061}\u{e0062}"}`,
      );
      await route.fulfill({ response, body: text });
    });
    await page.view(`review/${one.id}`, ".case");
    same(await page.locator(".sideof .ghost").allInnerTexts(), ["3 × U+200B", "U+202E", "3 × U+0007"], "the boxes");
    await page.getByText("7 characters in it cannot be seen").first().waitFor();
    await page.keyboard.press("a");
    same(await page.locator(".toast").count(), 0, "no key approves it");
    await shoot(page, "hidden-characters");
  });

  test("emoji, joiners that a script needs, and right-to-left text are left alone", async (page) => {
    const { id } = await remember(`👩‍👩‍👧 ❤️ 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} می‌خواهم שלום ${unique("rtl")}`);
    await page.view(`memories/${id}`, ".detail .timeline li");
    same(await page.locator(".detail .ghost").count(), 0, "nothing is drawn as hidden");
  });

  for (const [name, options] of [
    ["a desk", {}],
    ["a phone", { width: 360, height: 740, touch: true }],
  ]) {
    test(`64 KB of text, one endless word and stacked marks break no page on ${name}`, { page: false }, async () => {
      const page = await newPage(options);
      const word = unique("huge");
      const text = `${word} ${"x".repeat(30_000)} ${"word ".repeat(6_000)}`.trim();
      const kept = await remember(text, { tags: ["y".repeat(64)], source: "z".repeat(200), author: "w".repeat(200) });
      const proposed = await propose(`${text} z`, { supersedes: kept.id });
      await remember(`${word} z${"\u0301\u0323\u0489".repeat(40)}algo`);
      await everywhere(page, { kept: kept.id, proposed: proposed.id }, word, async (view) =>
        same(await sideways(page), 0, `${view} does not scroll sideways`),
      );
      await page.view(`memories/${kept.id}`, ".detail .timeline li");
      same((await page.locator(".detail .word.read").textContent()).length, text.length, "all of it can be read");
      await page.view(`review/${proposed.id}`, ".sides");
      same(await page.locator(".sideof.new ins").count(), 1, "the change in it is found");
      same(page.complaints, [], "nothing complains");
      await api("POST", `/api/memories/${proposed.id}/reject`);
      await page.leave();
    });
  }

  test("names of apps are text too", async (page) => {
    const one = await propose(`From a strange app: ${unique("app")}.`);
    await page.route("**/api/memories**", async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        body: (await response.text()).replaceAll(/"created_by":"[^"]*"/g, '"created_by":"mcp:<img src=x onerror=alert(1)>\\u202egnp"'),
      });
    });
    await page.view(`review/${one.id}`, ".case");
    ok((await page.locator(".case-head").innerText()).includes("<img src=x onerror=alert(1)>"), "the name as it is");
    ok((await page.locator(".case-head .ghost").count()) > 0, "with its trick shown");
    await quiet(page);
  });
};
