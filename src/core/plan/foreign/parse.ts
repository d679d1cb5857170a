import type { BoxState, Group, Plan, Task, TextPlace } from '../data/task.ts';
import { readCommit } from '../read/commit-value.ts';
import { blockValue, type FieldPlace, firstValue, type Source } from '../read/fields.ts';
import { filesInTitle, readFiles } from '../read/files-value.ts';
import { type IdSource, idSource, isWrittenId } from '../read/ids.ts';
import { endOf, lineBreakOf, splitLines, startOf } from '../read/lines.ts';
import { stateOf } from '../read/outline.ts';
import { duplicateIds, readMarkers, stateOfAll } from '../read/parse.ts';
import { readDependsOn, readReferences } from '../read/references.ts';
import { readVerify } from '../read/verify-value.ts';
import { readVisibility } from '../read/visibility.ts';
import { type ItemBlock, readItemBlocks } from './blocks.ts';
import { type ActingFields, readActingFields } from './fields.ts';
import { type BoxItem, readItems } from './items.ts';
import { readerProblems } from './problems.ts';
import { type RoledBox, type RoledItems, readItemRoles, subTasks } from './roles.ts';
import type { DialectRules } from './rules.ts';

/** What a file is made of, while tasks are read from it. */
interface ForeignParts {
  readonly source: Source;
  readonly items: RoledItems;
  readonly blocks: readonly ItemBlock[];
  readonly rules: DialectRules;
}

/**
 * Reads a task file of another tool (R-DIA-4). Any text can be read; one that holds no task gives a plan without tasks. What
 * the dialect does not have is absent.
 */
export function parseForeign(text: string, rules: DialectRules): Plan {
  const lines = splitLines(text);
  const { kinds, problems } = readVisibility(lines);
  const source: Source = { lines, kinds };
  const items = readItemRoles(source, readItems(source, rules), rules);
  const parts: ForeignParts = { source, items, blocks: readItemBlocks(source, items), rules };
  const ids = idSource(parts.blocks.flatMap(({ head }) => head.id ?? []));
  const tasks = parts.blocks
    .filter(({ kind }) => kind === 'task')
    .map((block, index) => readForeignTask(parts, { block, index, ids }));
  const linked = linkFixes(tasks);
  const groups = readForeignGroups(parts);
  const found = readerProblems({ source, items, rules, tasks: linked, groups });
  return {
    text,
    dialect: rules.name,
    tasks: linked,
    groups,
    problems: [...problems, ...duplicateIds(linked), ...found],
    eol: lineBreakOf(text),
  };
}

type ForeignTaskDraft = { -readonly [key in keyof Task]: Task[key] };

function readForeignTask(
  { source, items, rules }: ForeignParts,
  { block, index, ids }: { readonly block: ItemBlock; readonly index: number; readonly ids: IdSource },
): Task {
  const { head, phase, boxes } = block;
  const { lines } = source;
  const fields = readActingFields(source, block.titleEnd, block.end);
  const id = head.id ?? ids.make(head.title);
  const state = stateOfBoxes(boxes, fields, rules);
  const flags = readMarkers(head.markers);
  const files = filesOf(source, { fields, title: head.title, rules });
  const { verifyKind, verifyCommand, verifyText } = readVerify(source, fields.verify);
  const { commitKind, commit } = readCommit(source, fields.commit);
  const start = startOf(lines, block.line);
  const task: ForeignTaskDraft = {
    ...{ index, id, key: ids.keyOf(id), hasOwnId: head.id !== undefined, title: head.title },
    ...{ state, checked: state === 'done', markers: head.markers, ...flags, optional: block.optional },
    ...{ ...files, verifyKind, verifyCommand, commitKind, commit },
    requirements: readReferences(source, fields.requirements),
    design: readReferences(source, fields.design),
    dependsOn: readDependsOn(source, fields.dependsOn, head.title).filter((other) => other !== id),
    block: lines.text.slice(start, endOf(lines, block.end - 1)),
    box: placeOfBox(source, openBox(boxes, rules)),
    span: { start, end: startOf(lines, block.end) },
    stretch: block.stretch,
  };
  const touches = rules.touches(files, readReferences(source, fields.boundary));
  if (touches !== undefined) task.touches = touches;
  if (phase !== undefined) task.phase = phase;
  if (verifyText !== undefined) task.verifyText = verifyText;
  addTexts(task, source, fields);
  const fixes = head.fixes ?? (fields.fixes === undefined ? undefined : firstValue(source, fields.fixes));
  if (fixes !== undefined && fixes !== '') task.fixes = fixes;
  if (block.box === undefined) task.boxes = boxes.map(({ at }) => at);
  else addChecklist(task, items.boxes, block.box);
  return task;
}

function addTexts(task: ForeignTaskDraft, source: Source, { do: steps, doneWhen, blocked }: ActingFields): void {
  const text = (field: FieldPlace | undefined): string => (field === undefined ? '' : blockValue(source, field));
  if (steps !== undefined) task.steps = text(steps);
  if (doneWhen !== undefined) task.doneWhen = text(doneWhen);
  if (blocked !== undefined) task.blockedBy = text(blocked);
}

/** The boxes nested in a task that are ticked with it: all without an id, save those struck through or starred (R-DIA-6). */
function addChecklist(task: ForeignTaskDraft, boxes: readonly RoledBox[], own: number): void {
  const inside = new Set([own]);
  const held: number[] = [];
  for (let at = own + 1; boxes[at]?.parent !== undefined && inside.has(boxes[at]?.parent ?? -1); at++) {
    const box = boxes[at];
    if (box?.role !== 'checklist') continue;
    inside.add(at);
    if (!box.isStarred && !/^~~.*~~$/s.test(box.head.title)) held.push(box.at);
  }
  if (held.length > 0) task.checklist = held;
}

function filesOf(
  source: Source,
  { fields, title, rules }: { readonly fields: ActingFields; readonly title: string; readonly rules: DialectRules },
): Pick<Task, 'files' | 'filesKnown'> {
  if (fields.files !== undefined) return readFiles(source, fields.files, title);
  return { files: filesInTitle(title).filter((path) => !rules.isOwnDocument(path)), filesKnown: false };
}

function stateOfBoxes(boxes: readonly BoxItem[], { blocked }: ActingFields, rules: DialectRules): BoxState {
  const state = stateOfAll(boxes.map((box) => ({ state: stateOfItem(box, rules) })));
  return blocked !== undefined && state !== 'done' ? 'blocked' : state;
}

/** What the mark in a box says in this dialect. */
export function stateOfItem({ mark }: Pick<BoxItem, 'mark'>, { tilde }: Pick<DialectRules, 'tilde'>): BoxState {
  return mark === '~' ? tilde : stateOf(mark);
}

function openBox(boxes: readonly BoxItem[], rules: DialectRules): BoxItem | undefined {
  return boxes.find((box) => stateOfItem(box, rules) !== 'done') ?? boxes[0];
}

function placeOfBox({ lines }: Source, box: BoxItem | undefined): TextPlace {
  const { line = 0, at = 0 } = box ?? {};
  return { line: line + 1, column: at - startOf(lines, line) + 1, offset: at };
}

/** `Fixes:` names an id, or the title of a task above without one; a title becomes the id that was made for it. */
function linkFixes(tasks: readonly Task[]): readonly Task[] {
  const byTitle = new Map<string, string>();
  const known = new Set(tasks.map(({ id }) => id));
  return tasks.map((task) => {
    const { fixes, ...rest } = task;
    const id = fixes === undefined || known.has(fixes) || isWrittenId(fixes) ? fixes : byTitle.get(fixes);
    if (!task.hasOwnId) byTitle.set(task.title, task.id);
    if (id === fixes) return task;
    return id === undefined ? rest : { ...rest, fixes: id };
  });
}

function readForeignGroups({ source, items, blocks, rules }: ForeignParts): readonly Group[] {
  const groups = blocks.filter(({ kind }) => kind === 'group');
  if (groups.length === 0) return [];
  const held = subTasks(source, items.boxes);
  const taskOf = new Map(blocks.filter(({ kind }) => kind === 'task').map(({ box }, task) => [box ?? -1, task]));
  return groups.flatMap((group) => {
    const box = group.boxes[0];
    if (box === undefined || group.box === undefined) return [];
    const children = (held.get(group.box) ?? []).flatMap((child) => taskOf.get(child) ?? []);
    const text = source.lines.text.slice(startOf(source.lines, group.line), endOf(source.lines, group.end - 1));
    return [
      {
        ...{ id: box.head.id ?? null, title: box.head.title, state: stateOfItem(box, rules), optional: group.optional },
        ...{ box: placeOfBox(source, box), children: children.sort((left, right) => left - right), block: text },
      },
    ];
  });
}
