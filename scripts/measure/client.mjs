// A client that keeps its connections open, so that what is measured is the vault and not the handshakes.
import { Agent, request } from "node:http";

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends a request, with `more` headers, and reads the whole answer: {status, json}. */
export function call(port, method, path, body, more = {}) {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const headers = payload ? { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(payload), ...more } : more;
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, method, path, headers, agent }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("end", () => resolve({ status: answer.statusCode, json: JSON.parse(Buffer.concat(chunks).toString() || "null") }));
    });
    sent.on("error", reject);
    sent.end(payload);
  });
}

/** The same, failing on any status but 200 and 201. */
export async function must(port, method, path, body) {
  const answer = await call(port, method, path, body);
  if (answer.status !== 200 && answer.status !== 201) {
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
  }
  return answer.json;
}

/** Milliseconds of each of `count` calls made one after the other. */
export async function durations(count, each) {
  const times = [];
  for (let number = 0; number < count; number += 1) {
    const start = process.hrtime.bigint();
    await each(number);
    times.push(Number(process.hrtime.bigint() - start) / 1e6);
  }
  return times;
}

/** Calls a second, with so many under way at once. */
export async function rate(count, parallel, each) {
  let next = 0;
  const start = process.hrtime.bigint();
  const worker = async () => {
    while (next < count) await each(next++);
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return count / (Number(process.hrtime.bigint() - start) / 1e9);
}

/** The value below which the share of all values lies. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
