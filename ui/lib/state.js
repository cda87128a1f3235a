// What every page shows: the vault's status and settings, read once and again after each change.

import { get } from "./api.js";

/** `status` and `settings` as the API gives them, null until they arrived; `failed` is the error of the last attempt. */
export const state = { status: null, settings: null, failed: null };

const listeners = new Set();
/** Calls back after every change; returns how to stop. */
export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
/** Tells every listener. */
export const changed = () => listeners.forEach((listener) => listener());

let running = null;
let again = false;
/** Reads status and settings; calls made meanwhile share one further reading. */
export function refresh() {
  if (running) {
    again = true;
    return running;
  }
  running = read().finally(() => {
    running = null;
    if (again) {
      again = false;
      refresh();
    }
  });
  return running;
}

async function read() {
  try {
    const [status, settings] = await Promise.all([get("/api/status"), get("/api/settings")]);
    Object.assign(state, { status, settings, failed: null });
  } catch (error) {
    state.failed = error;
  }
  changed();
}

const local = (name, fallback) => {
  try {
    return localStorage.getItem(name) ?? fallback;
  } catch {
    return fallback;
  }
};
const remember = (name, value) => {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // Without storage the choice holds until the page is closed.
  }
};

/** Choices of this browser: theme ("", "light", "dark"), whether single keys act, and whether UTC is to stay. */
export const choices = {
  theme: document.documentElement.dataset.theme ?? "",
  keys: local("keys", "on") === "on",
  zoneKept: local("zone", "") === "kept",
};
export function setTheme(theme) {
  choices.theme = theme;
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  remember("theme", theme || null);
  changed();
}
/** The vault's zone is to stay as it is: it is not offered again. */
export function keepZone() {
  choices.zoneKept = true;
  remember("zone", "kept");
}
export function setKeys(on) {
  choices.keys = on;
  remember("keys", on ? null : "off");
  document.documentElement.classList.toggle("no-keys", !on);
  changed();
}
document.documentElement.classList.toggle("no-keys", !choices.keys);
