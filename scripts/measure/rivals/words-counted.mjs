// What a patient client makes of a search that knows only pieces of text: it searches each word that carries meaning and puts
// first what most words found.

const STOP_WORDS = new Set(
  (
    "a about after all also am an and any are as at be because been before being both but by can could did do does doing during each " +
    "for from had has have having he her hers him his how i if in into is it its just many me more most much my no not now of off on " +
    "or other our out over own s same she should so some such than that the their them then there these they this those through to " +
    "too under until up very was we were what when where which while who whom whose why will with would you your"
  ).split(" "),
);

/** The different words of a question but the commonest, in their order. */
export const contentWords = (question) => [...new Set(question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].filter((word) => !STOP_WORDS.has(word));

/** The keys of several answers: first what stands in most of them, then what was stored first. */
export function byWordsFound(answers, position) {
  const found = new Map();
  for (const key of answers.flatMap((answer) => [...new Set(answer)])) found.set(key, (found.get(key) ?? 0) + 1);
  return [...found.keys()].sort((a, b) => found.get(b) - found.get(a) || position.get(a) - position.get(b));
}
