// The Worker's outermost layer, outside of WebAssembly. A panic ends the WebAssembly instance, and with it the promises
// that were to answer the requests then under way; the next request gets a new instance. So each request is guarded here:
// it is answered with 500 as soon as the instance dies, and with 503 when no answer comes in time.
import { DurableObject, WorkerEntrypoint } from "cloudflare:workers";
import Inner, { MemoryVault as InnerVault } from "./index.js";

// The same number as FORWARD_MILLISECONDS in src/limits.rs, which a test there holds.
const FORWARD_MILLISECONDS = 30_000;
// SLOWEST_UPLOAD there, in bytes a millisecond, and RESTORE_PART_BYTES, which a body is expected to have that does not say how
// long it is.
const SLOWEST_UPLOAD = 32;
const LONGEST_UPLOAD = 52_428_800;

/** How long to wait for an answer: as long as the vault may take, after the body has come in. */
function patience(request) {
  const length = request.headers.get("content-length") ?? (request.body ? LONGEST_UPLOAD : 0);
  return FORWARD_MILLISECONDS + Math.min(Number(length) || 0, LONGEST_UPLOAD) / SLOWEST_UPLOAD;
}

const underWay = new Set();

addEventListener("error", (event) => {
  if (event.error instanceof WebAssembly.RuntimeError) {
    for (const fail of [...underWay]) fail(event.error);
  }
});

/** The answer of `call`; a rejection once the instance has died; 503 when so many milliseconds, if any are given, have passed. */
async function guarded(call, milliseconds) {
  let fail, timer;
  const ended = new Promise((resolve, reject) => {
    fail = reject;
    if (milliseconds) timer = setTimeout(() => resolve(late()), milliseconds);
  });
  underWay.add(fail);
  try {
    return await Promise.race([call(), ended]);
  } finally {
    underWay.delete(fail);
    if (milliseconds) clearTimeout(timer);
  }
}

const late = () => failure(503, "unavailable", "the vault did not answer in time; try again in a moment");

function failure(status, code, message) {
  const headers = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
  return Response.json({ error: { code, message } }, { status, headers });
}

export class MemoryVault extends DurableObject {
  constructor(state, env) {
    super(state, env);
    this.inner = new InnerVault(state, env);
  }

  fetch(request) {
    return guarded(() => this.inner.fetch(request));
  }

  alarm() {
    return guarded(() => this.inner.alarm());
  }
}

export default class extends WorkerEntrypoint {
  async fetch(request) {
    try {
      const inner = new Inner(this.ctx, this.env);
      return await guarded(() => inner.fetch(request), patience(request));
    } catch {
      return failure(500, "internal", "something went wrong inside the vault; nothing was changed");
    }
  }
}
