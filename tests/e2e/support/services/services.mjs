// Workers AI and Vectorize as a test wants them to be, with the shapes of the real bindings, their limits and their habits.
// `Control`, on a port of its own, says how they behave and tells what they were asked.
import { WorkerEntrypoint } from "cloudflare:workers";

const MODELS = {
  // unlike: the cosine of two texts that have nothing in common, as these models give it.
  "@cf/baai/bge-m3": { dims: 1024, words: 5000, unlike: 0.4 },
  "@cf/baai/bge-base-en-v1.5": { dims: 768, words: 350, unlike: 0.5 },
};

/** Words that mean the same. What is not here is a meaning of its own. */
const MEANINGS = [
  ["lactose", "milk", "dairy", "cheese"],
  ["car", "automobile", "vehicle", "saloon"],
  ["physician", "doctor", "surgeon"],
  ["seaside", "beach", "shore", "coast"],
  ["spouse", "wife", "husband", "married"],
  ["combination", "code", "digits"],
  ["safe", "vault", "strongbox"],
];
const EMPTY = new Set("the a an of to in on at is are was were and or for with my i it that this what which who does do by from has have".split(" "));

/** How the two behave until told otherwise. */
const usual = () => ({
  ai: { fail: null, times: Infinity, refuse: null, hang: false, short: false },
  vectorize: { fail: null, times: Infinity, hang: false, dimensions: 1024, visible: true },
});
const behaviour = usual();
const asked = { texts: [], calls: 0, upserts: 0, deletes: 0, queries: 0, largest_batch: 0 };

/** What Vectorize has, and what it was told but does not show yet. */
const vectors = new Map();
let mutations = [];

function trouble(of) {
  if (!of.fail || of.times <= 0) return;
  of.times -= 1;
  throw new Error(of.fail);
}

/** A direction of its own for each meaning. */
function direction(word, dims) {
  let seed = 2166136261;
  for (const letter of word) seed = Math.imul(seed ^ letter.codePointAt(0), 16777619) >>> 0;
  return Array.from({ length: dims }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 31 - 1;
  });
}

function unit(vector) {
  const length = Math.sqrt(vector.reduce((sum, number) => sum + number * number, 0));
  return length ? vector.map((number) => number / length) : vector;
}

function embed(text, { dims, words, unlike }) {
  const plain = text.replace("Represent this sentence for searching relevant passages: ", "").toLowerCase();
  const all = (plain.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, words);
  const sum = new Array(dims).fill(0);
  for (const word of new Set(all.filter((word) => !EMPTY.has(word)))) {
    const meaning = MEANINGS.find((words) => words.includes(word))?.[0] ?? word;
    direction(meaning, dims).forEach((number, at) => (sum[at] += number));
  }
  const own = unit(sum);
  const common = unit(direction("common to all texts", dims));
  return own.map((number, at) => Math.sqrt(1 - unlike) * number + Math.sqrt(unlike) * common[at]);
}

export class Ai extends WorkerEntrypoint {
  async run(name, { text }) {
    asked.calls += 1;
    if (behaviour.ai.hang) await scheduler.wait(120_000);
    trouble(behaviour.ai);
    const model = MODELS[name];
    if (!model) throw new Error(`5007: No such model ${name} or task`);
    const texts = Array.isArray(text) ? text : [text];
    asked.largest_batch = Math.max(asked.largest_batch, texts.length);
    if (texts.length > 100) throw new Error("5006: Error: oneOf at '/' not met: maxItems 100");
    if (behaviour.ai.refuse && texts.some((text) => text.includes(behaviour.ai.refuse))) throw new Error("3006: Request is too large");
    asked.texts.push(...texts);
    const data = texts.map((text) => embed(text, model));
    if (behaviour.ai.short) data[0] = data[0].slice(1);
    return { shape: [data.length, model.dims], data, pooling: "cls" };
  }
}

const bytes = (text) => new TextEncoder().encode(text).length;

/** What the real one counts as seconds to minutes passes when the test says so. */
function settle() {
  for (const apply of mutations) apply();
  mutations = [];
}

function mutate(apply) {
  mutations.push(apply);
  if (behaviour.vectorize.visible) settle();
  return { mutationId: crypto.randomUUID() };
}

export class Vectorize extends WorkerEntrypoint {
  async #begin() {
    if (behaviour.vectorize.hang) await scheduler.wait(120_000);
    trouble(behaviour.vectorize);
  }

  async upsert(list) {
    asked.upserts += 1;
    await this.#begin();
    if (list.length > 1000) throw new Error("VECTOR_UPSERT_ERROR (code = 40007): max batch size is 1000");
    for (const { id, namespace, values, metadata } of list) {
      if (!id || bytes(id) > 64) throw new Error("VECTOR_UPSERT_ERROR (code = 40008): id too long; max is 64 bytes");
      if (bytes(namespace ?? "") > 64) throw new Error("VECTOR_UPSERT_ERROR (code = 40010): namespace too long; max is 64 bytes");
      if (values.length !== behaviour.vectorize.dimensions) throw new Error(`VECTOR_UPSERT_ERROR (code = 40012): invalid vector, expected ${behaviour.vectorize.dimensions} dimensions`);
      if (bytes(JSON.stringify(metadata ?? {})) > 10240) throw new Error("VECTOR_UPSERT_ERROR (code = 40013): metadata too large");
    }
    return mutate(() => list.forEach(({ id, namespace, values }) => vectors.set(id, { namespace, values: unit([...values]) })));
  }

  async deleteByIds(ids) {
    asked.deletes += 1;
    await this.#begin();
    if (ids.length > 100) throw new Error("VECTOR_DELETE_ERROR (code = 40007): max ids is 100");
    return mutate(() => ids.forEach((id) => vectors.delete(id)));
  }

  async query(values, options = {}) {
    asked.queries += 1;
    await this.#begin();
    const { topK = 5, namespace, returnValues = false, returnMetadata = "none" } = options;
    const most = returnValues || returnMetadata === "all" || returnMetadata === true ? 20 : 100;
    if (topK > most) throw new Error(`VECTOR_QUERY_ERROR (code = 40025): max top K is ${most}, but got ${topK}`);
    if (values.length !== behaviour.vectorize.dimensions) throw new Error("VECTOR_QUERY_ERROR (code = 40006): invalid query vector");
    const wanted = unit([...values]);
    const matches = [...vectors]
      .filter(([, vector]) => vector.namespace === namespace)
      .map(([id, vector]) => ({ id, score: vector.values.reduce((sum, number, at) => sum + number * wanted[at], 0) }))
      .sort((first, second) => second.score - first.score)
      .slice(0, topK);
    return { count: matches.length, matches };
  }

  async describe() {
    await this.#begin();
    return { vectorCount: vectors.size, dimensions: behaviour.vectorize.dimensions, processedUpToDatetime: null, processedUpToMutation: null };
  }
}

export class Control extends WorkerEntrypoint {
  async fetch(request) {
    if (request.method === "POST") {
      const { ai, vectorize, settle: now, ghost } = await request.json();
      if (ai) Object.assign(behaviour.ai, usual().ai, ai);
      if (vectorize) Object.assign(behaviour.vectorize, usual().vectorize, { dimensions: behaviour.vectorize.dimensions }, vectorize);
      if (now) settle();
      if (ghost) vectors.set(ghost.id, { namespace: ghost.namespace, values: unit(embed(ghost.text, MODELS["@cf/baai/bge-m3"])) });
    }
    const ids = [...vectors.keys()].sort();
    const namespaces = [...new Set([...vectors.values()].map(({ namespace }) => namespace))].sort();
    return Response.json({ ...asked, ids, namespaces });
  }
}
