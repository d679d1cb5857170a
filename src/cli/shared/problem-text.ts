import type { ProblemSeverity } from '../../core/artifact/problem-kinds.ts';
import { visible } from '../../core/text/sanitise.ts';
import type { PrintColours } from './print.ts';

/** The file that a problem is in. */
export interface Quoted {
  readonly path: string;
  readonly lines: readonly string[];
}

/** What is told of a problem, whatever found it. */
export interface ToldProblem {
  readonly severity: ProblemSeverity;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly hint: string;
}

const SHOWN_CHARS_MAX = 100;
/** So much of a long line is shown before the place. */
const BEFORE_CHARS_MAX = 30;
const INDENT = '    ';

/**
 * A problem as a compiler tells it: the place, the line with the place marked, and what to do.
 *
 *     tasks.md:14:7 error Task 2.1 has no verify command.
 *         - [ ] 2.1 Add the login form
 *               ~~~
 *     Hint: add a line such as "- **Verify**: npm test".
 */
export function problemText(problem: ToldProblem, { path, lines }: Quoted, colours: PrintColours): string {
  const { line, column, severity, message, hint } = problem;
  const paint = severity === 'error' ? colours.red : colours.yellow;
  const head = `${colours.bold(`${visible(path)}:${line}:${column}`)} ${paint(severity)} ${visible(message)}`;
  return [head, ...quotation(lines[line - 1] ?? '', column, paint), `Hint: ${visible(hint)}`].join('\n');
}

function quotation(line: string, column: number, paint: (text: string) => string): readonly string[] {
  const { start, length } = marked(line, column - 1);
  if (length === 0) return [];
  const from = start > SHOWN_CHARS_MAX - BEFORE_CHARS_MAX ? start - BEFORE_CHARS_MAX : 0;
  const before = plain(line.slice(from, start));
  const shown = `${before}${plain(line.slice(start))}`.slice(0, SHOWN_CHARS_MAX);
  const marks = Math.max(1, Math.min(plain(line.slice(start, start + length)).length, shown.length - before.length));
  return [`${INDENT}${shown}`, `${INDENT}${' '.repeat(before.length)}${paint('~'.repeat(marks))}`];
}

/** What is at a place: the whole box if it is one, else a word; nothing at the end of the line. */
function marked(line: string, at: number): { readonly start: number; readonly length: number } {
  if (/^\[.\]/.test(line.slice(at - 1, at + 2))) return { start: at - 1, length: 3 };
  return { start: at, length: /^\S+/.exec(line.slice(at))?.[0].length ?? 0 };
}

/** One character a column, as far as that can be known, so that the marks are below their word. */
function plain(text: string): string {
  return visible(text).replace(/\s/g, ' ');
}
