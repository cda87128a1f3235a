// Starts the dashboard: one page at a time, chosen by the part of the address behind "#". Every page and every memory has
// an address, so links, bookmarks and the back button work.

import { html, nothing, render } from "./vendor/lit-html.js";
import { t } from "./texts.js";
import * as dialogs from "./lib/dialogs.js";
import { flush } from "./lib/held.js";
import { setSharedKeys, setViewKeys } from "./lib/keys.js";
import { problemList } from "./lib/notices.js";
import { eraseBanner, lacks } from "./lib/health.js";
import { banner, broken, empty, head, skeleton } from "./lib/parts.js";
import { drawShell, find, showKeys } from "./lib/shell.js";
import { refresh, state, subscribe } from "./lib/state.js";

const VIEWS = {
  "": () => import("./views/home.js"),
  review: () => import("./views/review.js"),
  memories: () => import("./views/memories.js"),
  ask: () => import("./views/ask.js"),
  map: () => import("./views/map.js"),
  imports: () => import("./views/imports.js"),
  conversations: () => import("./views/conversations.js"),
  guide: () => import("./views/guide.js"),
  apps: () => import("./views/apps.js"),
  history: () => import("./views/history.js"),
  audit: () => import("./views/audit.js"),
  backup: () => import("./views/backup.js"),
  status: () => import("./views/status.js"),
  settings: () => import("./views/settings.js"),
};
/** How often counts are read again while the page is in sight. */
const REFRESH_MILLISECONDS = 30_000;

const main = document.getElementById("main");
let open = null;

/** The address: `{ name, id, query }` of `#/name/id?query`. */
function where() {
  const [path, search = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [name = "", ...rest] = path.split("/");
  let id = rest.join("/");
  try {
    id = decodeURIComponent(id);
  } catch {
    // A half-typed escape stays as it is; nothing has such an id.
  }
  return { name: name.toLowerCase(), id, query: Object.fromEntries(new URLSearchParams(search)) };
}

function draw() {
  if (!open) return;
  render(html`${problemList()}${silence()}${eraseBanner()}${degraded()}${open.view.template()}`, main);
  document.title = `${open.view.title} · Memory Vault`;
  drawShell(open.name);
}

/** A word at the top of every page while the vault does not answer; the pages themselves say it where they show nothing. */
function silence() {
  if (!state.failed || !state.status) return nothing;
  if (state.failed.code === "unauthenticated") return broken(state.failed, refresh);
  return banner(
    t.offline,
    state.failed.status ? state.failed.sentence : t.offlineHelp,
    html`<button class="btn small" type="button" @click=${refresh}>${t.retry}</button>`,
  );
}

/** What works less well than it should, in one line: the vault says so itself. Everything else goes on. */
function degraded() {
  const said = state.status && lacks(state.status);
  if (!said || open.name === "status") return nothing;
  return banner(said.title, said.help, html`<a class="btn small" href="#/status">${t.places.status}</a>`);
}

/** What a page is given: how to draw itself again, and a signal for its requests that ends with it. */
function pageOf(name, place) {
  const control = new AbortController();
  return { name, place, draw: () => open?.control === control && draw(), signal: control.signal, control };
}

const positions = new Map();
let followed = true;
let last = location.hash;
// A link or a key leads on to a fresh page; anything else is the back button, which leads to where one was on it.
addEventListener("click", (event) => (followed ||= Boolean(event.target.closest?.("a"))), true);
addEventListener("keydown", (event) => (followed ||= !event.altKey && !event.metaKey), true);

async function navigate(first = false) {
  const place = where();
  const restore = !followed && positions.get(location.hash);
  followed = false;
  positions.set(last, scrollY);
  last = location.hash;
  dialogs.closeAll();
  if (open && open.name === place.name && open.view.update && (await open.view.update(place)) !== false) {
    draw();
    if (restore) scrollTo(0, restore);
    return;
  }
  open?.control.abort();
  open?.view.close?.();
  const page = pageOf(place.name, place);
  const current = {
    name: place.name,
    control: page.control,
    view: { title: t.places[place.name] ?? t.nowhere.title, template: () => skeleton() },
  };
  open = current;
  main.className = "page";
  delete main.dataset.view;
  setViewKeys({});
  // What was decided is in the vault before the next page reads it.
  await flush();
  let view;
  try {
    const known = Object.hasOwn(VIEWS, place.name) ? await VIEWS[place.name]() : { open: nowhere };
    // Somebody faster went on meanwhile; that page is not opened at all.
    if (open !== current) return;
    view = known.open(page);
  } catch (error) {
    if (open !== current) return;
    view = { title: t.failedTitle, template: () => html`${head(t.failedTitle)}${broken(error, () => location.reload())}` };
  }
  current.view = view;
  setViewKeys(view.keys);
  main.dataset.view = place.name || "home";
  draw();
  if (!first) main.querySelector("h1")?.focus({ preventScroll: true });
  scrollTo(0, restore || 0);
  if (restore) setTimeout(() => open === current && scrollTo(0, restore), 150);
}

const nowhere = () => ({
  title: t.nowhere.title,
  template: () =>
    html`${head(t.nowhere.title)}${empty(t.nowhere.sentence, t.nowhere.help, html`<a class="btn primary" href="#/">${t.nowhere.home}</a>`)}`,
});

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

/** j and k walk the rows of any list. */
function walk(step) {
  const rows = [...main.querySelectorAll(".line .stretch")].filter((row) => row.offsetParent);
  if (rows.length === 0) return false;
  const at = rows.indexOf(document.activeElement);
  const next = rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + step))];
  next.focus();
  next.scrollIntoView({ block: "nearest" });
  return true;
}
setSharedKeys({
  find,
  "?": showKeys,
  j: () => walk(1),
  k: () => walk(-1),
  n: () => (location.hash = "#/memories?add=1"),
  "/": () => {
    const field = main.querySelector("input[type=search]");
    if (field) field.focus();
    else find();
  },
});

history.scrollRestoration = "manual";
addEventListener("hashchange", () => navigate());
subscribe(draw);
// What the file itself shows stands until the modules are there.
for (const id of ["main", "side", "topbar"]) document.getElementById(id).replaceChildren();
drawShell(where().name);
navigate(true);
refresh();
setInterval(() => document.visibilityState === "visible" && refresh(), REFRESH_MILLISECONDS);
addEventListener("online", refresh);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && refresh());
addEventListener("beforeunload", (event) => {
  if (open?.view.unsaved?.()) event.preventDefault();
});
state.ready = true;
