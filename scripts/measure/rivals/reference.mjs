// The reference memory server of the MCP project (@modelcontextprotocol/server-memory): entities with observations in one
// JSON-lines file, which every call reads and every write writes anew. Its search looks for the whole query as a piece of text;
// it keeps no index, ranks nothing and knows no limit.
import path from "node:path";
import { open as openStdio } from "./stdio.mjs";
import { told } from "./texts.mjs";
import { byWordsFound, contentWords } from "./words-counted.mjs";

export const name = "reference server";
export const ways = { usual: "the whole question", best: "each word alone, the hits counted by the client" };
export const bulk = "one create_entities call";
/** Why its figure says little in a row where it indexed nothing. */
export const hollow = "indexes nothing: it writes or reads the whole file";

export const about = () => ["the reference server gets one entity a memory, with the text as its one observation"];

const entity = (memory) => ({ name: memory.key, entityType: "memory", observations: [told(memory)] });

/** Starts it on a folder; what lies there from an earlier start is there again. */
export async function open(folder) {
  const server = await openStdio({
    command: process.execPath,
    args: [process.env.VAULT_REFERENCE_SERVER],
    env: { MEMORY_FILE_PATH: path.join(folder, "memory.jsonl") },
    cwd: folder,
    log: path.join(folder, "..", `${path.basename(folder)}.log`),
  });
  const position = new Map();
  const create = async (memories) => {
    memories.forEach(({ key }) => position.set(key, position.size));
    const { structuredContent } = await server.call("create_entities", { entities: memories.map(entity) });
    return structuredContent.entities.length;
  };
  const search = async (query) => (await server.call("search_nodes", { query })).structuredContent.entities.map((found) => found.name);
  return {
    began: server.began,
    ping: server.ping,
    residentMiB: server.residentMiB,
    cpuMilliseconds: server.cpuMilliseconds,
    stop: server.stop,
    remember: (memory) => create([memory]),
    bulk: create,
    fill: create,
    keep: create,
    async ask(question, way = "usual") {
      if (way === "usual") return search(question);
      const answers = [];
      for (const word of contentWords(question)) answers.push(await search(word));
      return byWordsFound(answers, position).slice(0, 10);
    },
  };
}
