import type { BoxState, Plan, Problem, Task, TextPlace } from '../data/task.ts';
import { readCommit } from './commit-value.ts';
import { blockValue, type Fields, readFields, type Source } from './fields.ts';
import { readFiles } from './files-value.ts';
import { readGroups } from './groups.ts';
import { type IdSource, idSource } from './ids.ts';
import { endOf, lineBreakOf, splitLines, startOf } from './lines.ts';
import { type Box, readOutline } from './outline.ts';
import { readDependsOn, readReferences } from './references.ts';
import { readRoles } from './roles.ts';
import { readTaskBlocks, type TaskBlock } from './task-blocks.ts';
import { readVerify } from './verify-value.ts';
import { readVisibility } from './visibility.ts';

/**
 * Reads a `tasks.md` (R-PARSE-1, R-PARSE-2), in passes: what each line is to Markdown, the headings and boxes, which boxes
 * are tasks, the lines of each task, and its fields. `text` may begin with a byte order mark and have LF or CRLF line breaks.
 * Any text can be read, in time linear in its length; one that holds no task gives a plan without tasks.
 */
export function parsePlan(text: string): Plan {
  const lines = splitLines(text);
  const { kinds, problems } = readVisibility(lines);
  const source: Source = { lines, kinds };
  const outline = readOutline(lines, kinds);
  const roles = readRoles(source, outline);
  const blocks = readTaskBlocks(source, outline, roles);
  const ids = idSource(outline.boxes.map((box) => box.head.id).filter((id) => id !== undefined));
  const tasks = blocks.map((block, index) => readTask(source, { block, index, ids }));
  const groups = readGroups({ lines, outline, roles, tasks, blocks });
  return {
    text,
    dialect: 'ralph-specum',
    tasks,
    groups,
    problems: [...problems, ...duplicateIds(tasks)],
    eol: lineBreakOf(text),
  };
}

/** A task while its values are being read. */
type TaskDraft = { -readonly [key in keyof Task]: Task[key] };

function readTask(
  source: Source,
  at: { readonly block: TaskBlock; readonly index: number; readonly ids: IdSource },
): Task {
  const { block, index, ids } = at;
  const { head } = block;
  const { lines } = source;
  const fields = readFields(source, block.line + 1, block.bodyEnd);
  const id = head.id ?? ids.make(head.title);
  const state = stateOfAll(block.boxes);
  const verify = readVerify(source, fields.verify);
  const commit = readCommit(source, fields.commit);
  const files = readFiles(source, fields.files, head.title);
  const flags = readMarkers(head.markers);
  const start = startOf(lines, block.line);
  const task: TaskDraft = {
    index,
    id,
    key: ids.keyOf(id),
    hasOwnId: head.id !== undefined,
    title: head.title,
    state,
    checked: state === 'done',
    markers: head.markers,
    parallel: flags.parallel,
    verify: flags.verify,
    sequential: flags.sequential,
    optional: block.optional,
    files: files.files,
    filesKnown: files.filesKnown,
    verifyKind: verify.verifyKind,
    verifyCommand: verify.verifyCommand,
    commitKind: commit.commitKind,
    commit: commit.commit,
    requirements: readReferences(source, fields.requirements),
    design: readReferences(source, fields.design),
    dependsOn: readDependsOn(source, fields.dependsOn, head.title),
    block: lines.text.slice(start, endOf(lines, block.end - 1)),
    box: boxPlace(source, block.boxes),
    span: { start, end: startOf(lines, block.end) },
  };
  if (verify.verifyText !== undefined) task.verifyText = verify.verifyText;
  addWhatIsGiven(task, source, { block, fields });
  return task;
}

function addWhatIsGiven(
  task: TaskDraft,
  source: Source,
  { block, fields }: { readonly block: TaskBlock; readonly fields: Fields },
): void {
  const steps = fields.do;
  const { doneWhen } = fields;
  if (block.head.fixes !== undefined) task.fixes = block.head.fixes;
  if (block.phase !== undefined) task.phase = block.phase;
  if (steps !== undefined) task.steps = blockValue(source, steps);
  if (doneWhen !== undefined) task.doneWhen = blockValue(source, doneWhen);
  if (block.box === undefined) task.boxes = block.boxes.map((box) => box.at);
}

/** `[VERIFY]` and `[SEQUENTIAL]` beat `[P]` (R-READ-6). */
export function readMarkers(markers: readonly string[]): Pick<Task, 'parallel' | 'verify' | 'sequential'> {
  const verify = markers.some((marker) => marker === 'VERIFY' || marker.startsWith('VERIFY:'));
  const sequential = markers.includes('SEQUENTIAL');
  return { parallel: markers.includes('P') && !verify && !sequential, verify, sequential };
}

/** The first box that is not done, or else the first. */
function boxPlace(source: Source, boxes: readonly Box[]): TextPlace {
  const box = boxes.find(({ state }) => state !== 'done') ?? boxes[0];
  const line = box?.line ?? 0;
  const offset = box?.at ?? 0;
  return { line: line + 1, column: offset - startOf(source.lines, line) + 1, offset };
}

/** A heading with several boxes is done when all are (R-READ-8). */
export function stateOfAll(boxes: readonly Pick<Box, 'state'>[]): BoxState {
  if (boxes.every(({ state }) => state === 'done')) return 'done';
  if (boxes.some(({ state }) => state === 'in-progress')) return 'in-progress';
  return boxes.some(({ state }) => state === 'open') ? 'open' : 'blocked';
}

/** A warning for every task whose id a task above has too, which is where key and id differ. */
export function duplicateIds(tasks: readonly Task[]): readonly Problem[] {
  if (tasks.every((task) => task.key === task.id)) return [];
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
      message: `The id ${task.id} is also used by the task on line ${earlier.box.line}.`,
      hint: 'Give one of them another id.',
    });
  }
  return problems;
}
