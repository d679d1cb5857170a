import type { Question } from '../answer/questions.ts';
import type { AskedQuestion } from '../run/questions.ts';
import { oneLine } from '../text/sanitise.ts';

const LINE_CHARS_MAX = 1_000;

/** A question as a person reads it: with why it is asked, its options with their numbers, and what is recommended (R-ASK-3). */
export function questionLines({ id, ask, why, changes, options = [], recommended }: Question): readonly string[] {
  const listed = options.map(({ label, consequence }, at) => {
    const mark = label === recommended ? ' (recommended)' : '';
    return `  ${at + 1}. ${label}: ${consequence}${mark}`;
  });
  const proposal = options.length === 0 && recommended !== undefined ? [`  Recommended: ${recommended}`] : [];
  return [`${id}: ${ask}`, `  Why: ${why} (${changes})`, ...listed, ...proposal].map((line) => {
    const indent = line.startsWith('  ') ? '  ' : '';
    return `${indent}${oneLine(line, LINE_CHARS_MAX)}`;
  });
}

/** Questions as a file of answers for `--answers`, to be filled in (R-ASK-3). */
export function answersToFillIn(questions: readonly AskedQuestion[]) {
  return questions.map(({ id, task, ask, why, changes, options, recommended }) => ({
    question: id,
    task,
    ask,
    why,
    changes,
    ...(options && { options }),
    ...(recommended !== undefined && { recommended }),
    answer: '',
  }));
}
