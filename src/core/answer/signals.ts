import type { Role } from '../agent/role.ts';
import { withoutInvisibles } from '../text/sanitise.ts';
import { type AnswerLine, type AnswerLineKind, answerLines, LIST_MARKS } from './lines.ts';

/** What an agent claims about its attempt. A claim only: the verification layers decide (R-VER-1). */
export interface Signals {
  /** The role's word of success is there. */
  readonly positive: boolean;
  /** A word of failure is there, of whichever role. With both, the negative one counts (R-DEL-4). */
  readonly negative: boolean;
}

interface Vocabulary {
  readonly positive: readonly string[];
  readonly negative: readonly string[];
}

const DRAFT: Vocabulary = { positive: ['DRAFT_COMPLETE'], negative: ['DRAFT_FAILED'] };

/** The words of each role; the first of a list is the one an agent is told. */
export const SIGNALS: Readonly<Record<Role, Vocabulary>> = {
  executor: { positive: ['TASK_COMPLETE', 'ALL_TASKS_COMPLETE'], negative: ['TASK_FAILED'] },
  verifier: { positive: ['VERIFICATION_PASS'], negative: ['VERIFICATION_FAIL'] },
  reviewer: { positive: ['REVIEW_PASS'], negative: ['REVIEW_FAIL'] },
  researcher: DRAFT,
  'product-manager': DRAFT,
  architect: DRAFT,
  planner: DRAFT,
};

/** Any of them counts against an answer, also when it is the word of another role. */
const NEGATIVE: readonly string[] = [
  ...Object.values(SIGNALS).flatMap(({ negative }) => negative),
  'VERIFICATION_FAILED',
  'REVIEW_FAILED',
];

/** The word that opens a modification request (R-MOD-1). */
export const MODIFICATION_REQUEST = 'TASK_MODIFICATION_REQUEST';

const HEADING_MARKS = /^[ \t]*#{1,6}[ \t]+/;
const WRAPPERS = ['**', '__', '``', '*', '_', '`'];
/** No signal with all its marks is longer; longer lines are not looked at. */
const SIGNAL_LINE_CHARS_MAX = 200;

/**
 * Reads the role's signal from the final answer of an agent (R-DEL-4). A signal counts only alone on its line: emphasis,
 * a code span, list and heading marks around it are allowed; fences, quotations, comments and sentences are not. A
 * reviewer's pass has to be the last line that is not empty. What follows a fence that is never closed, and a word with
 * invisible characters in it, can only count against the agent.
 */
export function readSignals(finalAnswer: string, role: Role): Signals {
  const lines = answerLines(finalAnswer);
  const last = lines.findLast(({ text }) => text.trim() !== '');
  const candidates = role === 'reviewer' ? (last === undefined ? [] : [last]) : lines;
  return {
    positive: candidates.some((line) => line.kind === 'prose' && holdsOnly(line, SIGNALS[role].positive)),
    negative: lines.some(isNegative),
  };
}

/** Whether a line says that the work, the verification or the review failed. */
export function isNegative(line: AnswerLine): boolean {
  if (line.kind !== 'prose' && line.kind !== 'unclosed') return false;
  if (line.text.length > SIGNAL_LINE_CHARS_MAX || !line.text.includes('_')) return false;
  return holdsOnly({ ...line, text: withoutInvisibles(line.text) }, NEGATIVE);
}

/** Whether a line, but for its marks, is one of the words. */
export function holdsOnly(line: AnswerLine, words: readonly string[]): boolean {
  if (line.text.length > SIGNAL_LINE_CHARS_MAX) return false;
  return words.includes(unwrapped(line.text.replace(HEADING_MARKS, '').replace(LIST_MARKS, '').trim()));
}

function unwrapped(text: string): string {
  const mark = WRAPPERS.find((m) => text.length > 2 * m.length && text.startsWith(m) && text.endsWith(m));
  return mark === undefined ? text : unwrapped(text.slice(mark.length, -mark.length).trim());
}

const WHERE: Readonly<Record<AnswerLineKind, string>> = {
  prose: 'inside a sentence',
  code: 'inside a code block',
  quote: 'in a quotation',
  comment: 'in a comment',
  span: 'inside a code span',
  unclosed: 'after a code fence, comment or quotation that is never closed',
};

/**
 * Says, for the next attempt and for people, that the word of success is missing (R-VER-1), and where it is
 * instead if it was written in a place where it does not count. To be asked when `readSignals` found none.
 */
export function explainMissingSignal(finalAnswer: string, role: Role): string {
  const word = SIGNALS[role].positive[0] ?? '';
  const misplaced = answerLines(finalAnswer).findLast((line) => line.text.includes(word));
  const where = misplaced === undefined ? '' : `; it stands only ${WHERE[misplaced.kind]}`;
  return `The final answer has no line that holds only ${word}${where}.`;
}
