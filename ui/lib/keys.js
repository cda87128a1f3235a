// Single keys. They act only while nothing is being typed and no dialog is open, and can all be switched off.

import { choices } from "./state.js";
import { undoLast } from "./notices.js";

const PREFIX_MILLISECONDS = 1_000;
/** After `g`: where to. */
export const PLACES = {
  h: "",
  r: "review",
  m: "memories",
  k: "ask",
  p: "map",
  i: "imports",
  c: "conversations",
  g: "guide",
  a: "apps",
  e: "history",
  l: "audit",
  b: "backup",
  s: "status",
  t: "settings",
};

/** A key with the one that commands, as this computer writes it. */
export const command = (key) => (/Mac|iPhone|iPad/.test(navigator.platform) ? `⌘${key}` : `Ctrl ${key}`);

let view = {};
let shared = {};
let going = -Infinity;

/** The keys of the page that is open, by `event.key`. */
export const setViewKeys = (keys) => (view = keys ?? {});
/** Keys that act everywhere. */
export const setSharedKeys = (keys) => (shared = keys);

document.addEventListener("keydown", (event) => {
  if ((event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === "k") {
    event.preventDefault();
    shared.find?.();
    return;
  }
  const target = event.target instanceof Element ? event.target : document.body;
  const typing = target.closest("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]");
  if (event.key === "Escape" && typing && !target.closest("dialog")) {
    typing.blur();
    return;
  }
  if (!choices.keys || event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
  if (typing || target.closest("dialog") || document.querySelector("dialog[open]")) return;
  const afterG = event.timeStamp - going < PREFIX_MILLISECONDS;
  going = -Infinity;
  if (afterG && Object.hasOwn(PLACES, event.key)) {
    event.preventDefault();
    location.hash = `#/${PLACES[event.key]}`;
    return;
  }
  if (event.key === "g") {
    going = event.timeStamp;
    return;
  }
  if (event.key === "u" && undoLast()) {
    event.preventDefault();
    return;
  }
  const act = Object.hasOwn(view, event.key) ? view[event.key] : Object.hasOwn(shared, event.key) ? shared[event.key] : null;
  if (!act || (event.repeat && event.key !== "j" && event.key !== "k")) return;
  if (act(event) !== false) event.preventDefault();
});
