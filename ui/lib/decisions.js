// What the owner can decide about a proposal, and how the vault is told. One memory or many, always held first so that it
// can be undone.

import { ApiError, memoryPath, post } from "./api.js";
import { hold } from "./held.js";
import { toast } from "./notices.js";
import { t } from "../texts.js";

/** Requests of a bulk decision that are on their way at the same time. */
const AT_ONCE = 4;

/** Approve as it stands; keep both sides; or let it take the place of what it resembles. */
export const tell = {
  approve: (memory, options) => post(memoryPath(memory.id, "approve"), undefined, options),
  both: (memory, options) => post(memoryPath(memory.id, "approve"), memory.supersedes ? { supersedes: null } : undefined, options),
  replace: (memory, options) =>
    post(memoryPath(memory.id, "approve"), undefined, { ...options, query: memory.supersedes ? {} : { supersede_similar: 1 } }),
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

async function many(kind, memories, keepalive, gone, stay) {
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
