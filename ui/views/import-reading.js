// Files and pasted text into requests. The vault itself cuts and reads them, so a file goes there as it is, in its form; only
// one that is larger than a request takes is sent in pieces, which are cut where nothing is torn apart.

import { t } from "../texts.js";

const FILE_BYTES = 10 * 1024 * 1024;
/** What one request takes of a file: the limit of a body is 8 MB, and text grows in JSON. */
const PIECE_BYTES = 4 * 1024 * 1024;
const encoder = new TextEncoder();
const size = (text) => encoder.encode(text).length;

/** What other programs write, by the ending of the file's name, as the vault calls it. */
const FORMATS = { json: "json", jsonl: "jsonl", ndjson: "jsonl", csv: "csv", tsv: "csv", tab: "csv", md: "text", markdown: "text" };
/** Names under which programs put their list. */
const LISTS = ["results", "memories", "items", "data", "facts", "memory", "entries"];

/** A file's text: UTF-8, or UTF-16 where its first two bytes say so, as spreadsheets write it. */
function decode(buffer) {
  const [first, second, third] = new Uint8Array(buffer.slice(0, 3));
  if (first === 0x50 && second === 0x4b && third === 3) throw new Error(t.imports.zip);
  const wide = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : null;
  try {
    const text = new TextDecoder(wide ?? "utf-8", { fatal: true }).decode(buffer);
    if (!text.includes("\0")) return text;
  } catch {
    // Said below, like a text with bytes that no text has.
  }
  throw new Error(t.imports.noText);
}

/** Reads a file: `{ name, size, count, text, format }`. */
export async function readFile(file) {
  if (file.size > FILE_BYTES) throw new Error(t.imports.tooLarge);
  const text = decode(await file.arrayBuffer());
  if (!text.trim()) throw new Error(t.imports.emptyFile);
  const format = FORMATS[/\.(\w+)$/.exec(file.name)?.[1]?.toLowerCase()] ?? "auto";
  if (format === "csv" && size(text) > PIECE_BYTES) throw new Error(t.imports.csvTooLarge);
  return { name: file.name, size: file.size, count: counted(text, format), text, format };
}
/** How many items a file has, as far as that shows before the vault reads it. */
function counted(text, format) {
  if (format === "jsonl") {
    const lines = text.split("\n").filter((line) => line.trim());
    parse(lines[0]);
    return lines.length;
  }
  return format === "json" ? (listOf(parse(text))?.list.length ?? null) : null;
}
/** The list in a JSON value, and its name if it has one. */
function listOf(value) {
  if (Array.isArray(value)) return { list: value, name: null };
  const name = LISTS.find((name) => Array.isArray(value?.[name]));
  return name ? { list: value[name], name } : null;
}
function parse(text) {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    throw new Error(t.imports.badJson);
  }
}

/** Runs of parts that fit one request, each joined again. */
function packed(parts, glue) {
  const runs = [];
  let [run, length] = [[], 0];
  for (const part of parts) {
    const bytes = size(part) + glue.length;
    if (run.length && length + bytes > PIECE_BYTES) {
      runs.push(run.join(glue));
      [run, length] = [[], 0];
    }
    run.push(part);
    length += bytes;
  }
  return run.length ? [...runs, run.join(glue)] : runs;
}
/** A long text, cut at blank lines outside blocks of code; each piece begins with the headings it stands under. */
function ofText(text) {
  const blocks = [[]];
  let fence = null;
  for (const line of text.split("\n")) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (fence && mark?.startsWith(fence)) fence = null;
    else if (!fence && mark) fence = mark;
    if (!fence && !line.trim()) blocks.push([]);
    else blocks.at(-1).push(line);
  }
  let over = [];
  const whole = blocks.filter((block) => block.length).map((block) => block.join("\n"));
  // A list without any blank line is cut between its lines.
  const fitting = whole.flatMap((block) => (size(block) > PIECE_BYTES ? packed(block.split("\n"), "\n") : [block]));
  return packed(fitting, "\n\n").map((piece, place) => {
    const above = place ? over.map(([, line]) => line).join("\n") : "";
    for (const [line, { length: level }] of piece.matchAll(/^(#{1,6}) .*$/gm)) over = [...over.filter(([other]) => other < level), [level, line]];
    return above ? `${above}\n\n${piece}` : piece;
  });
}
/** A long JSON file, cut between the entries of its list; what stands beside the list goes with the first piece. */
function ofJson(text) {
  const value = parse(text);
  const found = listOf(value);
  if (!found) return [text];
  const entries = found.list.map((entry) => JSON.stringify(entry));
  return packed(entries, ",").map((run, place) => {
    if (found.name === null) return `[${run}]`;
    const beside = place ? {} : Object.fromEntries(Object.entries(value).filter(([name]) => name !== found.name));
    return `${JSON.stringify(beside).slice(0, -1)}${Object.keys(beside).length ? "," : ""}${JSON.stringify(found.name)}:[${run}]}`;
  });
}
function pieces(text, format) {
  if (size(text) <= PIECE_BYTES || format === "csv") return [text];
  if (format === "json") return ofJson(text);
  return format === "jsonl" ? packed(text.split("\n"), "\n") : ofText(text);
}

/** What is to be sent, part by part. Each names its file; a source that is given holds for all of them. */
export function split(text, files, source) {
  const pasted = text.trim() ? [{ name: null, text, format: "auto" }] : [];
  return [...pasted, ...files].flatMap(({ name, text, format }) =>
    pieces(text, format).map((piece) => ({
      name,
      weight: Math.max(1, Math.round(size(piece) / 200)),
      body: { text: piece, format, ...(source ? { source } : {}), ...(name ? { file: name.slice(-200) } : {}) },
    })),
  );
}
