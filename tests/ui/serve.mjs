// Serves ui/ from disk with the policy the vault gives it, and passes everything else on to a running vault, so that a
// change is one reload away:
//
//   node tests/ui/serve.mjs --vault http://127.0.0.1:8420 [--port 8430]
//
// The last line it prints is `ready http://127.0.0.1:PORT`. Also used by run.mjs, which starts it on a free port.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";
import zlib from "node:zlib";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

const UI = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../ui");
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".LICENSE": "text/plain; charset=utf-8",
};
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

async function asset(request, response, name) {
  const file = path.join(UI, name);
  const inside = file.startsWith(UI + path.sep) && (await stat(file).catch(() => null))?.isFile();
  if (!inside) {
    response.writeHead(404).end("no such file");
    return;
  }
  const content = await readFile(file);
  const tag = `"${createHash("sha256").update(content).digest("base64url").slice(0, 16)}"`;
  const headers = {
    "Content-Type": TYPES[path.extname(file)] ?? "application/octet-stream",
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
    ETag: tag,
  };
  if (request.headers["if-none-match"] === tag) {
    response.writeHead(304, headers).end();
    return;
  }
  if (!/\bgzip\b/.test(request.headers["accept-encoding"] ?? "")) {
    response.writeHead(200, headers);
    createReadStream(file).pipe(response);
    return;
  }
  response.writeHead(200, { ...headers, "Content-Encoding": "gzip", Vary: "Accept-Encoding" }).end(zlib.gzipSync(content, { level: 9 }));
}

/** The vault sees the request as if it had come straight from its own page. */
function pass(request, response, vault) {
  const headers = { ...request.headers, host: vault.host };
  if (headers.origin === `http://${request.headers.host}`) headers.origin = vault.origin;
  if (headers.referer) delete headers.referer;
  const onward = http.request({ host: vault.hostname, port: vault.port, method: request.method, path: request.url, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.writeHead(502, { "Content-Type": "text/plain" }).end("the vault does not answer"));
  request.pipe(onward);
}

/** Starts serving; resolves to `{ url, stop() }`. */
export function serve(vaultUrl, port = 0) {
  const vault = new URL(vaultUrl);
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://here");
    if (pathname === "/") asset(request, response, "index.html");
    else if (pathname.startsWith("/ui/")) asset(request, response, decodeURIComponent(pathname.slice(4)));
    else pass(request, response, vault);
  });
  return new Promise((resolve) =>
    server.listen(port, "127.0.0.1", () =>
      resolve({
        url: `http://127.0.0.1:${server.address().port}`,
        stop: () => {
          server.closeAllConnections();
          server.close();
        },
      }),
    ),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const option = (name) => process.argv[process.argv.indexOf(`--${name}`) + 1];
  if (!process.argv.includes("--vault")) {
    console.error("usage: node tests/ui/serve.mjs --vault http://127.0.0.1:PORT [--port PORT]");
    process.exit(2);
  }
  const { url } = await serve(option("vault"), process.argv.includes("--port") ? Number(option("port")) : 8430);
  console.log(`ready ${url}`);
}
