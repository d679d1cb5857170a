import { oneLine } from '../text/sanitise.ts';
import { counted } from '../text/words.ts';

/** Something that the checks found in a draft (R-PLAN-5). */
export interface DraftProblem {
  readonly severity: 'error' | 'finding' | 'warning';
  /** Stable name, kebab-case. */
  readonly code: string;
  /** Path of the file, relative to the repository. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** One sentence, ends with a full stop. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}

const TEXT_CHARS_MAX = 400;

/** `2 errors and 1 finding`; empty for none. */
export function problemCounts(problems: readonly DraftProblem[]): string {
  const count = (severity: DraftProblem['severity']) => problems.filter((one) => one.severity === severity).length;
  return (['error', 'finding', 'warning'] as const)
    .flatMap((severity) => (count(severity) === 0 ? [] : [counted(count(severity), severity)]))
    .join(' and ');
}

/** A problem in one line, with its place. */
export function problemLine({ severity, file, line, message, hint }: DraftProblem): string {
  return oneLine(`${file}:${line}: ${severity}: ${message} ${hint}`, TEXT_CHARS_MAX);
}
