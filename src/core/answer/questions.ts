import { byteLength } from '../text/byte-length.ts';
import { isObject, jsonListAt } from '../text/json-at.ts';
import { oneLine } from '../text/sanitise.ts';
import { answerLines } from './lines.ts';
import { holdsOnly } from './signals.ts';

/** The word by which the author of a document asks a person several things at once (R-ASK-1). */
export const QUESTIONS = 'QUESTIONS';

/** What an answer to a question changes. */
export const CHANGES = ['scope', 'behaviour', 'design', 'cost'] as const;

/** A question to a person, as the author of a document asks it (R-ASK-1). */
export interface Question {
  /** A short name that no other question of the spec has. */
  readonly id: string;
  readonly ask: string;
  readonly why: string;
  readonly changes: (typeof CHANGES)[number];
  /** A fact can be looked up; a decision only a person can make. */
  readonly kind: 'decision' | 'fact';
  /** Two to four; absent where any text is an answer. */
  readonly options?: readonly QuestionOption[];
  /** The answer that the author proposes: the label of an option, where there are options. */
  readonly recommended?: string;
}

export interface QuestionOption {
  readonly label: string;
  readonly consequence: string;
}

/** A list of questions that cannot be read, and why, as the end of a sentence. */
export interface MalformedQuestions {
  readonly malformed: string;
}

const BYTES_MAX = 64 * 1024;
const ID = /^[A-Za-z0-9][\w.-]{0,39}$/;
const ASK_CHARS_MAX = 1_000;
const LABEL_CHARS_MAX = 200;
const OPTIONS = { min: 2, max: 4 };
const KINDS = ['decision', 'fact'] as const;

/**
 * The questions that an answer holds: after the word alone on its line, a JSON list, fenced or not (R-ASK-1). `undefined` if it
 * asks none.
 */
export function readQuestions(finalAnswer: string): readonly Question[] | MalformedQuestions | undefined {
  const lines = answerLines(finalAnswer);
  const at = lines.findLastIndex((line) => line.kind === 'prose' && holdsOnly(line, [QUESTIONS]));
  if (at < 0) return undefined;
  const rest = lines
    .slice(at + 1)
    .map(({ text }) => text)
    .join('\n')
    .replace(/^\s*(?:(?:`{3,}|~{3,})\w*\s*)?/, '');
  if (!rest.startsWith('[')) return { malformed: `no JSON list follows ${QUESTIONS}` };
  const list = jsonListAt(rest, 0);
  if (list === undefined) return { malformed: `what follows ${QUESTIONS} is no JSON list` };
  if (byteLength(JSON.stringify(list)) > BYTES_MAX)
    return { malformed: `the list has more than ${BYTES_MAX / 1024} KiB` };
  return readList(list);
}

function readList(list: readonly unknown[]): readonly Question[] | MalformedQuestions {
  if (list.length === 0) return { malformed: 'the list is empty' };
  const questions: Question[] = [];
  for (const [at, entry] of list.entries()) {
    const found = readEntry(entry);
    if (typeof found === 'string') return { malformed: `entry ${at + 1} of the list: ${found}` };
    if (questions.some(({ id }) => id === found.id))
      return { malformed: `entry ${at + 1} of the list: its id "${found.id}" is used twice` };
    questions.push(found);
  }
  return questions;
}

/** One question, or what is wrong with it. */
function readEntry(entry: unknown): Question | string {
  if (!isObject(entry)) return 'it is no object';
  const { id, changes, kind, recommended } = entry;
  if (typeof id !== 'string' || !ID.test(id)) return 'its "id" is no short name of letters, digits, ".", "-" and "_"';
  const ask = textIn(entry.ask, ASK_CHARS_MAX);
  if (ask === undefined) return 'its "ask" is no text';
  const why = textIn(entry.why, ASK_CHARS_MAX);
  if (why === undefined) return 'its "why" is no text';
  const change = CHANGES.find((one) => one === changes);
  if (change === undefined) return `its "changes" is none of ${CHANGES.join(', ')}`;
  const kindOf = KINDS.find((one) => one === kind);
  if (kindOf === undefined) return `its "kind" is none of ${KINDS.join(', ')}`;
  const options = entry.options === undefined ? undefined : readOptions(entry.options);
  if (typeof options === 'string') return options;
  const question = { id, ask, why, changes: change, kind: kindOf, ...(options && { options }) };
  if (recommended === undefined) return question;
  const proposal = textIn(recommended, ASK_CHARS_MAX);
  if (proposal === undefined) return 'its "recommended" is no text';
  const label = options === undefined ? proposal : options.find((one) => sameText(one.label, proposal))?.label;
  return label === undefined ? 'its "recommended" is not the label of an option' : { ...question, recommended: label };
}

function readOptions(value: unknown): readonly QuestionOption[] | string {
  if (!Array.isArray(value) || value.length < OPTIONS.min || value.length > OPTIONS.max)
    return `its "options" are no list of ${OPTIONS.min} to ${OPTIONS.max}`;
  const options: QuestionOption[] = [];
  for (const entry of value) {
    const label = isObject(entry) ? textIn(entry.label, LABEL_CHARS_MAX) : undefined;
    const consequence = isObject(entry) ? textIn(entry.consequence, ASK_CHARS_MAX) : undefined;
    if (label === undefined || consequence === undefined) return 'an option has no "label" or no "consequence"';
    if (options.some((one) => sameText(one.label, label))) return 'two of its options have the same label';
    options.push({ label, consequence });
  }
  return options;
}

/** A text in one line; `undefined` for what is none. */
function textIn(value: unknown, charsMax: number): string | undefined {
  const text = typeof value === 'string' ? oneLine(value, charsMax) : '';
  return text === '' ? undefined : text;
}

/** Whether two texts are the same but for case and white space. */
export function sameText(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}
