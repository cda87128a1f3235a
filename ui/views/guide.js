// The guide: what every agent reads before it touches a memory. Written here, kept in versions, brought back as a new one.

import { html, live, nothing, repeat } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { get, post, put } from "../lib/api.js";
import { folded, lines } from "../lib/diff.js";
import { markdown } from "../lib/markdown.js";
import { failed, toast } from "../lib/notices.js";
import { broken, bytes, head, number, skeleton } from "../lib/parts.js";
import { when } from "../lib/time.js";
import { actor, linked, shown } from "../lib/words.js";

/** The vault's own limit; it checks again. */
const GUIDE_BYTES = 24 * 1024;
const VERSION_ROWS = 20;
/** Below this width text and preview do not fit beside each other. */
const NARROW = 960;
/** The vault's words for what happened to a line, in ours. */
const KINDS = { same: "same", added: "add", removed: "cut" };
const sizeOf = (text) => new TextEncoder().encode(text).length;

/** What is being written survives a visit to another page. */
let draft = null;

export function open(page) {
  const guide = { now: null, error: null, saving: false, wrong: null, versions: null, cursor: null, total: 0 };
  // Side by side needs room; on a phone one is shown at a time.
  let tab = page.place.query.tab ?? (innerWidth < NARROW ? "write" : "both");
  let compare = page.place.id ? Number(page.place.id) : null;
  /** What the version being looked at changed, as the vault tells it. */
  let change = { of: null, lines: null, error: null };

  async function load() {
    try {
      const [now, versions] = await Promise.all([
        get("/api/guide", {}, page.signal),
        get("/api/guide/versions", { limit: VERSION_ROWS }, page.signal),
      ]);
      Object.assign(guide, { now, versions: versions.versions, cursor: versions.next_cursor, total: versions.total, error: null });
      draft ??= { content: now.content, of: now.version };
      if (draft.content === now.content) draft.of = now.version;
    } catch (error) {
      if (page.signal.aborted) return;
      guide.error = error;
    }
    page.draw();
  }
  async function older() {
    try {
      const answer = await get("/api/guide/versions", { limit: VERSION_ROWS, cursor: guide.cursor }, page.signal);
      Object.assign(guide, { versions: [...guide.versions, ...answer.versions], cursor: answer.next_cursor });
    } catch (error) {
      if (!page.signal.aborted) failed(t.notRead, error, older);
    }
    page.draw();
  }

  async function look() {
    const of = compare;
    if (!of || change.of === of) return;
    change = { of, lines: null, error: null };
    try {
      // The first version has none before it: all of it is new.
      const found =
        of === 1
          ? (await get("/api/guide/versions/1", {}, page.signal)).content.split("\n").map((line) => ["add", line])
          : (await get("/api/guide/diff", { from: of - 1, to: of }, page.signal)).lines.map(({ op, text }) => [KINDS[op], text]);
      if (change.of === of) change.lines = folded(found);
    } catch (error) {
      if (page.signal.aborted) return;
      if (change.of === of) change.error = error;
    }
    page.draw();
  }

  const changed = () => draft && guide.now && draft.content !== guide.now.content;
  /** Lets `act` make a new version; what was typed meanwhile comes back with Undo. */
  async function write(act, said) {
    const before = guide.now;
    const typed = draft;
    Object.assign(guide, { saving: true, wrong: null });
    page.draw();
    try {
      const now = await act();
      draft = { content: now.content, of: now.version };
      guide.now = now;
      compare = null;
      history.replaceState(history.state, "", "#/guide");
      const undo = async () => {
        await bringBack(before.version, now.version, t.guide.undone);
        if (typed.content === now.content || guide.wrong) return;
        draft = { content: typed.content, of: guide.now.version };
        page.draw();
      };
      toast(said(now.version), { undo: now.version === before.version ? null : undo });
      load();
    } catch (error) {
      guide.wrong = error;
      // The newest text is fetched so that the person sees what came in between; what was typed stays.
      if (error.code === "conflict") load();
    }
    guide.saving = false;
    page.draw();
  }
  const store = (expected) => write(() => put("/api/guide", { content: draft.content, expected_version: expected }), t.guide.saved);
  const bringBack = (version, expected, said) => write(() => post("/api/guide/restore", { version, expected_version: expected }), said);
  const save = () => store(draft.of);
  const saveKey = (event) => {
    if (event.key.toLowerCase() !== "s" || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    if (changed() && !guide.saving) save();
  };
  const overwrite = () => store(guide.now.version);
  function discard() {
    const kept = draft;
    draft = { content: guide.now.content, of: guide.now.version };
    guide.wrong = null;
    toast(t.guide.discarded, {
      undo: () => {
        draft = kept;
        page.draw();
      },
    });
    page.draw();
  }

  function difference() {
    const body = compare ? told() : changed() ? differs(lines(guide.now.content, draft.content)) : html`<p class="help gap-s">${t.guide.noChange}</p>`;
    return html`<section aria-labelledby="diff"><header><h2 id="diff" tabindex="-1">${compare ? t.guide.versionChanged(compare) : t.guide.willChange}</h2>${
      compare ? html`<a class="link" href="#/guide">${t.close}</a>` : nothing
    }</header>${body}</section>`;
  }
  function told() {
    const again = () => {
      change.of = null;
      look();
      page.draw();
    };
    if (change.error) return broken(change.error, again);
    return change.lines ? differs(change.lines) : skeleton(2);
  }
  const differs = (all) => html`<ol class="difflines">${all.map(diffLine)}</ol>`;
  function diffLine([kind, line]) {
    if (kind === "skip") return html`<li class="skip-lines">${t.guide.unchanged(line)}</li>`;
    if (kind === "same") return html`<li><span>${shown(line)}</span></li>`;
    return html`<li class=${kind}><span><span class="sr">${t.guide.signs[kind]} </span>${shown(line)}</span></li>`;
  }
  function versionLine(one, place) {
    const now = one.version === guide.now.version;
    const by = place === guide.versions.length - 1 && !guide.cursor ? t.guide.first : shown(actor(one.created_by));
    const back = () => bringBack(one.version, guide.now.version, (version) => t.guide.back(one.version, version));
    return html`<li class="line with-action ${now ? "is-kept" : "is-past"}" aria-current=${one.version === compare ? "true" : nothing}>
      <div class="when">${when(one.created_at)}</div>
      <div class="what">
        <div>
          <p><b>${t.guide.version(one.version)}</b>${now ? t.guide.inUse : nothing}</p>
          <p class="meta"><span>${by}</span><span>${bytes(sizeOf(one.content))}</span></p>
        </div>
        <div class="row aside">
          <a class="btn small quiet" href="#/guide/${one.version}">${t.guide.compare}</a>
          ${now ? nothing : html`<button class="btn small" type="button" ?disabled=${guide.saving} @click=${back}>${t.guide.bringBack}</button>`}
        </div>
      </div>
    </li>`;
  }

  function show() {
    const heading = document.getElementById("diff");
    heading?.focus({ preventScroll: true });
    heading?.scrollIntoView({ block: "center" });
  }
  /** The preview goes along with the text beside it. */
  function along({ currentTarget: text }) {
    const beside = document.querySelector(".preview");
    const share = text.scrollTop / (text.scrollHeight - text.clientHeight || 1);
    if (beside) beside.scrollTop = share * (beside.scrollHeight - beside.clientHeight);
  }
  function choose(name) {
    tab = name;
    page.draw();
  }
  function type(event) {
    draft.content = event.target.value;
    page.draw();
  }
  const tabs = innerWidth < NARROW ? ["write", "preview"] : ["both", "write", "preview"];
  const tabButton = (name) =>
    html`<button class="filter" type="button" aria-pressed=${String(tab === name)} @click=${() => choose(name)}>${t.guide.tabs[name]}</button>`;
  function wrong(error) {
    const again =
      error.code === "conflict"
        ? html`<button class="btn small" type="button" @click=${overwrite}>${t.guide.saveAnyway}</button>`
        : html`<button class="btn small" type="button" @click=${save}>${t.retry}</button>`;
    return html`<div class="banner clash gap" role="alert">
      <p><b>${t.guide.notSaved}</b> ${linked(error.sentence ?? t.errors.own(error))}</p>${again}
    </div>`;
  }
  const editor = () =>
    html`<label>
      <span class="sr">${t.guide.text}</span>
      <textarea spellcheck="false" .value=${live(draft.content)} @input=${type} @scroll=${along} @keydown=${saveKey}></textarea>
    </label>`;
  const preview = () =>
    html`<section class="preview prose" aria-label=${t.guide.tabs.preview} dir="auto" tabindex="0">
      <h2 class="sr">${t.guide.tabs.preview}</h2>${markdown(draft.content)}
    </section>`;

  function body() {
    if (guide.error) return broken(guide.error, load);
    if (!guide.now) return skeleton(4);
    const [showText, showPreview] = [tab !== "preview", tab !== "write"];
    const size = sizeOf(draft.content);
    const words = draft.content.trim().split(/\s+/).filter(Boolean).length;
    const left = number(guide.total - guide.versions.length);
    return html`<div class="row"><div class="seg filters" role="group" aria-label=${t.guide.show}>${tabs.map(tabButton)}</div></div>
      ${guide.wrong ? wrong(guide.wrong) : nothing}
      <div class="desk ${showText && showPreview ? "" : "one"}">${showText ? editor() : nothing}${showPreview ? preview() : nothing}</div>
      <p class="meta gap-s">
        ${t.guide.size(number(words), bytes(size), bytes(GUIDE_BYTES))}${size > GUIDE_BYTES ? html` <b>${t.guide.tooLong}</b>` : nothing}
      </p>
      <div class="two section">
        <section aria-labelledby="versions">
          <header><h2 id="versions">${t.guide.versions}</h2></header>
          <ol class="ledger">${repeat(guide.versions, (one) => one.version, versionLine)}</ol>
          ${guide.cursor ? html`<div class="end-of-list"><button class="btn" type="button" @click=${older}>${t.memories.more(left)}</button></div>` : nothing}
        </section>
        ${difference()}
      </div>`;
  }

  const tools = () =>
    html`<span class="meta">${t.guide.unsaved}</span>
      <button class="btn" type="button" @click=${discard}>${t.guide.discard}</button>
      <button class="btn primary" type="button" ?disabled=${guide.saving} @click=${save}>${t.guide.save(guide.now.version + 1)}</button>`;

  load();
  look();
  return {
    title: t.places.guide,
    template: () => html`${head(t.guide.title, t.guide.help, changed() ? tools() : nothing)}${body()}`,
    update: (place) => {
      compare = place.id ? Number(place.id) : null;
      look();
      // Below the versions on a phone: the heading takes one there.
      setTimeout(() => compare && show(), 0);
    },
    unsaved: () => Boolean(changed()),
  };
}
