// Memory Vault through the door its rivals have, too: MCP, signed in as an app. It speaks HTTP where they speak over pipes, and
// checks a token at each call.
import { mkdirSync } from "node:fs";
import { call, must } from "../client.mjs";
import { start } from "../../running-vault.mjs";

export const name = "Memory Vault";
export const ways = { usual: "the question", best: "the question" };
export const bulk = "one bulk_remember call";

const PROTOCOL = "2025-11-25";
/** Items a call when each one's id is wanted: reports of more would not fit into an answer. */
const REPORTED = 100;
/** Items a call when filling. */
const FILL = 1_000;

export const about = () => [
  "Memory Vault is in auto mode, its model compiled in; it gets session, author and date as fields, its rivals, which have none, in the text",
];

const item = ({ text, session, author, date }) => ({ content: text, session, author, source_date: date });

/** What a vault's folder needs to be known by from one start to the next. */
const known = new Map();

/** Starts it on a folder; what lies there from an earlier start is there again. */
export async function open(folder) {
  mkdirSync(folder, { recursive: true });
  const vault = await start({ folder, port: known.get(folder)?.port });
  const { port } = vault;
  if (!known.has(folder)) {
    await must(port, "PUT", "/api/settings", { mode: "auto" });
    known.set(folder, { port, token: await vault.token() });
  }
  const headers = {
    Accept: "application/json, text/event-stream",
    Authorization: `Bearer ${known.get(folder).token}`,
    "MCP-Protocol-Version": PROTOCOL,
  };
  let last = 0;
  async function request(method, params) {
    const { status, json } = await call(port, "POST", "/mcp", { jsonrpc: "2.0", id: (last += 1), method, params }, headers);
    if (status !== 200 || json.error) throw new Error(`${method}: ${status} ${JSON.stringify(json?.error)}`);
    return json.result;
  }
  async function tool(name, input) {
    const result = await request("tools/call", { name, arguments: input });
    if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
    return result.structuredContent;
  }
  await request("initialize", { protocolVersion: PROTOCOL, capabilities: {}, clientInfo: { name: "bench", version: "1" } });
  await call(port, "POST", "/mcp", { jsonrpc: "2.0", method: "notifications/initialized" }, headers);

  const keys = new Map();
  const inPieces = async (memories, size, each = () => {}) => {
    let stored = 0;
    for (let first = 0; first < memories.length; first += size) {
      const piece = memories.slice(first, first + size);
      const report = await tool("bulk_remember", { items: piece.map(item) });
      stored += report.stored;
      each(report, piece);
    }
    return stored;
  };
  return {
    began: vault.began,
    ping: () => request("ping", {}),
    residentMiB: vault.residentMiB,
    cpuMilliseconds: vault.cpuMilliseconds,
    stop: vault.stop,
    remember: async (memory) => ((await tool("remember", item(memory))).outcome === "stored" ? 1 : 0),
    bulk: (memories) => inPieces(memories, FILL),
    fill: (memories) => inPieces(memories, FILL),
    /** Stores them so that ask() gives their keys. A text that is there twice is one memory with both keys. */
    keep: (memories) =>
      inPieces(memories, REPORTED, ({ items, items_omitted }, piece) => {
        if (items_omitted) throw new Error(`bulk_remember did not report ${items_omitted} of ${piece.length} items`);
        for (const { id, index } of items) keys.set(id, [...(keys.get(id) ?? []), piece[index].key]);
      }),
    /** What is stored but not embedded yet. */
    pending: async () => (await must(port, "GET", "/api/status")).index?.pending ?? 0,
    ask: async (question) => (await tool("recall", { query: question, limit: 10 })).results.flatMap(({ id }) => keys.get(id) ?? [id]),
  };
}
