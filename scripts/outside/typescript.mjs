// The official TypeScript client, pinned to the modern era. Reads {url, imports, questions} from stdin, writes
// {tools, stored, answers} to stdout; Python's twin does the same.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { readFileSync } from "node:fs";

const { url, imports, questions } = JSON.parse(readFileSync(0, "utf8"));
const client = new Client({ name: "typescript-check", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const { tools } = await client.listTools();
let stored = 0;
for (const [source, items] of Object.entries(imports)) {
  const report = await client.callTool({ name: "bulk_remember", arguments: { items, source } });
  stored += report.structuredContent.stored;
}
const answers = [];
for (const query of questions) {
  const answer = await client.callTool({ name: "recall", arguments: { query } });
  answers.push(answer.structuredContent.results.map(({ content }) => content));
}
await client.close();
console.log(JSON.stringify({ tools: tools.map(({ name }) => name), stored, answers }));
