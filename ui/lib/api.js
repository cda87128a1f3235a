// The only module that talks to the vault. Every failure becomes an ApiError with a sentence that a person can act on; an
// answer that is no JSON (a sign-in page, say) is never taken for data.

import { t } from "../texts.js";

/** Longer than the vault's own time limit, so that its answer comes first. */
const TIMEOUT_MILLISECONDS = 35_000;

/** What a call failed with: `status` (0 = no answer), `code`, `message` as the vault wrote it, `field` if one was at fault. */
export class ApiError extends Error {
  constructor({ status = 0, code = "unreachable", message = "", field = null } = {}) {
    super(message || code);
    Object.assign(this, { status, code, field, raw: message });
  }
  /** One sentence for a person. */
  get sentence() {
    if (this.status === 0) return t.errors.unreachable;
    if (this.code === "unauthenticated") return t.errors.signedOut;
    if (!this.raw) return t.errors.odd(this.status);
    const name = t.errors.fields[this.field] ?? this.field;
    const subject = this.field && this.code !== "not_found" && !/^(no|the|it) /i.test(this.raw) ? `${name} ` : "";
    const text = `${subject}${this.raw}`.trim();
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
  }
}

/** `?a=b` of an object; empty values are left out. */
export function queryOf(values = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== "" && value !== false) query.set(name, value === true ? "1" : String(value));
  }
  const text = query.toString();
  return text && `?${text}`;
}

/** Calls the vault, with JSON or with `raw` bytes; resolves to the parsed answer; null where there is none. */
export async function call(method, path, { query, body, raw, signal, keepalive = false, milliseconds = TIMEOUT_MILLISECONDS } = {}) {
  const timeout = AbortSignal.timeout(milliseconds);
  let response;
  try {
    response = await fetch(`${path}${queryOf(query)}`, {
      method,
      keepalive,
      credentials: "same-origin",
      redirect: "manual",
      headers: {
        Accept: "application/json",
        ...(raw ? { "Content-Type": "application/octet-stream" } : body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError();
  }
  // Access answers an ended session with a redirect to its sign-in page.
  if (response.type === "opaqueredirect") throw new ApiError({ status: 401, code: "unauthenticated" });
  if (response.status === 204) return null;
  let answer;
  try {
    answer = await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
  }
  if (!response.ok) throw new ApiError({ status: response.status, code: "failed", ...answer?.error });
  if (answer === undefined) throw new ApiError({ status: response.status, code: "failed" });
  return answer;
}

/** Fetches a file as a whole; resolves to `{ blob, name }`. */
export async function fetchFile(path) {
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", redirect: "manual" });
    if (response.ok) return { blob: await response.blob(), name: /filename="?([^";]+)/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "file" };
  } catch {
    throw new ApiError();
  }
  if (response.type === "opaqueredirect") throw new ApiError({ status: 401, code: "unauthenticated" });
  const answer = await response.json().catch(() => null);
  throw new ApiError({ status: response.status, code: "failed", ...answer?.error });
}

export const get = (path, query, signal) => call("GET", path, { query, signal });
export const post = (path, body, options) => call("POST", path, { body, ...options });
export const put = (path, body) => call("PUT", path, { body });
export const patch = (path, body) => call("PATCH", path, { body });
export const remove = (path) => call("DELETE", path);

/** The path of one memory, with an action behind it. */
export const memoryPath = (id, action = "") => `/api/memories/${encodeURIComponent(id)}${action && `/${action}`}`;

let known = null;

/** Which routes this vault has: resolves to `(method, path) => boolean`, path as in the OpenAPI document. `.query(method, path,
    name)` and `.field(schema, name)` tell whether a route takes a parameter and a body a field. */
export async function routes() {
  known ??= get("/api/openapi.json").catch((error) => {
    known = null;
    throw error;
  });
  const { paths = {}, components = {} } = await known;
  const route = (method, path) => paths[path]?.[method.toLowerCase()];
  const has = (method, path) => Boolean(route(method, path));
  has.query = (method, path, name) => Boolean(route(method, path)?.parameters?.some((one) => one.in === "query" && one.name === name));
  has.field = (schema, name) => Boolean(components.schemas?.[schema]?.properties?.[name]);
  return has;
}

/** Walks all pages of a list, handing each to `take(rows, total)`; stops when `take` says false. */
export async function pages(path, name, query, take, signal) {
  let cursor;
  do {
    const page = await get(path, { ...query, cursor }, signal);
    cursor = page.next_cursor;
    if (take(page[name], page.total) === false) return;
  } while (cursor);
}
