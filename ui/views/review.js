// The queue: what agents propose and what they ask to forget, one case on the bench at a time.

import { html, nothing, repeat } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { get, memoryPath, pages, post, queryOf } from "../lib/api.js";
import { decide } from "../lib/decisions.js";
import { ask } from "../lib/dialogs.js";
import { heldCount, isHeld } from "../lib/held.js";
import { failed, say, toast } from "../lib/notices.js";
import { broken, empty, head, inWords, capital, number, skeleton } from "../lib/parts.js";
import { waiting } from "../lib/shell.js";
import { refresh, state, subscribe } from "../lib/state.js";
import { when } from "../lib/time.js";
import { actor, concern, concernAmong, lang, otherOf, shown, title } from "../lib/words.js";
import { caseOf } from "./review-case.js";
import { editProposal } from "./memory-form.js";

/** Who brought it here: for a wish to forget, the agent that asks. */
const from = (memory) => memory.forget_requested_by ?? memory.created_by;
const suspicious = (memory) => ["order", "hidden"].includes(concern(memory));

export function open(page) {
  const queue = { items: [], read: false, reading: false, error: null, total: 0 };
  const others = new Map();
  const reasons = new Map();
  const chosen = new Set();
  const began = Date.now();
  let decided = 0;
  let at = page.place.id;
  let filter = { client: page.place.query.client ?? "", batch: page.place.query.batch ?? "" };
  let arrived = false;
  /** Which of the proposals each one of the others resembles, in both directions. */
  let besides = new Map();
  let waiting_ = new Set();

  async function load() {
    if (queue.reading) return;
    queue.reading = true;
    const fresh = [];
    const take = (rows, total) => {
      fresh.push(...rows);
      if (!queue.read) Object.assign(queue, { items: [...fresh], total });
      page.draw();
    };
    try {
      await pages("/api/memories", "memories", { forget_requested: 1, status: "all", limit: 200 }, take, page.signal);
      await pages("/api/memories", "memories", { status: "proposed", limit: 200 }, take, page.signal);
      Object.assign(queue, { items: fresh, read: true, error: null });
    } catch (error) {
      if (page.signal.aborted) return;
      queue.error = error;
    } finally {
      queue.reading = false;
    }
    page.draw();
    look();
  }

  const open_ = () => queue.items.filter((memory) => !isHeld(memory.id));
  const fits = (memory) => (!filter.client || from(memory) === filter.client) && (!filter.batch || memory.batch_id === filter.batch);
  /** What deserves a closer look, here: of two proposals that resemble each other neither is plain, since both would be kept. */
  const why = (memory) => concernAmong(memory, waiting_) ?? (besides.has(memory.id) ? "waits" : null);
  /** What a case is shown beside: what is kept, or the other proposal. */
  const beside = (memory) => otherOf(memory) ?? besides.get(memory.id);
  const groups = () => {
    waiting_ = new Set(queue.items.filter((one) => one.status === "proposed").map((one) => one.id));
    besides = new Map();
    for (const one of queue.items) if (concernAmong(one, waiting_) === "waits" && !besides.has(otherOf(one))) besides.set(otherOf(one), one.id);
    const shown_ = open_().filter(fits);
    const closer = shown_.filter((memory) => why(memory) && why(memory) !== "forget");
    const rank = (memory) => ["order", "hidden", "replaces", "conflicts", "similar", "waits"].indexOf(why(memory));
    // Those that resemble one proposal stand next to it.
    const pair = (memory) => (why(memory) !== "waits" ? "" : concernAmong(memory, waiting_) === "waits" ? otherOf(memory) : memory.id);
    closer.sort((a, b) => rank(a) - rank(b) || (pair(a) < pair(b) ? -1 : pair(a) > pair(b) ? 1 : 0));
    return [
      ["closer", closer],
      ["forget", shown_.filter((memory) => why(memory) === "forget")],
      ["plain", shown_.filter((memory) => !why(memory))],
    ].filter(([, rows]) => rows.length > 0);
  };
  const order = () => groups().flatMap(([, rows]) => rows);
  const current = () => {
    const rows = order();
    return rows.find((memory) => memory.id === at) ?? rows[0] ?? null;
  };

  /** Reads the other side of the case on the bench, and of the next one. */
  function look() {
    const rows = order();
    const place = rows.indexOf(current());
    for (const memory of rows.slice(Math.max(0, place), place + 2)) {
      const id = beside(memory);
      if (!id || others.has(id)) continue;
      others.set(id, { state: "reading" });
      get(memoryPath(id), {}, page.signal)
        .then((other) => others.set(id, { state: "read", memory: other }))
        .catch((error) => others.set(id, { state: "failed", error }))
        .finally(page.draw);
    }
  }

  const address = () => history.replaceState(history.state, "", `#/review${at ? `/${encodeURIComponent(at)}` : ""}${queryOf(filter)}`);
  function show(id, focus = false) {
    at = id ?? "";
    arrived = true;
    address();
    look();
    page.draw();
    document.querySelector(`.queue [data-id="${CSS.escape(at)}"]`)?.scrollIntoView({ block: "nearest" });
    if (focus) document.querySelector(".case h2, .empty h2")?.focus({ preventScroll: true });
  }
  function step(by) {
    const rows = order();
    if (rows.length === 0) return false;
    const place = Math.max(0, rows.indexOf(current()));
    show(rows[Math.max(0, Math.min(rows.length - 1, place + by))].id, true);
  }
  /** The case after the ones that are leaving. */
  function after(ids) {
    const rows = order();
    const place = rows.findIndex((memory) => memory.id === current()?.id);
    const next = [...rows.slice(place + 1), ...rows.slice(0, place).reverse()].find((memory) => !ids.includes(memory.id));
    return next?.id;
  }

  const gone = (ids) => {
    decided += ids.length;
    queue.items = queue.items.filter((memory) => !ids.includes(memory.id));
    for (const id of ids) {
      reasons.delete(id);
      // What was read of it says that it waits.
      others.delete(id);
    }
    look();
  };
  const stay = (id, error) => {
    reasons.set(id, error);
    page.draw();
  };
  function settle(kind, memories) {
    if (memories.length === 0) return;
    const next = memories.some((memory) => memory.id === current()?.id) ? after(memories.map((memory) => memory.id)) : at;
    memories.forEach((memory) => chosen.delete(memory.id));
    decide(kind, memories, { gone, stay });
    show(next, true);
  }

  const on = (kind) => () => {
    const memory = current();
    const reason = memory && why(memory);
    if (!memory || reason === "forget") return false;
    const two = reason === "replaces" || reason === "conflicts" || reason === "similar";
    if (kind === "approve" && suspicious(memory)) return void say(t.review.noKey);
    if (kind === "replace" && !two) return false;
    settle(kind === "approve" && two ? "both" : kind, [memory]);
  };
  async function edit() {
    const memory = current();
    if (!memory || concern(memory) === "forget") return;
    const next = after([memory.id]);
    const done = await editProposal(memory);
    if (!done) return;
    gone([memory.id]);
    toast(t.review.edited);
    show(next, true);
    refresh();
  }
  function choose(id = current()?.id) {
    if (!id) return false;
    if (!chosen.delete(id)) chosen.add(id);
    page.draw();
  }
  async function keep(memory) {
    const next = after([memory.id]);
    try {
      await post(memoryPath(memory.id, "keep"));
      gone([memory.id]);
      toast(t.review.kept);
      show(next, true);
      refresh();
    } catch (error) {
      failed(t.review.notKept, error, () => keep(memory));
    }
  }
  async function forget(memory) {
    const next = after([memory.id]);
    const done = await ask({ ...t.forget, quote: memory.content, act: () => post(memoryPath(memory.id, "forget")) });
    if (!done) return;
    gone([memory.id]);
    toast(t.forget.done);
    show(next, true);
    refresh();
  }
  const acts = { settle, edit, keep, forget };

  const selected = () => order().filter((memory) => chosen.has(memory.id) && concern(memory) !== "forget");
  const bulk = () => {
    const rows = selected();
    if (rows.length === 0) return nothing;
    const fine = rows.filter((memory) => !suspicious(memory));
    const two = fine.some((memory) => memory.supersedes);
    return html`<div class="bulk" role="group" aria-label=${t.review.selection}><span>${t.review.selected(rows.length)}</span>
      ${fine.length < rows.length ? html`<span class="meta">${t.review.leftOut(rows.length - fine.length)}</span>` : nothing}
      ${two ? html`<span class="meta">${t.review.noneReplaced}</span>` : nothing}
      <button class="btn small push" type="button" ?disabled=${fine.length === 0}
        @click=${() => settle(two ? "both" : "approve", fine)}>${t.review.approveMany(fine.length)}</button>
      <button class="btn small danger" type="button" @click=${() => settle("reject", rows)}>${t.review.rejectMany(rows.length)}</button>
      <button class="btn small quiet" type="button" @click=${() => {
        order().forEach((memory) => chosen.add(memory.id));
        page.draw();
      }}>${t.review.selectAll}</button>
      <button class="btn small quiet" type="button" @click=${() => {
        chosen.clear();
        page.draw();
      }}>${t.review.clear}</button></div>`;
  };

  const setFilter = (change) => {
    filter = { ...filter, ...change };
    at = "";
    show(current()?.id);
  };
  function filters() {
    const clients = new Map();
    for (const memory of open_()) clients.set(from(memory), (clients.get(from(memory)) ?? 0) + 1);
    const plain = groups().find(([name]) => name === "plain")?.[1] ?? [];
    const button = (client, label, count) =>
      html`<button class="filter" type="button" aria-pressed=${String(filter.client === client)} @click=${() => setFilter({ client })}>${label} <span
        class="n">${number(count)}</span></button>`;
    return html`<div class="filters scroll" role="group" aria-label=${t.review.from}>
      ${clients.size > 1 || filter.client
        ? html`${button("", t.all, open_().length)}${[...clients].map(([client, count]) => button(client, shown(actor(client)), count))}` : nothing}
      ${filter.batch ? html`<button class="filter" type="button" aria-pressed="true" @click=${() => setFilter({ batch: "" })}>${t.review.oneImport} <span
        class="n">${number(order().length)}</span><svg class="icon" aria-hidden="true"><use href="#i-close"/></svg></button>` : nothing}
      ${plain.length > 1 ? html`<button class="btn small push" type="button" @click=${() => settle("approve", plain)}>${t.review.approvePlain(plain.length)}</button>`
        : nothing}</div>`;
  }

  const place = (memory, here) => {
    const reason = why(memory);
    return html`<li class=${reason && !["similar", "waits"].includes(reason) ? "is-clash" : ""}><input type="checkbox" aria-label=${t.review.select(title(memory.content, 40))}
      .checked=${chosen.has(memory.id)} ?hidden=${reason === "forget"} @change=${() => choose(memory.id)}>
      <button type="button" data-id=${memory.id} aria-current=${String(memory === here)} @click=${() => show(memory.id)}><span class="word clamp2" dir="auto"
        lang=${lang(memory.content) ?? nothing}>${shown(memory.content.slice(0, 160))}</span>
      <span class="meta">${shown(actor(from(memory)))}, ${when(memory.forget_requested_at ?? memory.created_at)}${reason ? html`. ${t.review.concern[reason]}`
        : nothing}</span></button></li>`;
  };

  function body() {
    if (queue.error && queue.items.length === 0) return broken(queue.error, load);
    if (!queue.read && queue.items.length === 0) return skeleton(4);
    const rows = order();
    const memory = current();
    if (!memory && !queue.read) return skeleton(4);
    if (!memory && open_().length > 0)
      return empty(
        t.review.noneHere,
        t.review.noneHereHelp,
        html`<button class="btn" type="button" @click=${() => setFilter({ client: "", batch: "" })}>${t.review.showAll}</button>`,
      );
    if (!memory) {
      const spent = Math.round((Date.now() - began) / 1000);
      return html`<div class="empty"><h2 tabindex="-1">${decided + heldCount() > 0 || page.place.query.done ? t.review.done : t.review.empty}</h2>
        <p>${t.review.emptyHelp(state.settings?.mode)} ${decided + heldCount() > 0 ? t.review.turned(decided + heldCount(), spent) : nothing}</p>
        <div class="row"><a class="btn" href="#/memories">${t.review.toMemories}</a></div></div>`;
    }
    const index = rows.indexOf(memory);
    return html`<div class="bench"><nav class="queue ${chosen.size ? "selecting" : ""}" aria-label=${t.review.queue}>
        ${groups().map(
          ([name, list]) =>
            html`<h2>${t.review.groups[name]}</h2><ul>${repeat(
              list,
              (one) => one.id,
              (one) => place(one, memory),
            )}</ul>`,
        )}</nav>
      <div><div class="pager"><button class="btn quiet" type="button" ?disabled=${index === 0} @click=${() => step(-1)}>${t.review.back}</button><span
        class="meta">${t.review.place(index + 1, rows.length)}</span><button class="btn quiet" type="button" ?disabled=${index === rows.length - 1}
        @click=${() => step(1)}>${t.review.skip}</button></div>
        ${repeat(
          [memory],
          (one) => one.id,
          () =>
            caseOf(memory, {
              why: why(memory),
              other: others.get(beside(memory)),
              reason: reasons.get(memory.id),
              acts,
              arrived,
              mode: state.settings?.mode,
            }),
        )}
        <p class="keys">${t.review.keys.map(([keys, text]) => html`<span>${keys.map((key) => html`<kbd>${key}</kbd> `)}${text}</span>`)}</p></div></div>`;
  }

  const stop = subscribe(() => {
    const memories = state.status?.memories;
    // Agents go on proposing while the page is open; what is new is read as soon as nothing is on its way.
    if (
      queue.read &&
      !queue.reading &&
      heldCount() === 0 &&
      memories &&
      memories.proposed + memories.forget_requested !== queue.items.length &&
      state.status !== queue.seen
    ) {
      queue.seen = state.status;
      load();
    }
  });
  load();

  return {
    title: t.places.review,
    template: () => {
      const count = queue.read ? open_().length : waiting();
      const heading = !count ? t.places.review : t.review.heading(capital(inWords(count)), count);
      return html`${head(heading, count ? t.review.help(state.settings?.mode) : nothing)}${open_().length ? filters() : nothing}${bulk()}${body()}`;
    },
    update: (where) => {
      filter = { client: where.query.client ?? "", batch: where.query.batch ?? "" };
      at = where.id;
      look();
    },
    close: stop,
    keys: { j: () => step(1), k: () => step(-1), a: on("approve"), A: on("replace"), r: on("reject"), e: edit, x: () => choose() },
  };
}
