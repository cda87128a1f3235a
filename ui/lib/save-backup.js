// A backup saved by the page itself, for the moment before something that cannot be undone: only when all of it is here does
// the caller go on. The last line of the file says how much there must be before it.

import { t } from "../texts.js";
import { ApiError, fetchFile } from "./api.js";

/** Bytes of the end in which the last line is found. */
const END_BYTES = 4096;

/** Fetches a whole backup and hands it to the browser to keep. */
export async function saveBackup() {
  const { blob, name } = await fetchFile("/api/backup");
  const end = await blob.slice(-END_BYTES).text();
  if (!end.trimEnd().split("\n").at(-1).startsWith('{"end":true,')) throw new ApiError({ status: 200, code: "failed", message: t.backup.notWhole });
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // The browser takes the file over at its own pace.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
