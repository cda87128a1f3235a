// What apps that run as programs of their own are given: a browser, and a home folder that is gone when we are.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const browsers = path.join(import.meta.dirname, "browser");

/** Variables that make browser/xdg-open the browser, whether an app looks for xdg-open, as most on Linux do, or reads BROWSER. */
export const withBrowser = {
  PATH: `${browsers}${path.delimiter}${process.env.PATH}`,
  BROWSER: path.join(browsers, "xdg-open"),
  VAULT_NODE: process.execPath,
};

/** A new folder, removed when this process ends. */
export function temporaryHome(name) {
  const folder = mkdtempSync(path.join(tmpdir(), `${name}-`));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
