import type { Role } from '../agent/role.ts';
import { oneLine } from '../text/sanitise.ts';
import { findAdmission } from './contradiction.ts';
import { isDenied } from './denial.ts';
import { answerLines, LIST_MARKS } from './lines.ts';
import { passages } from './own-words.ts';
import { holdsOnly, SIGNALS } from './signals.ts';
import { ENGLISH_SIGNS, FORMER, OVERRULED, RETRACTION, REVIEWER_SIGNS, type Sign, WANTED } from './signs.ts';
import { SIGNS_ELSEWHERE } from './signs-elsewhere.ts';

/** What is known of the task, and what a person has set. */
export interface DoubtContext {
  readonly role: Role;
  /** The task as it is in the plan: what it speaks of itself raises no doubt. */
  readonly block?: string | undefined;
  /** Words that raise a doubt, in place of the built-in signs. */
  readonly phrases?: readonly string[] | undefined;
}

const DOUBTS_MAX = 5;
const SENTENCE_CHARS_MAX = 200;
/** Of a sentence, what is looked at; longer ones are looked at in parts. */
const PART_CHARS_MAX = 600;
const LOOK_AHEAD_CHARS = 80;
const SAYS_NO = /^(?:no(?:ne|pe|thing)?|nein|non|não|нет|不|いいえ)(?![\p{L}])/iu;
const WORK_NOUN =
  /^(?:tests?|specs?|steps?|parts?|checks?|things?|criteri(?:on|a)|requirements?|one|ones|all|thing|work|something|and|but|is|it|files?)$/i;
/** Words that no other language shares. Such a sentence is looked at for English signs only: "incomplete" is French, too. */
const IS_ENGLISH = /\b(?:the|and|with|are|were|this|that|from|has|have)\b/i;
/** What a ticked box stands for is done; what is added to it may take that back. */
const TICKED = /^\[[xX]\]\s.*?(?=\s[–—-]\s|\(|:\s|$)/;

/**
 * Finds the sentences of an answer that are signs of something missing (R-VER-11): deferred, stubbed, skipped, a check
 * weakened, red or not run, taken back after the signal, left to a person. At most 5, bounded, each on one line. Read in the
 * agent's own words only: not in code, quotations and fences. They are signs, not proof: a reviewer has to look.
 */
export function findDoubts(finalAnswer: string, context: DoubtContext): readonly string[] {
  const { role, phrases } = context;
  if (phrases !== undefined) return [findAdmission(finalAnswer, phrases) ?? []].flat();
  const found = [
    ...afterSignal(finalAnswer, role),
    ...(role === 'reviewer' ? [] : openBoxes(finalAnswer)),
    ...sentencesWithSigns(finalAnswer, context),
  ];
  return [...new Set(found.map((sentence) => oneLine(sentence, SENTENCE_CHARS_MAX)))].slice(0, DOUBTS_MAX);
}

function sentencesWithSigns(answer: string, { role, block = '' }: DoubtContext): readonly string[] {
  const isReviewer = role === 'reviewer';
  const english = isReviewer
    ? [...ENGLISH_SIGNS.filter(({ ofReviewer }) => ofReviewer), ...REVIEWER_SIGNS]
    : ENGLISH_SIGNS;
  const elsewhere = isReviewer ? [] : SIGNS_ELSEWHERE;
  const subject = block.toLowerCase();
  const all = passages(answer).map(sentencesOf);
  return all.flatMap((sentences, at) =>
    sentences.filter((sentence, index) => {
      if (sentence.endsWith('?') && SAYS_NO.test(sentences[index + 1] ?? '')) return false;
      const next = sentences[index + 1] ?? '';
      const beyond = next === '' ? (all[at + 1]?.[0] ?? '') : next;
      const signs = IS_ENGLISH.test(sentence) ? english : [...english, ...elsewhere];
      return signs.some((sign) => holdsSign(sentence, sign, { next, beyond, subject }));
    }),
  );
}

interface Around {
  /** The sentence that follows in the same passage. */
  readonly next: string;
  /** The one that follows wherever it is. */
  readonly beyond: string;
  readonly subject: string;
}

function holdsSign(
  sentence: string,
  { pattern, ofDeed, unless, denial }: Sign,
  { next, beyond, subject }: Around,
): boolean {
  // Few sentences hold the words at all; all else is asked of those only.
  if (sentence.search(pattern) === -1) return false;
  const isHarmless = WANTED.test(sentence) || (!ofDeed && FORMER.test(sentence)) || unless?.test(`${sentence} ${next}`);
  if (isHarmless && !OVERRULED.test(sentence)) return false;
  for (const { index, 0: words } of sentence.matchAll(pattern)) {
    if (subject !== '' && subject.includes(words.toLowerCase())) continue;
    const end = index + words.length;
    const after = `${sentence.slice(end, end + LOOK_AHEAD_CHARS)}\n${beyond.slice(0, LOOK_AHEAD_CHARS)}`;
    if (isDenied(sentence.slice(0, index), words, after)) continue;
    if (denial?.test(clauseAround(sentence, index, end))) continue;
    if (isSupposed(sentence.slice(0, index)) || isOfAKind(sentence.slice(0, index))) continue;
    return true;
  }
  return false;
}

function clauseAround(sentence: string, start: number, end: number): string {
  const before =
    sentence
      .slice(0, start)
      .split(/[,;:(—–]/)
      .at(-1) ?? '';
  const after = sentence.slice(end).split(/[,;:)—–]/, 1)[0] ?? '';
  return before + sentence.slice(start, end) + after;
}

/** A condition, not a fact: "if the connection drops later". First persons tell facts. */
function isSupposed(before: string): boolean {
  const clause = before.split(/[,;:.]|\b(?:then|but)\b/).at(-1) ?? '';
  return (
    /^(?:if|should (?:the|an?|any)|in case|unless|whenever)\b(?!.*\b(?:I|we|you)\b)[^,]*,/i.test(before) ||
    /^\s*(?:\w+ ){0,2}?(?:if|when|whenever|in case|unless|should)\b(?!.*\b(?:I|we)\b)/i.test(clause) ||
    /\b(?:if|when|whenever|while|unless)\s+(?:\S+\s+){0,6}$/i.test(clause)
  );
}

/** Said of things of a kind, not of the work: "users who haven't confirmed", "strings that were hard-coded". */
function isOfAKind(before: string): boolean {
  const of = /(\w+)\s+(?:who|that|which)(?:\s+(?:is|are|was|were|has|have|had))?\s*$/i.exec(before);
  return of !== null && !WORK_NOUN.test(of[1] ?? '');
}

/** The sentences of a passage, without marks of emphasis. */
function sentencesOf(passage: string): readonly string[] {
  return passage
    .replace(TICKED, '')
    .replace(/\*\*|__|(?<![\w*])\*(?=\w)|(?<=\w)\*(?![\w*])/g, '')
    .split(/(?<=[.!?;](?=\s))|(?<=[。！？；])|\n(?=\s*\|)/)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .flatMap(inParts)
    .filter((sentence) => sentence !== '');
}

function inParts(sentence: string): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; from < sentence.length; from += PART_CHARS_MAX)
    parts.push(sentence.slice(from, from + PART_CHARS_MAX));
  return parts;
}

/** What follows the last signal and takes something back. */
function afterSignal(answer: string, role: Role): readonly string[] {
  const lines = answerLines(answer);
  const at = lines.findLastIndex((line) => line.kind === 'prose' && holdsOnly(line, SIGNALS[role].positive));
  if (at === -1) return [];
  const rest = passages(
    lines
      .slice(at + 1)
      .map(({ text }) => text)
      .join('\n'),
  );
  return rest.flatMap(sentencesOf).filter((sentence) => RETRACTION.test(sentence));
}

/** Boxes that the agent itself leaves open. */
function openBoxes(answer: string): readonly string[] {
  return answerLines(answer)
    .filter(
      ({ kind, text }) => kind === 'prose' && /^\[ ?\](?:\s|$)/.test(text.slice(LIST_MARKS.exec(text)?.[0].length)),
    )
    .map(({ text }) => text.trim());
}
