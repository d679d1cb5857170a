import { escapeForPattern } from '../text/pattern.ts';
import { oneLine } from '../text/sanitise.ts';
import { isDenied } from './denial.ts';
import { passages } from './own-words.ts';

/** The phrases that admit failure unless a person configures others (R-VER-2). */
export const DEFAULT_ADMISSIONS: readonly string[] = [
  'requires manual',
  'cannot be automated',
  'could not complete',
  'needs human',
  'manual intervention',
];

const LOOK_BACK_CHARS = 240;
const LOOK_AHEAD_CHARS = 80;
const SENTENCE_CHARS_MAX = 200;
const UNCERTAIN_MAX = 5;

/** What an answer admits. */
export interface Admissions {
  /** The sentence of the first admission, bounded. */
  readonly admission?: string;
  /** Sentences that have the words of one, but speak of something else than the work, as far as can be told. */
  readonly uncertain: readonly string[];
}

/** A sentence about every thing of a kind, or about one that a relative clause describes: "a refund that requires manual review". */
const OF_A_KIND =
  /(?:\b(?:that|which|who)(?:\s+(?:still|also|then|often|usually))?|(?:^|[.!?;]\s+)(?:an?|any|each|every)\s+(?:\w+\s+){1,3})\s*$/i;

/**
 * Finds what admits a failure in the agent's own words (R-VER-2). Phrases match in any case, over line breaks and in their
 * short forms ("couldn't"). Code, quotations and text between quotation marks are not searched; a denial ("no manual
 * intervention was needed") is no admission, nor are words that the task's own block uses.
 */
export function readAdmissions(finalAnswer: string, phrases: readonly string[], block = ''): Admissions {
  const sources = phrases.map(phraseSource).filter((source) => source !== '');
  const uncertain: string[] = [];
  if (sources.length === 0) return { uncertain };
  const pattern = new RegExp(`(?<![\\w-])(?:${sources.join('|')})(?:ly)?(?!\\w)`, 'gi');
  const subject = block.toLowerCase();
  const all = passages(finalAnswer);
  for (const [at, passage] of all.entries()) {
    for (const { index, 0: phrase } of passage.matchAll(pattern)) {
      const end = index + phrase.length;
      const after = `${passage.slice(end, end + LOOK_AHEAD_CHARS)}\n${all[at + 1]?.slice(0, LOOK_AHEAD_CHARS) ?? ''}`;
      const before = passage.slice(Math.max(0, index - LOOK_BACK_CHARS), index);
      if (isDenied(before, phrase, after)) continue;
      const isSubject = subject.includes(phrase.toLowerCase().replace(/\s+/g, ' '));
      if (!isSubject && !OF_A_KIND.test(before)) return { admission: sentenceAt(passage, index), uncertain };
      if (!isSubject && uncertain.length < UNCERTAIN_MAX) uncertain.push(sentenceAt(passage, index));
    }
  }
  return { uncertain };
}

/** The first admission of an answer; `undefined` without one. */
export function findAdmission(
  finalAnswer: string,
  phrases: readonly string[] = DEFAULT_ADMISSIONS,
): string | undefined {
  return readAdmissions(finalAnswer, phrases).admission;
}

/** The source of a pattern for a phrase, in any spacing and in its short forms; empty for no words. */
export function phraseSource(phrase: string): string {
  const words = phrase.split(/\s+/).filter((word) => word !== '');
  return words
    .map(escapeForPattern)
    .join('\\s+')
    .replace(/\bcannot\b/gi, "(?:cannot|can\\s+not|can['’]t)")
    .replace(/(\w+)\\s\+not\b/gi, "$1(?:\\s+not|n['’]t)");
}

function sentenceAt(passage: string, index: number): string {
  const before =
    passage
      .slice(0, index)
      .split(/[.!?](?=\s)/)
      .at(-1) ?? '';
  const after = passage.slice(index).split(/(?<=[.!?])(?=\s)/, 1)[0] ?? '';
  return oneLine(before + after, SENTENCE_CHARS_MAX);
}
