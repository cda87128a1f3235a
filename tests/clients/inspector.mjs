// The command line of MCP Inspector, in the modern era: one process a call, with the credentials the first one stored. Listing
// tools also checks their schemas (--strict).
//
//   node inspector.mjs http://localhost:8420/mcp     signs in, then answers lines (see commands.mjs)
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileOf } from "../../scripts/installed.mjs";
import { answer } from "./commands.mjs";
import { temporaryHome, withBrowser } from "./environment.mjs";

/** Inspector's exit code for "sign in first". */
const SIGN_IN = 3;

const program = fileOf("@modelcontextprotocol/inspector", "clients/launcher/build/index.js");
const home = temporaryHome("inspector");

/** Runs Inspector once; resolves to the result of the method. */
function inspect(args, env = {}) {
  const common = ["--cli", "--server-url", process.argv[2], "--transport", "http", "--format", "json", "--protocol-era", "modern"];
  const own = {
    HOME: home,
    MCP_INSPECTOR_SECRET_STORE: "file", // without a keychain its secrets would be gone with the process
    MCP_OAUTH_CALLBACK_URL: "http://127.0.0.1:0/oauth/callback", // any free port, so that two runs do not meet
  };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...common, ...args], { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...own, ...env } });
    const output = [[], []];
    child.stdout.on("data", (chunk) => output[0].push(chunk));
    child.stderr.on("data", (chunk) => output[1].push(chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      const [stdout, stderr] = output.map((chunks) => Buffer.concat(chunks).toString());
      if (code === 0) resolve(JSON.parse(stdout).result);
      else reject(Object.assign(new Error(`exit code ${code}: ${stderr.slice(-1_000)} ${stdout.slice(-1_000)}`), { code }));
    });
  });
}

await inspect(["--method", "tools/list"], { ...withBrowser, MCP_AUTO_OPEN_ENABLED: "true" });
await answer({
  tools: async () => (await inspect(["--use-stored-auth", "--method", "tools/list", "--strict"])).tools.map(({ name }) => name),
  call: async (name, args) => {
    const call = ["--use-stored-auth", "--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args)];
    return (await inspect(call)).structuredContent;
  },
  lapse: () => {
    const secrets = path.join(home, ".mcp-inspector", "secrets.json"); // JSON in JSON
    writeFileSync(secrets, readFileSync(secrets, "utf8").replace(/(\\"access_token\\":\\")[^\\]+/, "$1lapsed"));
  },
  wantsSignIn: ({ code }) => code === SIGN_IN,
});
