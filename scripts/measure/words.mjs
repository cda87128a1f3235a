// Made-up memories: sentences of a fixed vocabulary drawn with a seeded generator, so that every run stores the same.

const PEOPLE = ["Ada", "Milo", "Ilse", "Odile", "Ruth", "Teodora", "Noor", "Jonas", "Petra", "Samir", "Vera", "Anton"];
const VERBS = ["bought", "repaired", "sold", "painted", "moved", "described", "borrowed", "measured", "lost", "found", "planned", "ordered"];
const THINGS =
  "boat valve crane harbour ladder invoice garden fence printer router antenna battery kettle violin atlas lantern anchor rope compass tent stove bicycle saddle pump filter hose bridge cellar attic window".split(" ");
const PLACES = "Ghent Lisbon Bergen Turin Porto Gdansk Malmo Leiden Basel Cork Vilnius Graz Delft Aarhus Bruges Trieste".split(" ");

/** mulberry32: small, seeded, good enough to pick words with. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The memory with this number: a sentence of about 150 bytes with a word of its own. */
export function sentence(number) {
  const next = random(number + 1);
  const pick = (list) => list[Math.floor(next() * list.length)];
  return (
    `${pick(PEOPLE)} ${pick(VERBS)} the ${pick(THINGS)} near the ${pick(THINGS)} in ${pick(PLACES)} on day ${1 + Math.floor(next() * 28)}, ` +
    `and ${pick(PEOPLE)} ${pick(VERBS)} a ${pick(THINGS)} from ${pick(PLACES)}; reference K${number.toString(36).toUpperCase()}.`
  );
}

/** A question about memories like these: five words, as people ask. */
export function question(number) {
  const next = random(number + 1_000_003);
  const pick = (list) => list[Math.floor(next() * list.length)];
  return `what did ${pick(PEOPLE)} do with the ${pick(THINGS)} in ${pick(PLACES)} and the ${pick(THINGS)}?`;
}
