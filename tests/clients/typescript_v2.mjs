// The official TypeScript client, second generation, pinned to the modern era. It checks the issuer, the `iss` of the answer
// (RFC 9207) and the resource strictly.
//
//   node typescript_v2.mjs http://localhost:8420/mcp     signs in, then answers lines (see commands.mjs)
import { installed } from "../../scripts/installed.mjs";
import { decide } from "./approve.mjs";
import { answer } from "./commands.mjs";
import { Provider } from "./provider.mjs";

const { Client, StreamableHTTPClientTransport, UnauthorizedError } = await installed("@modelcontextprotocol/client");

const url = new URL(process.argv[2]);
const authProvider = new Provider("TypeScript client 2");
const wantsSignIn = (error) => error instanceof UnauthorizedError;

const connect = async () => {
  const client = new Client({ name: "typescript-client-2", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  const transport = new StreamableHTTPClientTransport(url, { authProvider });
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    if (!wantsSignIn(error) || !authProvider.asked) throw error;
    const { searchParams } = new URL(await decide(authProvider.asked));
    authProvider.check(searchParams);
    await transport.finishAuth(searchParams);
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
