// The internet as a test wants it to be: every fetch() of the Worker ends here. `Control`, on a port of its own, is told
// what to answer and says what was asked; the Worker cannot reach it.
import { WorkerEntrypoint } from "cloudflare:workers";

/** What each address answers. An address that is not here does not answer at all. */
const answers = new Map();
/** What was asked, in order. */
const requests = [];

/** Pads an answer that never ends. */
const CHUNK = new Uint8Array(1024).fill(32);

export default {
  async fetch(request) {
    const headers = Object.fromEntries(request.headers);
    requests.push({ method: request.method, url: request.url, headers });
    let answer = answers.get(request.url);
    if (answer?.for_user_agent?.[headers["user-agent"]]) answer = answer.for_user_agent[headers["user-agent"]];
    if (!answer) throw new Error("nobody is there");
    if (answer.late_ms) await scheduler.wait(answer.late_ms);
    return new Response(body(answer), { status: answer.status ?? 200, headers: answer.headers });
  },
};

/** A text goes out whole, with its length. In parts (`parts`) its length is not announced, and `stall_ms` passes before the last one. */
function body(answer) {
  if (!answer.parts) return answer.body ?? null;
  const bytes = new TextEncoder();
  const parts = [...answer.parts];
  return new ReadableStream({
    async pull(controller) {
      if (answer.stall_ms && parts.length === 1) await scheduler.wait(answer.stall_ms);
      if (parts.length) controller.enqueue(bytes.encode(parts.shift()));
      else if (answer.endless) controller.enqueue(CHUNK);
      else controller.close();
    },
  });
}

export class Control extends WorkerEntrypoint {
  async fetch(request) {
    if (request.method === "GET") return Response.json(requests);
    const { url, answer } = await request.json();
    if (answer) answers.set(url, answer);
    else answers.delete(url);
    return Response.json({});
  }
}
