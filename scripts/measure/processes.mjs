// What processes take of the machine, from /proc: each with its children.
import { readFileSync, readdirSync } from "node:fs";

/** The kernel counts CPU time in hundredths of a second, on every Linux there is. */
const TICK_MILLISECONDS = 10;

/** Resident memory. */
export const residentMiB = (pid) => summed(pid, (file) => Number(/VmRSS:\s+(\d+)/.exec(file("status"))?.[1] ?? 0) / 1024);

/** CPU time since the start, in ticks of ten milliseconds. */
export const cpuMilliseconds = (pid) =>
  summed(pid, (file) => {
    // The name in brackets may hold blanks; user and system time are the twelfth and thirteenth word after it.
    const words = file("stat").split(") ").at(-1).split(" ");
    return (Number(words[11]) + Number(words[12])) * TICK_MILLISECONDS;
  });

function summed(pid, read) {
  const file = (name) => readFileSync(`/proc/${pid}/${name}`, "utf8");
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) => file(`task/${task}/children`).split(" ").filter(Boolean));
    return children.reduce((sum, child) => sum + summed(child, read), read(file));
  } catch {
    return 0; // it ended meanwhile
  }
}
