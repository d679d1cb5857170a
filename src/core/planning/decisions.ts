import type { Answered } from '../answer/answered.ts';
import { sameText } from '../answer/questions.ts';
import { itemKey, sectionItems } from '../progress/items.ts';
import { addNote } from '../progress/notes.ts';
import { oneLine } from '../text/sanitise.ts';

const SECTION = 'Interview Responses';
const LINE_CHARS_MAX = 1_900;
const ASSUMED = ' Assumed: ';
const OPEN = ' Open.';

/** What was decided while the spec was planned, as its progress file tells it, a line each: by persons, and without them. */
export interface Decisions {
  readonly byPersons: readonly string[];
  /** What was assumed, and what stays open. */
  readonly assumed: readonly string[];
}

/** Reads what was decided while the spec was planned out of its progress file. */
export function decisionsIn(progress: string): Decisions {
  const lines = sectionItems(progress, SECTION).map(itemKey);
  return {
    byPersons: lines.filter((line) => !isAssumption(line)),
    assumed: lines.filter(isAssumption),
  };
}

/** Whether a line tells what no person decided. */
function isAssumption(line: string): boolean {
  return /^\[[^\]]+\] /.test(line) && (line.includes(ASSUMED) || line.endsWith(OPEN));
}

/** What became of a question, as the line of the progress file. */
export function decisionLine({ id, question, answer, basis }: Answered): string {
  if (id === undefined) return oneLine(`${question} ${answer}`, LINE_CHARS_MAX);
  const word = basis === 'open' ? OPEN : basis === 'assumed' ? `${ASSUMED}${answer}` : ` Answer: ${answer}`;
  return oneLine(`[${id}] ${question}${word}`, LINE_CHARS_MAX);
}

/** The progress file with what became of a question; done again it changes nothing (R-AGT-6, R-ASK-3). */
export function withDecision(progress: string, answered: Answered): string {
  return answered.basis === 'look-up' ? progress : addNote(progress, SECTION, decisionLine(answered));
}

/** Whether a line of the progress file is about a question, by its id or its text (R-ASK-3). */
export function isAbout(line: string, { id, ask }: { readonly id: string; readonly ask: string }): boolean {
  return line.toLowerCase().startsWith(`[${id.toLowerCase()}] `) || isAboutText(line, ask);
}

/** The answer that a line of the progress file tells; empty for one that stays open. */
export function answerIn(line: string): string {
  return /^\[[^\]]+\] .*? (?:Answer|Assumed): (.*)$/.exec(line)?.[1] ?? '';
}

/** Whether a line of the progress file is about a question by its text. */
export function isAboutText(line: string, ask: string): boolean {
  const text = line.replace(/^\[[^\]]+\] /, '');
  const asked = oneLine(ask, LINE_CHARS_MAX);
  return (
    sameText(text.slice(0, asked.length), asked) && /^(?: (?:Answer|Assumed): | Open\.$)/.test(text.slice(asked.length))
  );
}
