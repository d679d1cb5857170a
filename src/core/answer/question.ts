import { answerLines } from './lines.ts';
import { holdsOnly } from './signals.ts';

/** The word by which an agent asks a person (R-AGT-6). */
export const NEEDS_INPUT = 'NEEDS_INPUT';

/** The word of the older plugin's agents for work beyond the scope that was agreed on (R-PLAN-7, R-SCOPE-2). */
const SCOPE_ESCALATION = 'SCOPE_ESCALATION_REQUIRED';

const ASKS: readonly string[] = [NEEDS_INPUT, SCOPE_ESCALATION];

const QUESTION_CHARS_MAX = 2_000;

/** The question that an answer ends with, after one of the words alone on its line (R-AGT-6); `undefined` if it asks none. */
export function readQuestion(finalAnswer: string): string | undefined {
  const lines = answerLines(finalAnswer);
  const at = lines.findLastIndex((line) => line.kind === 'prose' && holdsOnly(line, ASKS));
  if (at < 0) return undefined;
  const question = lines
    .slice(at + 1)
    .map(({ text }) => text)
    .join('\n')
    .trim();
  return question === '' ? undefined : question.slice(0, QUESTION_CHARS_MAX);
}
