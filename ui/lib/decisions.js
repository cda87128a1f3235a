// What the owner can decide about a proposal, and how the vault is told. One memory or many, always held first so that it
// can be undone.

import { ApiError, memoryPath, post, routes } from "./api.js";
import { hold } from "./held.js";
import { failed, toast } from "./notices.js";
import { refresh } from "./state.js";
import { otherOf } from "./words.js";
import { t } from "../texts.js";

/** Requests of a bulk decision that are on their way at the same time. */
const AT_ONCE = 4;

/** Approve as it stands; keep both sides; or let it take the place of what it resembles. */
export const tell = {
  approve: (memory, options) => post(memoryPath(memory.id, "approve"), undefined, options),
  both: (memory, options) => post(memoryPath(memory.id, "approve"), memory.supersedes ? { supersedes: null } : undefined, options),
  // Of one whose other side changed meanwhile the vault wants to hear that both sides were looked at: they were, side by side.
  replace: (memory, options) =>
    memory.supersedes || memory.may_conflict_with?.length
      ? post(memoryPath(memory.id, "approve"), memory.stale || !memory.supersedes ? { supersedes: otherOf(memory) } : undefined, options)
      : post(memoryPath(memory.id, "approve"), undefined, { ...options, query: { supersede_similar: 1 } }),
  reject: (memory, options) => post(memoryPath(memory.id, "reject"), undefined, options),
};

/** Decides about memories. `gone(ids)` is called with those the vault took, `stay(id, error)` for each it did not. */
export function decide(kind, memories, { gone, stay }) {
  hold({
    kind,
    ids: memories.map((memory) => memory.id),
    back: (error) => error && memories.length === 1 && stay(memories[0].id, error),
    send: ({ keepalive }) =>
      memories.length === 1
        ? tell[kind](memories[0], { keepalive }).then(() => gone([memories[0].id]))
        : many(kind, memories, keepalive, gone, stay),
  });
}

/** Memories of one call that decides about many. */
const IN_ONE_CALL = 200;

/** Takes decisions back that the vault has already carried out. */
async function takeBack(ids) {
  const back = { done: [], left: [] };
  try {
    for (let from = 0; from < ids.length; from += IN_ONE_CALL) {
      const { done, left } = await post("/api/review", { action: "undecide", ids: ids.slice(from, from + IN_ONE_CALL) });
      back.done.push(...done);
      back.left.push(...left);
    }
    toast(t.held.takenBack(back.done.length, back.left.length));
  } catch (error) {
    failed(t.held.notTakenBack, error, () => takeBack(ids));
  }
  await refresh();
}

/** Decides about many in few calls, where the vault can; the toast takes all of it back. */
async function together(kind, memories, keepalive, gone, stay) {
  const done = [];
  const left = [];
  for (let from = 0; from < memories.length; from += IN_ONE_CALL) {
    const ids = memories.slice(from, from + IN_ONE_CALL).map((memory) => memory.id);
    const answer = await post("/api/review", { action: kind, ids }, { keepalive });
    done.push(...answer.done);
    left.push(...answer.left);
    gone(answer.done);
    if (memories.length > IN_ONE_CALL) toast(t.held.progress[kind](done.length, memories.length), { stays: true });
  }
  for (const { id, reason } of left) stay(id, new ApiError({ status: 409, code: "conflict", message: reason }));
  toast(t.held.done[kind](done.length), { undo: done.length ? () => takeBack(done) : null });
  if (left.length > 0) throw new ApiError({ status: 409, code: "some", message: t.held.some(left.length, memories.length, left[0].reason) });
}

async function many(kind, memories, keepalive, gone, stay) {
  const has = keepalive ? null : await routes().catch(() => null);
  if (has?.("POST", "/api/review") && ["approve", "reject"].includes(kind)) return together(kind, memories, keepalive, gone, stay);
  return oneByOne(kind, memories, keepalive, gone, stay);
}

async function oneByOne(kind, memories, keepalive, gone, stay) {
  const left = [...memories];
  const failures = [];
  let done = 0;
  const worker = async () => {
    for (let memory = left.shift(); memory; memory = left.shift()) {
      try {
        await tell[kind](memory, { keepalive });
        gone([memory.id]);
      } catch (error) {
        failures.push(error);
        stay(memory.id, error);
        // Without a connection the rest would fail the same way.
        if (error.status === 0) left.length = 0;
      }
      done += 1;
      if (!keepalive && memories.length > 20 && done % 10 === 0) toast(t.held.progress[kind](done, memories.length), { stays: true });
    }
  };
  await Promise.all(Array.from({ length: keepalive ? memories.length : AT_ONCE }, worker));
  toast(t.held.done[kind](done - failures.length));
  if (failures.length > 0) {
    throw new ApiError({
      status: failures[0].status === 0 ? 0 : 409,
      code: "some",
      message: t.held.some(memories.length - done + failures.length, memories.length, failures[0].sentence),
    });
  }
}
