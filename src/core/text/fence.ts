import { stripEscapes } from './sanitise.ts';

const FENCE_CHARS_MIN = 4;

/**
 * The text, unchanged, in a code fence that nothing inside it can close: the fence is longer than any run of back-ticks
 * in the text, also in the text as it reads without terminal escapes.
 */
export function fenced(text: string, language = ''): string {
  const runs = [text, stripEscapes(text)].flatMap((seen) => seen.match(/`+/g) ?? []);
  const longest = runs.reduce((max, run) => Math.max(max, run.length), 0);
  const fence = '`'.repeat(Math.max(FENCE_CHARS_MIN, longest + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}
