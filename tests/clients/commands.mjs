// The same small language for every client here, so that a person or tests/clients/run.mjs can drive them alike.
// A line in, a line of JSON out:
//
//   tools                          {"tools": ["recall", …]}
//   recall {"query": "trains"}     {"answer": {…}}, what the tool answered
//   lapse                          {"lapsed": true}; the client's access token has now had its time
//
// or {"signIn": "…"} if the vault wants the user to sign in again, or {"error": "…"}.
import { createInterface } from "node:readline";

/** Answers the lines of stdin. `client`: {tools(), call(name, arguments), lapse(), wantsSignIn(error)}. */
export async function answer(client) {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim()) console.log(JSON.stringify(await one(client, line.trim())));
  }
}

async function one(client, line) {
  try {
    if (line === "tools") return { tools: await client.tools() };
    if (line === "lapse") return await client.lapse(), { lapsed: true };
    const [, name, args] = /^(\S+)\s*(.*)$/.exec(line);
    return { answer: await client.call(name, JSON.parse(args || "{}")) };
  } catch (error) {
    return client.wantsSignIn(error) ? { signIn: error.message || error.name } : { error: `${error.name}: ${error.message}` };
  }
}
