// Writing and rewording: a new memory, a change of one, a proposal that is edited and then approved. What the vault refuses
// is said inside the dialog, with everything typed still there.

import { html, nothing } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { memoryPath, patch, post } from "../lib/api.js";
import { open } from "../lib/dialogs.js";
import { TYPE_WORDS, bytes, icon } from "../lib/parts.js";
import { command } from "../lib/keys.js";
import { linked, otherOf } from "../lib/words.js";

/** The vault's own limit for a text; it checks again. */
const MEMORY_BYTES = 64 * 1024;
/** Fields that are folded away. */
const MORE = ["tier", "importance", "source_date", "source", "author", "session"];
const sizeOf = (text) => new TextEncoder().encode(text).length;

const read = (form) => {
  const data = new FormData(form);
  const text = (name) => String(data.get(name) ?? "").trim();
  return {
    content: String(data.get("content") ?? ""),
    type: text("type"),
    tier: text("tier"),
    importance: Number(text("importance") || 0.5),
    tags: text("tags")
      .split(",")
      .map((tag) => tag.trim())
      .filter(Boolean),
    source: text("source") || null,
    author: text("author") || null,
    session: text("session") || null,
    source_date: text("source_date") || null,
  };
};

function fields(memory, wrong) {
  const bad = (name) => (wrong?.field === name ? "true" : nothing);
  const select = (name, words, value) =>
    html`<label class="field"><span>${t.facts[name]}</span><select name=${name}>${words.map((word) => html`<option value=${word}
      ?selected=${word === value}>${t.options[word] ?? word}</option>`)}</select></label>`;
  const input = (name, value, more = "") =>
    html`<label class="field"><span>${t.facts[name === "source_date" ? "dated" : name]}</span><input class="input" name=${name} .value=${value ?? ""} placeholder=${more}
      aria-invalid=${bad(name)}></label>`;
  // What few memories need is folded away until one has it, or it is at fault.
  const special = MORE.some((name) => wrong?.field === name || (memory[name] ?? null) !== DRAFT[name]);
  return html`<div class="fields">${select("type", TYPE_WORDS, memory.type)}${input("tags", memory.tags.join(", "), t.form.tagsHint)}</div>
    <details class="more" ?open=${special}><summary>${icon("right")}${t.form.more}</summary>
      <div class="fields">${select("tier", ["long", "short"], memory.tier)}<label class="field"><span>${t.form.importance}</span><input class="input" type="number"
        name="importance" min="0" max="1" step="0.05" .value=${String(memory.importance)} aria-invalid=${bad("importance")}></label>${input("source_date", memory.source_date, t.form.dateHint)}</div>
      <div class="fields">${input("source", memory.source)}${input("author", memory.author)}${input("session", memory.session)}</div></details>`;
}

/** A form in a dialog; resolves to what `send(values)` gave, or undefined when it was left. */
async function form({ heading, help = nothing, memory, label, action, extra = () => nothing, send, placeholder = "", heard = () => {} }) {
  let [busy, wrong, size] = [false, null, sizeOf(memory.content)];
  const dialog = open(
    (self) => {
      const submit = async (event) => {
        event.preventDefault();
        [busy, wrong] = [true, null];
        const values = read(event.currentTarget);
        const data = new FormData(event.currentTarget);
        self.draw();
        try {
          self.close({ done: await send(values, data) });
        } catch (error) {
          [busy, wrong] = [false, error];
          self.draw();
        }
      };
      const typed = (event) => {
        size = sizeOf(event.target.value);
        heard(event.target.value);
        self.draw();
      };
      const keydown = (event) => {
        if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) event.currentTarget.form.requestSubmit();
      };
      return html`<h2 id=${self.id}>${heading}</h2>${help === nothing ? nothing : html`<p>${help}</p>`}
        <form class="gap" novalidate @submit=${submit}>
          <label class="field"><span>${label}</span><textarea class="word" name="content" rows="6" dir="auto" data-first required placeholder=${placeholder}
            aria-invalid=${wrong?.field === "content" ? "true" : nothing} .defaultValue=${memory.content} @input=${typed} @keydown=${keydown}></textarea>
          ${size > MEMORY_BYTES * 0.75 ? html`<small>${t.form.size(bytes(size), bytes(MEMORY_BYTES))}</small>` : nothing}</label>
          ${fields(memory, wrong)}${extra()}
          ${wrong ? html`<p class="wrong" role="alert">${linked(wrong.sentence ?? t.errors.own(wrong))}</p>` : nothing}
          <div class="row end"><button class="btn quiet" type="button" @click=${() => self.close()}>${t.cancel}</button><button class="btn primary" type="submit"
            ?disabled=${busy}>${action} <kbd>${command("↵")}</kbd></button></div>
        </form>`;
    },
    { kind: "broad", holds: true },
  );
  return (await dialog.done)?.done;
}

const DRAFT = {
  content: "",
  type: "note",
  tier: "long",
  importance: 0.5,
  tags: [],
  source: null,
  author: null,
  session: null,
  source_date: null,
};
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
/** Only what differs, so that nothing is overwritten that was not touched. */
const changes = (memory, values) =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => !same(memory[name] ?? null, value) && !(name === "content" && value.trim() === memory.content),
    ),
  );

/** What was begun and left is there again the next time. */
let begun = "";

/** Writes a new memory; resolves to the vault's answer, with `outcome` "stored" or "duplicate". */
export function addMemory() {
  const key = crypto.randomUUID();
  return form({
    heading: t.form.add,
    memory: { ...DRAFT, content: begun },
    heard: (text) => (begun = text),
    label: t.form.oneThing,
    placeholder: t.form.example,
    action: t.form.keepIt,
    send: async (values) => {
      const answer = await post("/api/memories", {
        ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)),
        idempotency_key: `${key}-${sizeOf(values.content)}-${hash(values)}`,
      });
      begun = "";
      return answer;
    },
  });
}
/** A repeated send of the same words is one memory; other words are another. */
const hash = (values) => [...JSON.stringify(values)].reduce((sum, character) => (Math.imul(sum, 31) + character.codePointAt(0)) | 0, 7);

/** Changes a memory; resolves to it as it is now, or undefined. */
export function editMemory(memory) {
  return form({
    heading: t.form.edit,
    help: t.form.editHelp,
    memory,
    label: t.form.memory,
    action: t.form.save,
    send: (values) => patch(memoryPath(memory.id), changes(memory, values)),
  });
}

/** Edits a proposal and approves it in one step; resolves to the memory, or undefined. */
export function editProposal(memory) {
  const other = otherOf(memory);
  return form({
    heading: t.form.editThen,
    help: t.form.editThenHelp,
    memory,
    label: t.form.memory,
    action: t.form.approveWording,
    extra: () =>
      other
        ? html`<label class="choice gap-s"><input type="checkbox" name="replace" ?checked=${Boolean(memory.supersedes)}><span>${t.form.alsoReplace}</span></label>`
        : nothing,
    send: (values, data) => {
      const body = changes(memory, values);
      const replace = Boolean(data.get("replace"));
      if (memory.supersedes && !replace) body.supersedes = null;
      return post(memoryPath(memory.id, "approve"), body, { query: replace && !memory.supersedes ? { supersede_similar: 1 } : {} });
    },
  });
}
