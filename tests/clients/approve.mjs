// The owner at the vault's consent page, without a browser: opens the page an app sends its user to, and presses a button.
//
//   node approve.mjs [--deny] [--visit] URL     presses Approve (or Deny), prints the address that leads to; --visit goes there
//
// browser/xdg-open makes it the browser of apps that open one. While the file named by VAULT_BROWSER_DENIES exists, it presses Deny.
//
// It fills in the form as a browser would: every hidden field, every checked box, the button pressed, the page's cookies. Where
// browsers differ it is as strict as the strictest, so that what passes here works in each.
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

/** How long an app may take until it listens where the answer goes, in milliseconds. */
const CALLBACK_LIMIT = 10_000;

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const decoded = (text) =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
    hex ? String.fromCodePoint(parseInt(hex, 16)) : decimal ? String.fromCodePoint(Number(decimal)) : (ENTITIES[name] ?? whole),
  );

/** {name: value} of a start tag's attributes; an attribute without a value is "". */
function attributes(tag) {
  const pairs = tag.replace(/^<\w+|\/?>$/g, "").matchAll(/([^\s=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|(\S+)))?/g);
  const entry = ([, name, double, single, bare]) => [name.toLowerCase(), decoded(double ?? single ?? bare ?? "")];
  return Object.fromEntries([...pairs].map(entry));
}

/** The start tags of this name, as attributes. */
const tags = (html, name) => [...html.matchAll(new RegExp(`<${name}\\b(?:"[^"]*"|'[^']*'|[^>"'])*>`, "gi"))].map(([tag]) => attributes(tag));

/** Whether an input goes into the form's data without being pressed. */
const isSent = ({ name, type = "text", checked, disabled }) =>
  Boolean(name) && disabled === undefined && !/^(submit|button|reset|image)$/.test(type) && (!/^(checkbox|radio)$/.test(type) || checked !== undefined);

/** The one form of a page: {action, fields: [[name, value]], buttons: [{name, value}]}. */
function form(html) {
  const forms = [...html.matchAll(/<form\b[^]*?<\/form>/gi)].map(([text]) => text);
  if (forms.length !== 1) throw new Error(`expected one form on the page, found ${forms.length}: ${html.slice(0, 1_000)}`);
  const [{ action, method }] = tags(forms[0], "form");
  if (method?.toLowerCase() !== "post") throw new Error(`expected a form that posts, found ${method}`);
  const inputs = tags(forms[0], "input");
  return {
    action,
    fields: inputs.filter(isSent).map(({ name, value = "on" }) => [name, value]),
    buttons: [...tags(forms[0], "button"), ...inputs.filter(({ type }) => type === "submit")],
  };
}

/** The cookies a page sets, as they are sent back. Not every browser takes a Secure one over plain http, so here none does. */
function cookies(page) {
  const set = page.headers.getSetCookie().map((cookie) => cookie.split(";").map((part) => part.trim()));
  const kept = set.filter(([, ...rest]) => new URL(page.url).protocol === "https:" || !rest.some((part) => /^secure$/i.test(part)));
  return kept.map(([pair]) => pair).join("; ");
}

/** Fails if the page's policy for forms would keep a browser from following the answer: some apply it to redirects, too. */
function checkPolicy(page, address) {
  const policy = page.headers.get("content-security-policy") ?? "";
  const [, sources] = /(?:^|;)\s*form-action\s+([^;]*)/i.exec(policy) ?? [];
  const { protocol, origin, hostname } = new URL(address);
  const allowed = ["*", protocol, origin, `${protocol}//${hostname}:*`, ...(origin === new URL(page.url).origin ? ["'self'"] : [])];
  if (sources !== undefined && !sources.trim().split(/\s+/).some((source) => allowed.includes(source))) {
    throw new Error(`the page's form-action (${sources}) keeps browsers from going on to ${origin}`);
  }
}

/** Opens the page at `url` and presses the button whose value is `decision`; resolves to the address the vault answers with. */
export async function decide(url, decision = "approve") {
  const page = await fetch(url, { redirect: "manual" });
  const html = await page.text();
  // A request the vault refuses for the app's fault goes back to the app without a page.
  if (page.status >= 300 && page.status < 400) return new URL(page.headers.get("location"), url).href;
  if (page.status !== 200) throw new Error(`expected the consent page, got ${page.status}: ${html.slice(0, 1_000)}`);
  const { action, fields, buttons } = form(html);
  const button = buttons.find(({ value }) => value === decision);
  if (!button) throw new Error(`no button "${decision}" among ${JSON.stringify(buttons)}`);

  const target = new URL(action || url, url);
  const answer = await fetch(target, {
    method: "POST",
    redirect: "manual",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      // The page's origin, or "null" where the page asks that nobody learns it.
      Origin: page.headers.get("referrer-policy") === "no-referrer" ? "null" : new URL(url).origin,
      "Sec-Fetch-Site": "same-origin",
      "Sec-Fetch-Mode": "navigate",
      "Sec-Fetch-Dest": "document",
      Cookie: cookies(page),
    },
    body: new URLSearchParams([...fields, [button.name, button.value]]).toString(),
  });
  const text = await answer.text();
  if (answer.status !== 302 && answer.status !== 303) throw new Error(`expected a redirect, got ${answer.status}: ${text.slice(0, 1_000)}`);
  const address = new URL(answer.headers.get("location"), target).href;
  checkPolicy(page, address);
  return address;
}

/** Brings the answer to the app, which may open its port only after it has opened the browser. */
async function visit(address) {
  for (const end = Date.now() + CALLBACK_LIMIT; ; ) {
    try {
      return await (await fetch(address)).text();
    } catch (error) {
      if (Date.now() > end) throw new Error(`nobody listens at ${new URL(address).origin}: ${error.cause?.message ?? error.message}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { deny: { type: "boolean" }, visit: { type: "boolean" } } });
  const denied = values.deny || existsSync(process.env.VAULT_BROWSER_DENIES ?? "");
  const address = await decide(positionals[0], denied ? "deny" : "approve");
  if (values.visit) await visit(address);
  console.log(address);
}
