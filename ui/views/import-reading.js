// Files and pasted text into requests the vault takes: JSON as items, everything else as text that the vault itself cuts.
// Parts stay under the vault's limits, and each has a key, so that sending one again changes nothing.

import { t } from "../texts.js";

const FILE_BYTES = 10 * 1024 * 1024;
/** A file that the vault reads in one call; the limit of a body is 8 MB, and text grows in JSON. */
const WHOLE_BYTES = 5 * 1024 * 1024;
const PART_ITEMS = 500;
const PART_BYTES = 2 * 1024 * 1024;
const size = (text) => new TextEncoder().encode(text).length;

/** The list of items in a JSON value: an array, or one under a usual name. */
function itemsOf(value) {
  if (Array.isArray(value)) return value;
  for (const name of ["items", "memories", "facts", "entries", "data"]) if (Array.isArray(value?.[name])) return value[name];
  throw new Error(t.imports.noList);
}
/** An item of another program's list as the vault wants it; the vault says what is wrong with the rest. */
function itemOf(value) {
  if (typeof value === "string") return value;
  if (!value || typeof value !== "object") return { content: String(value) };
  const content = value.content ?? value.text ?? value.memory ?? value.fact ?? value.value;
  if (typeof content !== "string") return value;
  const known = ["type", "tier", "importance", "tags", "session", "author", "source", "source_date"];
  return {
    content,
    ...Object.fromEntries(known.filter((name) => value[name] !== undefined && value[name] !== null).map((name) => [name, value[name]])),
  };
}

/** What other programs write, by the ending of the file's name, as the vault calls it. */
const FORMATS = { json: "json", jsonl: "jsonl", csv: "csv" };

/** Reads a file: `{ name, size, count, items }` or `{ name, size, count, text, format }`. `formats`: the vault reads other programs'
    files itself, so they go there as they are while they fit one call. */
export async function readFile(file, formats = false) {
  if (file.size > FILE_BYTES) throw new Error(t.imports.tooLarge);
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error(t.imports.noText);
  }
  const format = FORMATS[/\.(\w+)$/.exec(file.name)?.[1]?.toLowerCase()];
  if (formats && format && file.size <= WHOLE_BYTES) return { name: file.name, size: file.size, count: counted(text, format), text, format };
  if (format === "csv") throw new Error(formats ? t.imports.csvTooLarge : t.imports.noCsv);
  if (/\.jsonl$/i.test(file.name)) {
    const items = text
      .split("\n")
      .filter((line) => line.trim())
      .map((line) => itemOf(parse(line)));
    return { name: file.name, size: file.size, count: items.length, items };
  }
  if (/\.json$/i.test(file.name)) {
    const items = itemsOf(parse(text)).map(itemOf);
    return { name: file.name, size: file.size, count: items.length, items };
  }
  return { name: file.name, size: file.size, count: null, text };
}
/** How many items a file has, as far as that shows before the vault reads it. */
function counted(text, format) {
  if (format === "csv") return null;
  if (format === "jsonl") {
    const lines = text.split("\n").filter((line) => line.trim());
    if (lines.length) parse(lines[0]);
    return lines.length;
  }
  const value = parse(text);
  const list = Array.isArray(value) ? value : Object.values(value ?? {}).find(Array.isArray);
  return list?.length ?? null;
}
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(t.imports.badJson);
  }
}

const key = () => crypto.randomUUID();
const cuts = (block) => Math.max(1, (block.match(/^\s*(?:[-*+•]|\d+[.)])\s/gm) ?? []).length);

function ofText(text, name, source) {
  const ruled = /^\s*---\s*$/m.test(text);
  const [border, glue] = ruled ? [/^\s*---\s*$/m, "\n---\n"] : [/\n[ \t]*\n/, "\n\n"];
  const parts = [];
  let [blocks, weight, length] = [[], 0, 0];
  const push = () => {
    if (blocks.length)
      parts.push({
        name,
        weight,
        before: 0,
        key: key(),
        body: {
          text: ruled && blocks.length === 1 && parts.length ? `${blocks[0]}${glue}` : blocks.join(glue),
          ...(source ? { source } : {}),
        },
      });
    [blocks, weight, length] = [[], 0, 0];
  };
  for (const block of text.split(border).flatMap((one) => (ruled ? [one] : lists(one)))) {
    if (!block.trim()) continue;
    const [more, bytes] = [ruled ? 1 : cuts(block), size(block)];
    if (blocks.length && (weight + more > PART_ITEMS || length + bytes > PART_BYTES)) push();
    blocks.push(block);
    weight += more;
    length += bytes;
  }
  push();
  return parts;
}
/** A list longer than a part, in pieces of whole lines. */
function lists(block) {
  if (cuts(block) <= PART_ITEMS) return [block];
  const lines = block.split("\n");
  return Array.from({ length: Math.ceil(lines.length / PART_ITEMS) }, (_, place) =>
    lines.slice(place * PART_ITEMS, (place + 1) * PART_ITEMS).join("\n"),
  );
}
function ofItems(items, name, source) {
  const parts = [];
  let [rows, length] = [[], 0];
  const push = () => {
    if (rows.length)
      parts.push({
        name,
        weight: rows.length,
        before: parts.reduce((sum, part) => sum + part.weight, 0),
        key: key(),
        texts: rows.map((row) => (typeof row === "string" ? row : row?.content)),
        body: { items: rows, ...(source ? { source } : {}) },
      });
    [rows, length] = [[], 0];
  };
  for (const item of items) {
    const bytes = size(JSON.stringify(item));
    if (rows.length && (rows.length >= PART_ITEMS || length + bytes > PART_BYTES)) push();
    rows.push(item);
    length += bytes;
  }
  push();
  return parts;
}

/** A file of another program's, which the vault reads itself. */
const whole = (file, source) => [
  { name: file.name, weight: Math.max(1, Math.round(file.size / 200)), before: 0, key: key(), body: { text: file.text, format: file.format, source } },
];

/** What is to be sent, part by part. A file names itself as the source unless one is given. */
export function split(text, files, source) {
  const parts = text.trim() ? ofText(text, null, source) : [];
  for (const file of files)
    parts.push(...(file.format ? whole(file, source ?? file.name) : file.items ? ofItems(file.items, file.name, source ?? file.name) : ofText(file.text, file.name, source ?? file.name)));
  return parts;
}
