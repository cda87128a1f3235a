// The measuring program behind scripts/calibrate: cosines of the labelled pairs under embedding models of Workers AI, and the
// marks that follow. A mark for near-duplicates lies above nine in ten of what is only alike; what differs in a number or a
// negation lies above every mark, in every model, and is the guard's business (src/dedupe).
import { readFileSync } from "node:fs";
import { quantile } from "./client.mjs";

const { CLOUDFLARE_ACCOUNT_ID: account, CLOUDFLARE_API_TOKEN: secret } = process.env;
const [file, ...wanted] = process.argv.slice(2);
const models = wanted.length ? wanted : ["@cf/baai/bge-m3", "@cf/baai/bge-base-en-v1.5"];
const AT_ONCE = 50;

const pairs = readFileSync(file, "utf8")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"))
  .map((line) => line.split("\t"))
  .map(([label, language, first, second]) => ({ label, language, first, second }));

async function embed(model, texts) {
  const vectors = [];
  for (let place = 0; place < texts.length; place += AT_ONCE) {
    const answer = await fetch(`https://api.cloudflare.com/client/v4/accounts/${account}/ai/run/${model}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
      body: JSON.stringify({ text: texts.slice(place, place + AT_ONCE) }),
    });
    const body = await answer.json().catch(() => ({}));
    if (!answer.ok || !body.success) {
      const said = (body.errors ?? []).map((error) => error.message).join("; ");
      throw new Error(`${model} answered ${answer.status}${said && `: ${said}`}; check the account id, the token and its permission`);
    }
    vectors.push(...body.result.data);
  }
  return vectors;
}

function cosine(one, two) {
  const product = (a, b) => a.reduce((sum, value, place) => sum + value * b[place], 0);
  return product(one, two) / Math.sqrt(product(one, one) * product(two, two));
}

for (const model of models) {
  const english = model.includes("-en-");
  const asked = pairs.filter(({ language }) => !english || language === "en");
  const vectors = await embed(model, asked.flatMap(({ first, second }) => [first, second]));
  const cosines = asked.map((pair, place) => ({ ...pair, cosine: cosine(vectors[2 * place], vectors[2 * place + 1]) }));
  const of = (label) => cosines.filter((pair) => pair.label === label).map((pair) => pair.cosine);
  console.log(`${model}: ${asked.length} pairs`);
  for (const label of ["same", "near_duplicate", "similar", "conflict", "different"]) {
    const [low, middle, high] = [0.1, 0.5, 0.9].map((share) => quantile(of(label), share).toFixed(3));
    console.log(`  ${label.padEnd(15)} median ${middle}, from ${low} to ${high}`);
  }
  const near = quantile(of("similar"), 0.9);
  const similar = quantile(of("different"), 0.99);
  const passed = (label, mark) => `${of(label).filter((value) => value >= mark).length} of ${of(label).length}`;
  console.log(`  near_duplicate >= ${near.toFixed(2)}: ${passed("near_duplicate", near)} near-duplicates, ${passed("similar", near)} similar`);
  console.log(`  similar >= ${similar.toFixed(2)}: ${passed("similar", similar)} similar, ${passed("different", similar)} different`);
}
