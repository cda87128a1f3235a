// The official TypeScript SDK, first generation: what most clients of today are made of. It speaks the legacy era only.
//
//   node typescript_v1.mjs http://localhost:8420/mcp     signs in, then answers lines (see commands.mjs)
import { installed } from "../../scripts/installed.mjs";
import { decide } from "./approve.mjs";
import { answer } from "./commands.mjs";
import { Provider } from "./provider.mjs";

const { Client } = await installed("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport } = await installed("@modelcontextprotocol/sdk/client/streamableHttp.js");
const { UnauthorizedError } = await installed("@modelcontextprotocol/sdk/client/auth.js");

const url = new URL(process.argv[2]);
const authProvider = new Provider("TypeScript SDK 1");
const wantsSignIn = (error) => error instanceof UnauthorizedError;

const connect = async () => {
  const client = new Client({ name: "typescript-sdk-1", version: "1" });
  const transport = new StreamableHTTPClientTransport(url, { authProvider });
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    if (!wantsSignIn(error) || !authProvider.asked) throw error;
    const { searchParams } = new URL(await decide(authProvider.asked));
    authProvider.check(searchParams);
    await transport.finishAuth(searchParams.get("code"));
    return null;
  }
};

const client = (await connect()) ?? (await connect());
await answer({
  tools: async () => (await client.listTools()).tools.map(({ name }) => name),
  call: async (name, args) => (await client.callTool({ name, arguments: args })).structuredContent,
  lapse: () => authProvider.lapse(),
  wantsSignIn,
});
await client.close();
