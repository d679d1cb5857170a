import { escapeMarkdown, oneLine } from '../plan/edit/escape.ts';
import { readHead } from '../plan/read/head.ts';
import { isWrittenId } from '../plan/read/ids.ts';
import { parsePlan } from '../plan/read/parse.ts';
import { fenced } from '../text/fence.ts';
import type { ImportedList, ImportedTask, ImportedUnit } from './imported.ts';
import { inOrder } from './order.ts';

/** A plan in the native form, or why none can be written. */
export type WrittenPlan =
  | { readonly ok: true; readonly text: string; readonly tasks: number; readonly dropped: readonly string[] }
  | { readonly ok: false; readonly message: string; readonly hint: string };

interface Numbered {
  readonly task: ImportedTask;
  readonly unit: ImportedUnit;
  readonly id: string;
}

const PLAIN_CHARS_MAX = 300;
const BOXES = { open: '[ ]', 'in-progress': '[-]', blocked: '[~]', done: '[x]' } as const;

/** Writes a list as a plan: in the order of its dependencies, with `[P]` where neighbours do not wait for each other (R-DIA-7). */
export function writePlan(list: ImportedList): WrittenPlan {
  const dropped = [...list.dropped, ...unknownDependencies(list)];
  const ordered = orderedUnits(list);
  if (!ordered.ok)
    return {
      ok: false,
      message: `The dependencies form a cycle: ${ordered.cycle.join(', ')}.`,
      hint: 'Remove one of them in the source, and import it again.',
    };
  const tasks = numbered(ordered.items);
  const ids = new Map<string, string>(tasks.map(({ task, id }) => [task.source, id]));
  for (const { source, group } of ordered.items) if (group !== undefined) ids.set(source, source);
  const parallel = parallelTasks(list, tasks);
  const text = planText(list, ordered.items, { tasks, ids, parallel });
  const read = parsePlan(text);
  const isFaithful =
    read.tasks.length === tasks.length &&
    read.tasks.every(
      ({ id, verifyCommand, commit }, at) => id === tasks[at]?.id && verifyCommand === null && commit === null,
    );
  if (!isFaithful)
    return {
      ok: false,
      message: 'A text of the source would act as a task.',
      hint: 'Write the plan by hand, or change that text.',
    };
  return { ok: true, text, tasks: tasks.length, dropped };
}

function known({ units, gone }: ImportedList): ReadonlySet<string> {
  return new Set([...gone, ...units.flatMap(({ source, tasks }) => [source, ...tasks.map((task) => task.source)])]);
}

function unknownDependencies(list: ImportedList): readonly string[] {
  const ids = known(list);
  const all = list.units.flatMap(({ tasks }) =>
    tasks.flatMap(({ source, dependsOn }) =>
      dependsOn.filter((other) => !ids.has(other)).map((other) => `dependencies: ${source} -> ${other}`),
    ),
  );
  return [...new Set(all)];
}

/** Units by what their tasks wait for outside of them, and the tasks of each by what they wait for inside. */
function orderedUnits({
  units,
}: ImportedList): ReturnType<typeof inOrder<ImportedUnit & { waitsFor: readonly string[] }>> {
  const unitOf = new Map(
    units.flatMap(
      (unit) =>
        [[unit.source, unit.source], ...unit.tasks.map((task) => [task.source, unit.source])] as [string, string][],
    ),
  );
  const waiting: (ImportedUnit & { waitsFor: readonly string[] })[] = [];
  for (const unit of units) {
    const inside = inOrder(unit.tasks.map((task) => ({ ...task, rank: 0, waitsFor: task.dependsOn })));
    if (!inside.ok) return inside;
    const waitsFor = unit.tasks.flatMap(({ dependsOn }) => dependsOn.flatMap((other) => unitOf.get(other) ?? []));
    waiting.push({ ...unit, tasks: inside.items, waitsFor });
  }
  return inOrder(waiting);
}

/** Ids of the source are kept where they have the form of ids; else all are numbered in order. */
function numbered(units: readonly ImportedUnit[]): readonly Numbered[] {
  const all = units.flatMap((unit) => unit.tasks.map((task) => ({ task, unit })));
  const areKept = all.every(({ task }) => isWrittenId(task.id ?? task.source));
  return all.map(({ task, unit }, at) => ({ task, unit, id: areKept ? (task.id ?? task.source) : `1.${at + 1}` }));
}

/** Runs of at least two neighbours of one parent, none of them done, of which none waits for another, by way of others too. */
function parallelTasks({ hasDependencies }: ImportedList, tasks: readonly Numbered[]): ReadonlySet<string> {
  const found = new Set(tasks.flatMap(({ task, id }) => (task.parallel === true ? [id] : [])));
  if (!hasDependencies) return found;
  const before = waitedFor(tasks);
  let run: Numbered[] = [];
  const end = (): void => {
    if (run.length > 1) for (const { id } of run) found.add(id);
    run = [];
  };
  for (const one of tasks) {
    const isApart = run.some(
      ({ task, unit }) =>
        before.get(one.task.source)?.has(task.source) || before.get(one.task.source)?.has(unit.source),
    );
    const isOther = run.some(({ unit }) => (unit.group ?? one.unit.group) !== undefined && unit !== one.unit);
    if (isApart || isOther || one.task.state === 'done') end();
    if (one.task.state !== 'done') run.push(one);
  }
  end();
  return found;
}

/** For each task all that it waits for. */
function waitedFor(tasks: readonly Numbered[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const members = new Map<string, string[]>();
  for (const { task, unit } of tasks) members.set(unit.source, [...(members.get(unit.source) ?? []), task.source]);
  for (const { task } of tasks) {
    const all = new Set(task.dependsOn);
    for (const other of task.dependsOn)
      for (const member of [other, ...(members.get(other) ?? [])])
        for (const more of found.get(member) ?? []) all.add(more);
    found.set(task.source, all);
  }
  return found;
}

interface Writing {
  readonly tasks: readonly Numbered[];
  readonly ids: ReadonlyMap<string, string>;
  readonly parallel: ReadonlySet<string>;
}

function planText(list: ImportedList, units: readonly ImportedUnit[], writing: Writing): string {
  const lines = [`# Tasks: ${escapeMarkdown(list.heading)}`, ''];
  if (list.intro !== undefined && list.intro.trim() !== '') lines.push(escapeMarkdown(list.intro), '');
  let phase: string | undefined;
  for (const unit of units) {
    if (unit.phase !== undefined && unit.phase !== phase) lines.push(`## ${oneLine(unit.phase)}`, '');
    phase = unit.phase;
    const own = writing.tasks.filter((one) => one.unit.source === unit.source);
    if (unit.group === undefined) lines.push(...own.flatMap((one) => taskLines(one, '', writing)), '');
    else {
      const isDone = own.every(({ task }) => task.state === 'done');
      lines.push(`- [${isDone ? 'x' : ' '}] ${marked(unit.source)} ${inert(unit.group)}`);
      lines.push(...own.flatMap((one) => taskLines(one, '  ', writing)), '');
    }
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function marked(id: string): string {
  return id.includes('.') || /^[A-Z]/.test(id) ? id : `${id}.`;
}

function taskLines({ task, id }: Numbered, indent: string, { ids, parallel }: Writing): readonly string[] {
  const star = task.optional === true && task.state !== 'done' ? '*' : '';
  const own = `${indent}  `;
  const dependsOn = task.dependsOn.flatMap((other) => ids.get(other) ?? []);
  const source = id === task.source || task.id !== undefined ? [] : [['Source', task.source] as const];
  return [
    `${indent}- ${BOXES[task.state]}${star} ${marked(id)}${parallel.has(id) ? ' [P]' : ''} ${inert(task.title)}`,
    ...text('Do', task.do, own),
    ...text('Done when', task.doneWhen, own),
    ...text('Context', task.context ?? [], own),
    ...[...(task.fields ?? []), ...source].flatMap(([name, value]) => text(name, [value], own)),
    ...(task.requirements?.length
      ? [`${own}- _Requirements: ${task.requirements.map(escapeMarkdown).join(', ')}_`]
      : []),
    ...(dependsOn.length > 0 ? [`${own}- _Depends: ${dependsOn.join(', ')}_`] : []),
  ];
}

/** A title as written where it is only a title, else escaped. */
function inert(title: string): string {
  const line = oneLine(title);
  const head = readHead(`1.1 ${line}`);
  const isPlain = head.title === line && head.markers.length === 0 && head.fixes === undefined;
  const isWhole = (line.match(/`/g)?.length ?? 0) % 2 === 0 && !/<!--|``|\(depends on|\\$/i.test(line);
  return isPlain && isWhole ? line : escapeMarkdown(title);
}

/** A field with foreign text: inline if it is one plain line, else in a fence that nothing in it can close. */
function text(name: string, parts: readonly string[], indent: string): readonly string[] {
  const given = parts.map((part) => part.trim()).filter((part) => part !== '');
  const [only] = given;
  if (only === undefined) return [];
  if (given.length === 1 && only.length <= PLAIN_CHARS_MAX && escapeMarkdown(only) === only)
    return [`${indent}- **${name}**: ${only}`];
  const block = fenced(given.join('\n'), 'text').split('\n');
  return [`${indent}- **${name}**:`, ...block.map((line) => (line === '' ? '' : `${indent}  ${line}`))];
}
