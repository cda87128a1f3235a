// A bearer token for a vault, got as an app gets one: discovery, registration, consent (approve.mjs presses the button), exchange.
// Node's own modules only.
//
//   node token.mjs http://localhost:8420/mcp     prints an access token, for instance to try /mcp with curl
import { createHash, randomBytes } from "node:crypto";
import { pathToFileURL } from "node:url";
import { decide } from "./approve.mjs";

/** Where the answer goes. Nobody listens there: the code is read from the address itself. */
const REDIRECT = "http://127.0.0.1:9/callback";

const random = () => randomBytes(32).toString("base64url");

/** Sends a request; resolves to the answer's JSON, failing on any status but the expected one. */
async function json(expected, url, init) {
  const answer = await fetch(url, init);
  const text = await answer.text();
  if (answer.status !== expected) throw new Error(`${url}: expected ${expected}, got ${answer.status}: ${text.slice(0, 1_000)}`);
  return JSON.parse(text);
}

/** From the address of /mcp alone: {resource, server}, the name tokens are for and the metadata of who issues them. */
export async function discover(url) {
  const challenge = (await fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" })).headers.get("www-authenticate");
  const [, metadata] = /resource_metadata="([^"]+)"/.exec(challenge ?? "") ?? [];
  if (!metadata) throw new Error(`${url} does not say where to sign in: WWW-Authenticate is ${challenge}`);
  const { resource, authorization_servers: servers } = await json(200, metadata);
  const server = await json(200, `${servers[0]}/.well-known/oauth-authorization-server`);
  if (server.issuer !== servers[0]) throw new Error(`issuer ${server.issuer} is not ${servers[0]}`);
  return { resource, server };
}

/** Registers a public client; resolves to its client_id. */
export async function register(server, { name = "Test client", redirect = REDIRECT } = {}) {
  const client = { client_name: name, redirect_uris: [redirect], token_endpoint_auth_method: "none", grant_types: ["authorization_code", "refresh_token"] };
  const init = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(client) };
  return (await json(201, server.registration_endpoint, init)).client_id;
}

/** An access token for the vault's /mcp at `url`, with the scopes the vault proposes. */
export async function token(url, { name } = {}) {
  const { resource, server } = await discover(url);
  const client_id = await register(server, { name });
  const [state, code_verifier] = [random(), random()];
  const code_challenge = createHash("sha256").update(code_verifier).digest("base64url");
  const request = { response_type: "code", client_id, redirect_uri: REDIRECT, state, code_challenge, code_challenge_method: "S256", resource };
  const answer = new URL(await decide(`${server.authorization_endpoint}?${new URLSearchParams(request)}`)).searchParams;
  if (answer.get("state") !== state || answer.get("iss") !== server.issuer || !answer.get("code")) {
    throw new Error(`expected a code with our state and iss=${server.issuer}, got ${answer}`);
  }
  const exchange = { grant_type: "authorization_code", code: answer.get("code"), code_verifier, client_id, redirect_uri: REDIRECT, resource };
  return (await json(200, server.token_endpoint, { method: "POST", body: new URLSearchParams(exchange) })).access_token;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) console.log(await token(process.argv[2]));
