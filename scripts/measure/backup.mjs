// A backup and a restore of many memories with their embeddings: how long, and how much memory the vault takes for it.
import { createHash } from "node:crypto";
import { must } from "./client.mjs";

/** Bytes of one uploaded part. */
const PART = 8 * 1024 * 1024;
/** How often the memory is looked at. */
const LOOK_MILLISECONDS = 20;

/** Runs `work` and says the most memory the vault took meanwhile, over what it took before. */
async function growth(vault, work) {
  const before = vault.residentMiB();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, vault.residentMiB())), LOOK_MILLISECONDS);
  const began = performance.now();
  try {
    const result = await work();
    return { result, seconds: (performance.now() - began) / 1000, mebibytes: Math.max(most, vault.residentMiB()) - before };
  } finally {
    clearInterval(timer);
  }
}

/** Downloads a backup: {result: the file, seconds, mebibytes}. Fails unless it is whole. */
export async function download(vault, query = "") {
  return growth(vault, async () => {
    const answer = await fetch(`http://127.0.0.1:${vault.port}/api/backup${query}`);
    const file = Buffer.from(await answer.arrayBuffer());
    const end = file.lastIndexOf("\n", file.length - 2) + 1;
    const trailer = JSON.parse(file.subarray(end).toString());
    if (createHash("sha256").update(file.subarray(0, end)).digest("hex") !== trailer.sha256) throw new Error("the backup's hash is another");
    return file;
  });
}

/** Restores a file into an empty vault, in parts. */
export async function upload(vault, file) {
  return growth(vault, async () => {
    const { id } = await must(vault.port, "POST", "/api/restore");
    for (let part = 0; part * PART < file.length; part += 1) {
      const body = file.subarray(part * PART, (part + 1) * PART);
      const answer = await fetch(`http://127.0.0.1:${vault.port}/api/restore/${id}/parts/${part + 1}`, { method: "PUT", body });
      if (answer.status !== 200) throw new Error(await answer.text());
      await answer.arrayBuffer();
    }
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${vault.port}/api/restore/${id}/commit`, { method: "POST" });
      const view = await answer.json();
      if (answer.status === 200) return view;
      if (answer.status !== 202) throw new Error(JSON.stringify(view));
    }
  });
}
