// LoCoMo (https://github.com/snap-research/locomo) as memories and questions. A turn is a memory; its session, speaker and
// date are given as such. Questions of categories 1 to 4 count; recall@k is the share of a question's evidence turns among
// the first k results, MRR is of the first evidence turn.
import { readFileSync } from "node:fs";

/** [{name, memories: [{key, session, author, date, text}], questions: [{text, evidence: Set, category}], adversarial: [text]}] */
export function load(file) {
  return JSON.parse(readFileSync(file, "utf8")).map(conversation);
}

function conversation({ sample_id: name, conversation: turns, qa }) {
  const sessions = Object.keys(turns)
    .filter((key) => /^session_\d+$/.test(key))
    .sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)));
  const memories = sessions.flatMap((session) =>
    turns[session].map((turn) => ({
      key: turn.dia_id,
      session,
      author: turn.speaker,
      date: isoDay(turns[`${session}_date_time`]),
      text: turn.text.trim() + (turn.blip_caption ? ` [shares a photo: ${turn.blip_caption}]` : ""),
    })),
  );
  const known = new Set(memories.map((memory) => memory.key));
  const questions = qa
    .filter(({ category }) => category >= 1 && category <= 4)
    .map(({ question, evidence, category }) => ({ text: question, category, evidence: evidenceOf(evidence, known) }))
    .filter(({ evidence }) => evidence.size > 0);
  const adversarial = qa.filter(({ category }) => category === 5).map(({ question }) => question);
  return { name, memories, questions, adversarial };
}

const MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];

/** "1:56 pm on 8 May, 2023" as "2023-05-08". */
function isoDay(text) {
  const [, day, month, year] = /(\d+) (\w+), (\d{4})/.exec(text);
  const number = MONTHS.indexOf(month.toLowerCase()) + 1;
  return [year, number, day].map((part) => String(part).padStart(2, "0")).join("-");
}

function evidenceOf(evidence, known) {
  const found = (evidence ?? []).flatMap((entry) => [...String(entry).matchAll(/D:?(\d+):(\d+)/g)]);
  return new Set(found.map(([, session, turn]) => `D${Number(session)}:${Number(turn)}`).filter((key) => known.has(key)));
}

/** How likely a score of `good` is above one of `bad`; equal ones count half. */
export function areaUnderCurve(good, bad) {
  let above = 0;
  for (const one of good) for (const other of bad) above += one > other ? 1 : one === other ? 0.5 : 0;
  return above / (good.length * bad.length);
}

/** Adds up scores of ranked answers. */
export class Score {
  #atTen = 0;
  #atFiveSessions = 0;
  #reciprocal = 0;
  #questions = 0;

  /** `ranked`: keys, best first; `sessionOf`: key -> session. */
  add(ranked, evidence, sessionOf) {
    const hits = ranked.slice(0, 10).filter((key) => evidence.has(key)).length;
    const first = ranked.slice(0, 50).findIndex((key) => evidence.has(key));
    const wanted = new Set([...evidence].map(sessionOf));
    const sessions = [...new Set(ranked.map(sessionOf))].slice(0, 5);
    this.#atTen += hits / evidence.size;
    this.#atFiveSessions += sessions.filter((session) => wanted.has(session)).length / wanted.size;
    this.#reciprocal += first < 0 ? 0 : 1 / (first + 1);
    this.#questions += 1;
  }

  get result() {
    const mean = (sum) => (sum / this.#questions).toFixed(3);
    return { questions: this.#questions, r10: mean(this.#atTen), mrr: mean(this.#reciprocal), sessionR5: mean(this.#atFiveSessions) };
  }
}
