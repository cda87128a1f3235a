// The same notes in several languages (https://github.com/MemPalace/mempalace, one JSON object with id and text a line), asked
// with questions of our own: those of a language about its own notes, and the English ones about the notes in every language.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { must } from "./client.mjs";

const OWN = JSON.parse(readFileSync(new URL("./questions.json", import.meta.url), "utf8"));
const FILES = { en: "memory_extraction.jsonl", zh: "memory_extraction.zh.jsonl", ko: "memory_extraction.ko.jsonl", de: "memory_extraction.de.jsonl" };
const TOP = 3;

export const nonsense = OWN.nonsense;
export const moreNonsense = JSON.parse(readFileSync(new URL("./nonsense.json", import.meta.url), "utf8")).questions;

/** Whether the notes are there. */
export const present = (folder) => Object.values(FILES).every((file) => existsSync(path.join(folder, file)));

/** `{own: {en, zh, …}, english: {zh, …}}`: shares of questions whose note is among the first three. */
export async function measure(folder, withVault) {
  const shares = { own: {}, english: {} };
  for (const [language, file] of Object.entries(FILES)) {
    await withVault(async ({ port }) => {
      const lines = readFileSync(path.join(folder, file), "utf8").trim().split("\n");
      const notes = lines.map((line) => JSON.parse(line));
      const report = await must(port, "POST", "/api/bulk", { items: notes.map(({ text }) => text) });
      const numbers = new Map(report.items.map((item) => [item.id, Number(notes[item.index].id.replace(/\D/g, ""))]));
      const share = async (questions) => {
        let found = 0;
        for (const [number, text] of questions) {
          const answer = await must(port, "GET", `/api/recall?limit=${TOP}&q=${encodeURIComponent(text)}`);
          found += answer.results.some(({ id }) => numbers.get(id) === number) ? 1 : 0;
        }
        return found / questions.length;
      };
      shares.own[language] = await share(OWN[language]);
      if (language !== "en") shares.english[language] = await share(OWN.en);
    });
  }
  return shares;
}

/** "zh 0.87, ko 0.93" and their mean. */
export function shown(shares) {
  const values = Object.entries(shares);
  const mean = values.reduce((sum, [, value]) => sum + value, 0) / values.length;
  return { mean: mean.toFixed(2), each: values.map(([language, value]) => `${language} ${value.toFixed(2)}`).join(", ") };
}
