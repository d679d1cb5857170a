import type { Group, Problem, Task } from '../data/task.ts';
import type { Source } from '../read/fields.ts';
import { lineText, startOf } from '../read/lines.ts';
import type { RoledItems } from './roles.ts';
import type { DialectRules } from './rules.ts';

/** A file that was read, with what it is made of. */
interface ReadFile {
  readonly source: Source;
  readonly items: RoledItems;
  readonly rules: DialectRules;
  readonly tasks: readonly Task[];
  readonly groups: readonly Group[];
}

const LOOKS_LIKE_BOX =
  /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]*)?\[(?:[ \t]*|[ \t]*(?:[xX]|[^\p{L}\p{N}\s[\]\\^])[ \t]*)\](?![([:])[ \t]*(?=[^\s*\\])/u;
/** How OpenSpec finds a box, wherever it is. */
const COUNTED_BY_OPENSPEC = /^\s*(?:[-*+]|\d{1,9}[.)])\s*\[(?:\s*([^\]\s]?)\s*\](?![([])|\s+\])/u;
const KNOWN_MARKS = new Set(['', 'x', 'X', '-', '~']);

/** What a person should know of a file: nothing in it is left out in silence (R-DIA-4). */
export function readerProblems(file: ReadFile): readonly Problem[] {
  const found = [...boxProblems(file), ...lineProblems(file), ...dependencyProblems(file)];
  return found.sort((left, right) => left.line - right.line);
}

function warning(line: number, text: Pick<Problem, 'code' | 'message' | 'hint'>): Problem {
  return { severity: 'warning', line: line + 1, column: 1, ...text };
}

function boxProblems({ items, rules }: ReadFile): readonly Problem[] {
  return items.boxes.flatMap(({ line, role, mark }) => {
    if (role === 'criterion')
      return [
        warning(line, {
          code: 'criterion',
          message: `This box is a criterion, not a task: it is neither run nor ticked${rules.countsEveryBox ? ', but OpenSpec counts it' : ''}.`,
          hint: 'If it is work, move it to a section with tasks.',
        }),
      ];
    if (KNOWN_MARKS.has(mark)) return [];
    return [
      warning(line, {
        code: 'unknown-mark',
        message: `The mark "${mark}" in this box is read as open.`,
        hint: 'Write x for done, or a space.',
      }),
    ];
  });
}

/** Lines that look like a box to a person, or to the tool that owns the file, and are none here. */
function lineProblems({ source, items, rules }: ReadFile): readonly Problem[] {
  const { lines, kinds } = source;
  const boxes = new Set(items.boxes.map(({ line }) => line));
  const found: Problem[] = [];
  for (let line = 0; line < lines.count; line++) {
    if (boxes.has(line) || lines.text[startOf(lines, line)] === undefined) continue;
    const text = lineText(lines, line);
    if (!text.includes('[')) continue;
    if (rules.countsEveryBox && COUNTED_BY_OPENSPEC.test(text))
      found.push(
        warning(line, {
          code: 'hidden-box',
          message: 'OpenSpec counts a box on this line; it is no task here.',
          hint: 'Write the brackets in another way, or make it a task.',
        }),
      );
    else if (kinds[line] === 'text' && LOOKS_LIKE_BOX.test(text))
      found.push(
        warning(line, {
          code: 'almost-a-task',
          message: 'This line looks like a box, but is none.',
          hint: 'Write it as - [ ] Title.',
        }),
      );
  }
  return found;
}

function dependencyProblems({ tasks, groups }: ReadFile): readonly Problem[] {
  const first = new Map<string, number>();
  for (const { id, box } of [...tasks, ...groups]) if (id !== null && !first.has(id)) first.set(id, box.line);
  return tasks.flatMap(({ id, dependsOn, box }) =>
    dependsOn.flatMap((other) => {
      const at = first.get(other);
      if (at !== undefined && at < box.line) return [];
      const why = at === undefined ? 'which is not in the file' : 'which comes later';
      return [
        warning(box.line - 1, {
          code: 'dependency-not-above',
          message: `Task ${id} depends on ${other}, ${why}.`,
          hint: 'Correct the id; the order of the file is kept.',
        }),
      ];
    }),
  );
}
