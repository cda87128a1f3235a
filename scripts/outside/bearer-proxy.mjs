// Stands between a program that cannot carry a token and a vault that asks for one: a server on 127.0.0.1 that hands every
// request on with a bearer token added, and the answer back as it comes.
//
//   node bearer-proxy.mjs http://localhost:8420 TOKEN [PORT]     prints its own address; node tests/clients/token.mjs gets a token
import { createServer, request } from "node:http";
import { pathToFileURL } from "node:url";

/** Starts it in front of the vault at `origin`; resolves to {port, stop()}. */
export async function proxy(origin, token, port = 0) {
  const vault = new URL(origin);
  let own; // host:port, as callers who mean us write it
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    // Who names us means the vault. Any other name goes on as it is: whether the vault refuses it is what the suite wants to see.
    if (headers.host === own) headers.host = vault.host;
    if (headers.origin === `http://${own}`) headers.origin = vault.origin;
    const onward = request({ host: vault.hostname, port: vault.port, method: incoming.method, path: incoming.url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    onward.once("error", (error) => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end(`${error.message}\n`)));
    outgoing.once("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  own = `127.0.0.1:${server.address().port}`;
  return {
    port: server.address().port,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [origin, token, port] = process.argv.slice(2);
  console.log(`http://127.0.0.1:${(await proxy(origin, token, Number(port ?? 0))).port}`);
}
