// The frame: navigation with counts, the bars of a phone, the list of keys, and "find or jump".

import { html, nothing, render } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { get } from "./api.js";
import * as dialogs from "./dialogs.js";
import { heldCount } from "./held.js";
import { command } from "./keys.js";
import { icon, number } from "./parts.js";
import { changed, choices, setTheme, state } from "./state.js";
import { excerpt, lang, marked } from "./words.js";

/** Memories that wait for a decision, less those decided a moment ago. */
export const waiting = () => {
  const counts = state.status?.memories;
  return counts ? Math.max(0, counts.proposed + counts.forget_requested - heldCount()) : null;
};

const GROUPS = [
  ["", "review", "memories", "ask", "map"],
  ["imports", "conversations"],
  ["guide", "apps", "history", "audit", "backup", "status", "settings"],
];
/** Those that a phone shows at the bottom. */
const SHORT = ["", "review", "memories", "map"];

function count(name) {
  const memories = state.status?.memories;
  if (!memories) return nothing;
  if (name === "review") return waiting() ? html`<span class="n wait">${number(waiting())}</span>` : nothing;
  if (name === "memories") return html`<span class="n">${number(memories.active)}</span>`;
  return nothing;
}
const item = (name, here, after = nothing) =>
  html`<li><a href="#/${name}" aria-current=${name === here ? "page" : nothing} @click=${after}>${t.places[name]} ${count(name)}</a></li>`;
const nav = (here, label, after) =>
  html`<nav class="nav" aria-label=${label}>${GROUPS.map((names, place) => html`<ul
    aria-label=${t.groups[place]}>${names.map((name) => item(name, here, after))}</ul>`)}</nav>`;
const brand = html`<a class="brand" href="#/"><svg aria-hidden="true"><use href="#i-mark"/></svg>Memory Vault</a>`;
const themes = () =>
  html`<div class="seg filters" role="group" aria-label=${t.theme}>${["", "light", "dark"].map(
    (theme) =>
      html`<button class="filter" type="button" aria-pressed=${String(choices.theme === theme)} @click=${() => setTheme(theme)}>${t.themes[theme]}</button>`,
  )}</div>`;

/** On the owner's own computer nobody signs in, so nobody signs out. */
const local = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
/** Who is signed in, and where they sign out: Access's own address until the vault has said otherwise. */
let me = { email: null, sign_out: local ? null : "/cdn-cgi/access/logout" };
/** An address of this vault or of the sign-in's, never a script. */
const safe = (address) => (typeof address === "string" && /^(\/(?!\/)|https:\/\/)/.test(address) ? address : null);
async function learnWho() {
  try {
    const { email, sign_out } = await get("/api/me");
    me = { email, sign_out: safe(sign_out) };
    changed();
  } catch {
    // What was assumed stays; the pages say that the vault does not answer.
  }
}
if (!local) learnWho();

/** Draws the frame around the page called `here`. */
export function drawShell(here) {
  render(
    html`${brand}<button class="jump" type="button" @click=${find}>${icon("search")}${t.find} <kbd>${command("K")}</kbd></button>
      ${nav(here, t.mainNav)}
      <div class="side-foot">${themes()}<p><button class="link" type="button" @click=${showKeys}>${t.keys.title}</button> · <a
        href="/connect">${t.forAgents}</a>${me.sign_out ? html` · <a href=${me.sign_out} title=${me.email ? t.signedIn(me.email) : nothing}>${t.signOut}</a>` : nothing}</p></div>`,
    document.getElementById("side"),
  );
  render(
    html`${brand}<button class="btn quiet icon-only" type="button" aria-label=${t.find} @click=${find}>${icon("search")}</button>`,
    document.getElementById("topbar"),
  );
  const more = !SHORT.includes(here);
  render(
    html`${SHORT.map(
      (name) =>
        html`<a href="#/${name}" aria-current=${name === here ? "page" : nothing}>${t.places[name]} ${name === "review" && waiting() ? html`<span
          class="n">${number(waiting())}</span>` : nothing}</a>`,
    )}<button type="button" aria-haspopup="dialog" aria-current=${more ? "page" : nothing} @click=${() => showMore(here)}>${t.more}</button>`,
    document.getElementById("tabbar"),
  );
}

function showMore(here) {
  dialogs.open(
    (dialog) => html`${nav(here, t.everything, () => dialog.close())}<div class="gap">${themes()}</div>
      <div class="row end"><button class="btn" type="button" data-first @click=${() => dialog.close()}>${t.close}</button></div>`,
    { kind: "sheet-nav", label: t.everything },
  );
}

/** The list of keys. */
export function showKeys() {
  dialogs.open(
    (dialog) => html`<h2 id=${dialog.id}>${t.keys.title}</h2>
      ${choices.keys ? nothing : html`<p>${t.keys.off}</p>`}
      <ul class="keymap">${t.keys.list.map(([keys, text]) => html`<li>${text} <span>${keys.map((key) => html`<kbd>${key === "mod+K" ? command("K") : key}</kbd> `)}</span></li>`)}</ul>
      <div class="row end"><button class="btn" type="button" data-first @click=${() => dialog.close()}>${t.close}</button></div>`,
    { kind: "broad" },
  );
}

/** Find a memory or go to a page, from anywhere. */
export function find() {
  if (document.querySelector("dialog[open]")) return;
  const found = { words: "", memories: [], at: 0, failed: null };
  let asked = null;
  let timer = 0;
  const places = () => {
    const words = found.words.toLowerCase().trim();
    return [...Object.entries(t.places), ["memories?add=1", t.memories.add]].filter(
      ([, title]) => !words || title.toLowerCase().includes(words),
    );
  };
  const links = (dialog) => [...dialog.element.querySelectorAll(".found-list a")];
  const ask = async (dialog) => {
    asked?.abort();
    asked = new AbortController();
    if (!found.words.trim()) {
      Object.assign(found, { memories: [], failed: null });
      return dialog.draw();
    }
    try {
      const answer = await get("/api/recall", { q: found.words, limit: 6, status: "active,proposed" }, asked.signal);
      Object.assign(found, { memories: answer.results, failed: null, at: 0 });
    } catch (error) {
      if (error.name === "AbortError") return;
      Object.assign(found, { memories: [], failed: error });
    }
    dialog.draw();
  };
  const keydown = (event, dialog) => {
    const all = links(dialog);
    if (event.key === "Escape") {
      // The browser would only empty the field.
      event.preventDefault();
      dialog.close();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      found.at = (found.at + (event.key === "ArrowDown" ? 1 : -1) + all.length) % Math.max(1, all.length);
      dialog.draw();
      links(dialog)[found.at]?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      all[found.at]?.click();
    }
  };
  dialogs.open(
    (dialog) => {
      let place = -1;
      const link = (href, content, attributes = {}) => {
        place += 1;
        return html`<a href=${href} data-at=${place === found.at ? "" : nothing} lang=${attributes.lang ?? nothing} @click=${() => dialog.close()}>${content}</a>`;
      };
      return html`<label class="searchbox">${icon("search")}<span class="sr">${t.findHelp}</span><input type="search" data-first autocomplete="off"
        placeholder=${t.findHelp}
          @input=${(event) => {
            found.words = event.target.value;
            found.at = 0;
            dialog.draw();
            clearTimeout(timer);
            timer = setTimeout(() => ask(dialog), 120);
          }}
          @keydown=${(event) => keydown(event, dialog)}></label>
        ${found.failed ? html`<p class="wrong">${found.failed.sentence}</p>` : nothing}
        <div class="found-list">
          ${found.memories.length ? html`<h3>${t.places.memories}</h3>${found.memories.map((memory) => link(`#/memories/${memory.id}`, html`<span
            class="word clamp2">${marked(excerpt(memory.content), found.words).parts}</span>`, { lang: lang(memory.content) }))}` : nothing}
          ${places().length ? html`<h3>${t.pages}</h3>${places().map(([name, title]) => link(`#/${name}`, title))}` : nothing}
          ${found.words.trim() ? html`<h3>${t.orElse}</h3>${link(`#/memories?q=${encodeURIComponent(found.words)}`, t.searchAll(found.words))}` : nothing}
        </div>`;
    },
    { kind: "broad high", label: t.find },
  );
}
