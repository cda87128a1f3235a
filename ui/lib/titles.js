// The words behind an id, for lists that know only ids. Read when a row comes into sight, a few at a time, once in a visit.

import { get, memoryPath } from "./api.js";
import { title } from "./words.js";

const AT_ONCE = 4;
const LENGTH = 70;
const known = new Map();
const waiting = [];
const sights = new Map();
let running = 0;

/** The first words of a memory: a text, `null` when it is gone, `undefined` while it is not read. */
export const titleOf = (id) => known.get(id);
/** Forgets what was read, for when memories have changed. */
export const forgetTitles = () => known.clear();

/** For `ref`: reads the words once the row is in sight and calls back. The same function each time, so that drawing again
    does not start over. */
export function onceSeen(id, callback) {
  if (!sights.has(id)) {
    let observer = null;
    sights.set(id, (element) => {
      observer?.disconnect();
      if (!element || known.has(id)) return;
      observer = new IntersectionObserver((entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        waiting.push([id, callback]);
        next();
      });
      observer.observe(element);
    });
  }
  return sights.get(id);
}

async function next() {
  if (running >= AT_ONCE || waiting.length === 0) return;
  running += 1;
  const [id, callback] = waiting.shift();
  try {
    if (!known.has(id)) known.set(id, title((await get(memoryPath(id))).content, LENGTH));
  } catch (error) {
    if (error.status === 404) known.set(id, null);
  }
  running -= 1;
  callback();
  next();
}
