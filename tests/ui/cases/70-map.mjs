// The map: memories as dots one can find, choose, come closer to and open, by mouse, finger and key; and the same as a list.
import { api, axe, memory, newPage, ok, quiet, same, shoot, unique, until } from "../support.mjs";

const BOATS = ["jib", "rudder", "anchor", "keel", "halyard", "winch"];
const MEALS = ["soup", "bread", "salad", "risotto", "omelette", "curry"];

/** Two kinds of memories, enough for hills. */
async function prepare() {
  const word = unique("Kestrel");
  const items = Array.from({ length: 36 }, (_, at) =>
    at % 2
      ? { content: `The ${BOATS[at % 6]} of the boat ${word} was mended in the harbour, boat log ${at}`, type: "event" }
      : { content: `Cooks ${MEALS[at % 6]} without nuts for dinner, recipe ${at} of ${word}`, type: "preference" },
  );
  await bringIn(items);
  return word;
}
/** Brings them in, and lets in what would wait for being close to another. */
async function bringIn(items) {
  const { batch_id } = await api("POST", "/api/bulk", { items });
  await api("POST", `/api/batches/${batch_id}/approve`);
  // A large vault's map is drawn in the background: until then it shows how it was before.
  await until(async () => {
    const { redrawing, pending } = await api("GET", "/api/map");
    return !redrawing && !pending;
  }, "the map stands");
}
const open = (page, more = "") => page.view(`map${more}`, ".mapwrap canvas");
/** Where the canvas has ink of the chosen ring, or how many of its pixels have any. */
const inked = (page) =>
  page.evaluate(() => {
    const canvas = document.getElementById("map");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 3; at < data.length; at += 4) if (data[at] > 200) count += 1;
    return count;
  });
const chosenId = (page) => new URL(page.url().replace("#/", "")).searchParams.get("id");

export default (test) => {
  test("the map draws every memory in force, with hills named by their own words", async (page) => {
    await prepare();
    await open(page);
    await until(async () => (await inked(page)) > 100, "dots are drawn");
    const map = await api("GET", "/api/map");
    const { memories } = await api("GET", "/api/status");
    same(map.points.id.length + map.pending, Math.min(memories.active, 10_000), "as many as are active");
    ok(map.hills.length > 1, "there are hills");
    await until(async () => (await page.locator(".maplabel:not(.away)").count()) > 0, "names are shown");
    const text = await page.locator(".legend").innerText();
    ok(/event\s*\d/.test(text) && /preference\s*\d/.test(text), `the legend says what is what: ${text}`);
    same(await axe(page), [], "axe finds nothing");
    await shoot(page, "map-real");
  });

  test("dots can be coloured by type, app and age, and the choice stays in the address", async (page) => {
    await prepare();
    await open(page);
    for (const [name, says] of [
      ["App", "you"],
      ["Age", "this week"],
      ["Type", "event"],
    ]) {
      await page.getByRole("group", { name: "Colour by" }).getByRole("button", { name }).click();
      await page.locator(".legend", { hasText: says }).waitFor();
      ok(page.url().includes(name === "Type" ? "#/map" : `by=${name.toLowerCase()}`), "the address says it");
      same(await axe(page), [], `axe finds nothing by ${name}`);
    }
    await open(page, "?by=age");
    await page.locator(".legend", { hasText: "this week" }).waitFor();
  });

  test("a dot is chosen by a click, read, and opened; its neighbours are one press away", async (page) => {
    await prepare();
    await open(page);
    const map = await api("GET", "/api/map");
    const box = await page.locator("#map").boundingBox();
    const labels = await page.locator(".maplabel:not(.away)").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    const tools = await page.locator(".maptools").boundingBox();
    const { room, wide, high } = await page.evaluate(async (aspect) => {
      const { ROOM, cellsOf } = await import("/ui/lib/ground.js");
      return { room: ROOM, ...cellsOf(aspect) };
    }, box.width / box.height);
    const on = (value, cells) => (room + (value / map.parts) * (cells - 2 * room)) / cells;
    const at = (place) => ({ x: on(map.points.x[place], wide) * box.width, y: on(map.points.y[place], high) * box.height });
    const hidden = ({ x, y }) => [...labels, tools].some((one) => x + box.x > one.x - 3 && x + box.x < one.x + one.width + 3 && y + box.y > one.y - 3 && y + box.y < one.y + one.height + 3);
    const place = map.points.id.findIndex((_, index) => !hidden(at(index)));
    await page.locator("#map").click({ position: at(place) });
    await page.locator(".mapcard .word").first().waitFor();
    const id = chosenId(page);
    const content = (await memory(id)).content;
    ok((await page.locator(".mapcard .word").first().innerText()).startsWith(content.slice(0, 20)), "the card shows its text");
    await page.getByRole("button", { name: "Show its neighbours" }).click();
    // A long title ends with the same sign that stands for a text still to come.
    await until(async () => !(await page.locator(".mapnear li").allInnerTexts()).includes("…"), "neighbours are read");
    same(await page.locator(".mapnear li").count(), 6, "six of them");
    await page.locator(".mapnear button").first().click();
    ok(chosenId(page) !== id, "a neighbour is chosen in its turn");
    await page.locator(".mapcard").getByRole("link", { name: "Open" }).click();
    await page.locator(".detail h2").waitFor();
    await page.goBack();
    await page.locator(".mapcard .word").first().waitFor();
    await page.locator(".mapcard").getByRole("button", { name: "Close" }).click();
    same(await page.locator(".mapcard").count(), 0, "the card is gone");
  });

  test("the map is walked by keys alone: choose, come closer, open", async (page) => {
    await prepare();
    await open(page);
    await page.locator("#map").focus();
    await page.keyboard.press("ArrowRight");
    await page.locator(".mapcard .word").first().waitFor();
    const first = chosenId(page);
    for (const key of ["ArrowLeft", "ArrowUp", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    ok(chosenId(page) && first, "something is chosen");
    const before = await page.locator(".maplabel:not(.away)").count();
    for (let time = 0; time < 8; time += 1) await page.keyboard.press("+");
    await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("0");
    await until(async () => (await page.locator(".maplabel:not(.away)").count()) === before, "0 shows all again");
    await page.keyboard.press("Enter");
    await page.locator(".detail h2").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await page.locator("#map").waitFor();
  });

  test("a name on the map brings its hill closer, and the buttons go back", async (page) => {
    await prepare();
    await open(page);
    const label = page.locator(".maplabel:not(.away)").first();
    const size = await page.evaluate(() => [...document.querySelectorAll(".maplabel")].map((one) => one.style.left).join());
    await label.click();
    await until(async () => (await page.evaluate(() => [...document.querySelectorAll(".maplabel")].map((one) => one.style.left).join())) !== size, "it moved");
    await page.getByRole("button", { name: "All", exact: true }).click();
    await until(async () => (await page.evaluate(() => [...document.querySelectorAll(".maplabel")].map((one) => one.style.left).join())) === size, "and back");
    await page.getByRole("button", { name: "Closer" }).click();
    await page.getByRole("button", { name: "Further away" }).click();
    await until(async () => (await page.evaluate(() => [...document.querySelectorAll(".maplabel")].map((one) => one.style.left).join())) === size, "closer and further are opposites");
  });

  test("the wheel scrolls the page until one means the map", async (page) => {
    await prepare();
    await open(page);
    const box = await page.locator("#map").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 60);
    const names = () => page.evaluate(() => [...document.querySelectorAll(".maplabel")].map((one) => one.style.left).join());
    const before = await names();
    await page.mouse.wheel(0, 200);
    await until(() => page.evaluate(() => scrollY > 0), "the page scrolls");
    same(await names(), before, "the map stays");
    await page.evaluate(() => scrollTo(0, 0));
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -120);
    await page.keyboard.up("Control");
    await until(async () => (await names()) !== before, "with Ctrl the map comes closer");
  });

  test("the list below the map says the same, for those who do not see it", async (page) => {
    await prepare();
    await open(page);
    const map = await api("GET", "/api/map");
    same(await page.locator(".maplist details").count(), map.hills.length, "every hill is in the list");
    const first = page.locator(".maplist details").first();
    ok((await first.innerText()).includes(map.hills[0].name), "under its name");
    await first.locator("summary").click();
    await first.locator("a").first().waitFor();
    same(await first.locator("a").count(), Math.min(10, map.hills[0].count), "with its memories");
    same(await axe(page), [], "axe finds nothing");
    await first.locator("a").first().click();
    await page.locator(".detail h2").waitFor();
  });

  test("on a phone the map is moved by fingers and does not keep the page from scrolling", { width: 360, height: 740, touch: true }, async (page) => {
    await prepare();
    await open(page);
    same(await page.evaluate(() => document.getElementById("map").style.touchAction), "pan-y", "the page scrolls over the whole map");
    await page.getByRole("button", { name: "Closer" }).click();
    same(await page.evaluate(() => document.getElementById("map").style.touchAction), "none", "closer, a finger moves the map");
    await shoot(page, "map-phone");
  });

  test("hostile texts and names on the map are inert", async (page) => {
    const word = unique("hill");
    const evil = `<img src=x onerror=alert(1)>${word}`;
    await bringIn(Array.from({ length: 12 }, (_, at) => `${evil} </script><script>alert(${at})</script> javascript:alert(1) \u202e${word}`));
    await open(page);
    await page.locator("#map").focus();
    await page.keyboard.press("ArrowRight");
    await page.locator(".mapcard .word").first().waitFor();
    for (const summary of await page.locator(".maplist summary").all()) await summary.click();
    await quiet(page);
    same(await page.locator("main img, main script").count(), 0, "nothing of it became markup");
  });

  test("ten thousand dots are drawn in good time, and an absent map says so", { page: false }, async () => {
    const page = await newPage({ refusals: true });
    const count = 10_000;
    const column = (value) => Array.from({ length: count }, (_, at) => value(at));
    await page.route("**/api/map", (route) =>
      route.fulfill({
        json: {
          total: 12_000, pending: 0, drawn_at: "2026-11-30T08:00:00Z", redrawing: false, parts: 10_000,
          types: ["fact", "note", "odd"], authors: ["owner:ada", "mcp:Claude", "mcp:<b>x</b>", "a", "b", "c", "d"],
          points: {
            id: column((at) => `mem_${at}`), x: column((at) => (at * 7919) % 10_000), y: column((at) => (at * at) % 10_000),
            type: column((at) => at % 3), by: column((at) => at % 7), day: column((at) => 20_400 - (at % 900)), hill: column((at) => (at % 5) - 1),
          },
          hills: ["boats", "日本語", "", "<i>x</i>"].map((name, at) => ({ name, x: 2_000 * (at + 1), y: 5_000, count: 2_000, mostly: "fact" })),
        },
      }),
    );
    await open(page);
    await page.getByText("The newest 10,000 of 12,000 memories.").waitFor();
    const spent = await page.evaluate(async () => {
      const began = performance.now();
      for (let time = 0; time < 5; time += 1) {
        document.getElementById("map").dispatchEvent(new WheelEvent("wheel", { deltaY: -20, ctrlKey: true, cancelable: true, bubbles: true }));
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      }
      return (performance.now() - began) / 5;
    });
    console.log(`     a move of 10,000 dots: ${spent.toFixed(0)} ms`);
    await page.getByRole("button", { name: "App", exact: true }).click();
    await page.locator(".legend", { hasText: "others" }).waitFor();
    same(await page.locator("main b, main i").count(), 0, "names are text");
    same(page.complaints, [], "nothing complains");
    await page.unroute("**/api/map");
    await page.route("**/api/map", (route) => route.fulfill({ status: 404, json: { error: { code: "not_found", message: "no such path" } } }));
    await page.view("map");
    await page.getByText("Not read.").waitFor();
    same(page.complaints, [], "nothing complains");
    await page.leave();
  });
};
