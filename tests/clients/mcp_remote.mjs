// mcp-remote, the bridge for apps that only start programs: we speak MCP of the legacy era over its stdin and stdout, it speaks
// to the vault, and signs in with a browser.
//
//   node mcp_remote.mjs http://localhost:8420/mcp     signs in, then answers lines (see commands.mjs)
import { spawn } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileOf } from "../../scripts/installed.mjs";
import { answer } from "./commands.mjs";
import { temporaryHome, withBrowser } from "./environment.mjs";

const home = temporaryHome("mcp-remote");
const env = { ...process.env, ...withBrowser, HOME: home, MCP_REMOTE_CONFIG_DIR: home };
const program = fileOf("mcp-remote", "dist/proxy.js");
const bridge = spawn(process.execPath, [program, process.argv[2], "--allow-http"], { stdio: ["pipe", "pipe", "inherit"], env });
process.once("exit", () => bridge.kill());

const waiting = new Map(); // id -> {resolve, reject}
let last = 0;

createInterface({ input: bridge.stdout }).on("line", (line) => {
  const { id, result, error } = JSON.parse(line);
  if (error) waiting.get(id)?.reject(Object.assign(new Error(error.message), error));
  else waiting.get(id)?.resolve(result);
});
bridge.once("exit", (code) => {
  for (const { reject } of waiting.values()) reject(new Error(`mcp-remote ended with ${code}`));
});

const send = (message) => bridge.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

function request(method, params) {
  const id = ++last;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    send({ id, method, params });
  });
}

await request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "mcp-remote-check", version: "1" } });
send({ method: "notifications/initialized" });
await answer({
  tools: async () => (await request("tools/list", {})).tools.map(({ name }) => name),
  call: async (name, args) => (await request("tools/call", { name, arguments: args })).structuredContent,
  lapse: () => {
    const [file] = readdirSync(home, { recursive: true }).filter((name) => name.endsWith("_tokens.json"));
    const tokens = JSON.parse(readFileSync(path.join(home, file), "utf8"));
    writeFileSync(path.join(home, file), JSON.stringify({ ...tokens, access_token: "lapsed", expires_at: 1 }));
  },
  wantsSignIn: (error) => /Unauthorized|Authorization failed/.test(error.message),
});
bridge.kill();
