const SHARED_WORDS_MIN = 2;
const COMMON = new Set(
  'that this with from have when then will should must which into them they their there'.split(' '),
);

/** Whether a text shares enough words with a goal to be about the same thing. */
export function sharesWords(goal: string, text: string): boolean {
  const words = wordsOf(text);
  return [...wordsOf(goal)].filter((word) => words.has(word)).length >= SHARED_WORDS_MIN;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set((text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []).filter((word) => !COMMON.has(word)));
}
