// Decisions that are held for a few seconds before the vault is told, because the vault has no way to take an approval or a
// rejection back. Until then Undo is simply not sending it. Nothing is lost: leaving the page sends what is held, and what
// fails comes back into the queue with a banner that can be retried.

import { t } from "../texts.js";
import { failed, hideToast, say, toast } from "./notices.js";
import { changed, refresh } from "./state.js";

/** How long a decision can be undone. */
export const HOLD_MILLISECONDS = 8_000;

const held = [];
let sending = Promise.resolve();

/** How many memories decisions are held or on their way for. */
export const heldCount = () => held.reduce((sum, one) => sum + one.ids.length, 0);
/** Whether a decision about this memory is held or on its way. */
export const isHeld = (id) => held.some((one) => one.ids.includes(id));

/**
 * Holds a decision. `kind` is a word of `t.held`; `send()` tells the vault, and may report progress through its argument;
 * `back()` is called when it is undone or has failed; `sent()` when the vault has it.
 */
export function hold({ kind, ids, send, back, sent = () => {} }) {
  const one = { kind, ids, send, back, sent, timer: 0, state: "held" };
  one.timer = setTimeout(() => release(one), HOLD_MILLISECONDS);
  held.push(one);
  show();
  changed();
}

function show() {
  const open = held.filter((one) => one.state === "held");
  if (open.length === 0) {
    hideToast();
    return;
  }
  const counts = new Map();
  for (const one of open) counts.set(one.kind, (counts.get(one.kind) ?? 0) + one.ids.length);
  const text = [...counts].map(([kind, count], place) => t.held[kind](count, place > 0)).join(", ");
  toast(`${text}.`, { undo: undo, stays: true, label: open.length > 1 ? t.undoLast : t.undo });
}

/** Takes the last held decision back. */
export function undo() {
  const one = held.findLast((candidate) => candidate.state === "held");
  if (!one) return;
  clearTimeout(one.timer);
  held.splice(held.indexOf(one), 1);
  one.back();
  show();
  say(t.undone);
  changed();
}

function release(one, keepalive = false) {
  if (one.state !== "held") return sending;
  clearTimeout(one.timer);
  one.state = "sending";
  show();
  // Leaving the page cannot wait for a turn.
  const turn = keepalive ? Promise.resolve() : sending;
  sending = turn.then(() => deliver(one, keepalive));
  return sending;
}

async function deliver(one, keepalive) {
  try {
    await one.send({ keepalive });
    held.splice(held.indexOf(one), 1);
    one.sent();
  } catch (error) {
    held.splice(held.indexOf(one), 1);
    one.back(error);
    const retry = () => {
      const again = { ...one, state: "held", timer: 0 };
      held.push(again);
      changed();
      release(again);
    };
    failed(t.held.failed[one.kind] ?? t.held.failed.other, error, error.status === 0 || error.status >= 500 ? retry : null);
  }
  await refresh();
}

/** Sends everything that is held and waits for it. */
export async function flush() {
  held.filter((one) => one.state === "held").forEach((one) => release(one));
  await sending;
}

addEventListener("pagehide", () => held.filter((one) => one.state === "held").forEach((one) => release(one, true)));
addEventListener("beforeunload", (event) => {
  if (held.some((one) => one.state === "sending" && one.ids.length > 1)) event.preventDefault();
});
