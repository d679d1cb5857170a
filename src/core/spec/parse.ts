import { readCommit } from './commit-value.ts';
import { guessDialect } from './dialect.ts';
import { blockValue, type Field, type Source } from './fields.ts';
import { filesInTitle, readFiles } from './files-value.ts';
import { readGroups } from './groups.ts';
import { type IdSource, idSource } from './ids.ts';
import { endOf, lineBreakOf, lineOf, splitLines, startOf } from './lines.ts';
import { type Box, readOutline } from './outline.ts';
import { readDependsOn, readReferences } from './references.ts';
import { readRoles } from './roles.ts';
import type { BoxState, Place, Plan, Problem, Task } from './task.ts';
import { readTaskBlocks, type TaskBlock } from './task-blocks.ts';
import { readVerify } from './verify-value.ts';
import { readVisibility } from './visibility.ts';

/**
 * Reads a `tasks.md` (R-PARSE-1 to 7). `text` may begin with a byte order mark and have LF or CRLF line breaks. Any text
 * can be read, in time linear in its length; one that holds no task gives a plan without tasks.
 */
export function parsePlan(text: string): Plan {
  const lines = splitLines(text);
  const { kinds, problems } = readVisibility(lines);
  const source: Source = { lines, kinds };
  const outline = readOutline(lines, kinds);
  const roles = readRoles(source, outline);
  const blocks = readTaskBlocks(source, outline, roles);
  const ids = idSource(outline.boxes.flatMap((box) => box.head.id ?? []));
  const tasks = blocks.map((block, index) => readTask(source, { block, index, ids }));
  const groups = readGroups({ lines, outline, roles, tasks, blocks });
  return {
    text,
    dialect: guessDialect({ text, tasks, groups }),
    tasks,
    groups,
    problems: [...problems, ...duplicateIds(tasks)],
    eol: lineBreakOf(text),
  };
}

function readTask(
  source: Source,
  at: { readonly block: TaskBlock; readonly index: number; readonly ids: IdSource },
): Task {
  const { block, index, ids } = at;
  const { head, fields } = block;
  const { lines } = source;
  const id = head.id ?? ids.make(head.title);
  const state = stateOfAll(block.boxes);
  const has = (marker: string): boolean =>
    head.markers.some((known) => known === marker || known.startsWith(`${marker}:`));
  const verify = has('VERIFY');
  const sequential = has('SEQUENTIAL');
  const start = startOf(lines, block.line);
  const files = fields.get('files');
  return {
    index,
    id,
    key: ids.keyOf(id),
    hasOwnId: head.id !== undefined,
    title: head.title,
    state,
    checked: state === 'done',
    markers: head.markers,
    parallel: has('P') && !verify && !sequential,
    verify,
    sequential,
    optional: block.optional,
    ...(head.fixes === undefined ? {} : { fixes: head.fixes }),
    ...(block.phase === undefined ? {} : { phase: block.phase }),
    ...textOf(source, 'steps', fields.get('do')),
    ...textOf(source, 'doneWhen', fields.get('doneWhen')),
    ...(files === undefined ? { files: filesInTitle(head.title), filesKnown: false } : readFiles(source, files)),
    ...readVerify(source, fields.get('verify')),
    ...readCommit(source, fields.get('commit')),
    requirements: readReferences(source, fields.get('requirements')),
    design: readReferences(source, fields.get('design')),
    dependsOn: readDependsOn(source, fields.get('dependsOn'), head.title),
    block: lines.text.slice(start, endOf(lines, block.end - 1)),
    box: boxPlace(source, block.boxes),
    ...(block.box === undefined ? { boxes: block.boxes.map((box) => box.at) } : {}),
    span: { start, end: startOf(lines, block.end) },
  };
}

function textOf<Name extends 'steps' | 'doneWhen'>(
  source: Source,
  name: Name,
  field: Field | undefined,
): { readonly [key in Name]?: string } {
  if (field === undefined) return {};
  const found: { [key in Name]?: string } = {};
  found[name] = blockValue(source, field);
  return found;
}

/** The first box that is not done, or else the first. */
function boxPlace(source: Source, boxes: readonly Box[]): Place {
  const offset = (boxes.find((box) => box.state !== 'done') ?? boxes[0])?.at ?? 0;
  const line = lineOf(source.lines, offset);
  return { line: line + 1, column: offset - startOf(source.lines, line) + 1, offset };
}

/** A heading with several boxes is done when all are (rule 8). */
function stateOfAll(boxes: readonly Box[]): BoxState {
  const states = boxes.map((box) => box.state).filter((state) => state !== 'done');
  if (states.length === 0) return 'done';
  return states.find((state) => state === 'in-progress') ?? states.find((state) => state === 'open') ?? 'blocked';
}

function duplicateIds(tasks: readonly Task[]): readonly Problem[] {
  const first = new Map<string, Task>();
  const problems: Problem[] = [];
  for (const task of tasks) {
    const earlier = first.get(task.id);
    if (earlier === undefined) {
      first.set(task.id, task);
      continue;
    }
    problems.push({
      severity: 'warning',
      code: 'duplicate-id',
      line: task.box.line,
      column: task.box.column,
      message: `The id ${task.id} is used by the task on line ${earlier.box.line} too.`,
      hint: 'Give one of them another id, so that reports and fix tasks can tell them apart.',
    });
  }
  return problems;
}
