import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Dialect } from '../../src/core/plan/data/dialect.ts';
import type { Plan, Task } from '../../src/core/plan/data/task.ts';
import { formatOf } from '../../src/core/plan/dialects/formats.ts';
import type { Edited } from '../../src/core/plan/edit/edit.ts';
import type { PlanFormat } from '../../src/core/plan/format.ts';

interface TickCase {
  readonly dialect: Dialect;
  readonly index: number;
  readonly id: string | null;
}

interface InsertCase {
  readonly dialect: Dialect;
  readonly kind: 'fix' | 'followup' | 'prerequisite';
  readonly index: number;
  readonly of: string | null;
  readonly error?: string;
  readonly attemptedFix?: string;
  readonly newId?: string | null;
  readonly proposed?: readonly string[];
  readonly expected?: { readonly tasks: readonly Readonly<Record<string, unknown>>[] };
}

const folder = fileURLToPath(new URL('.', import.meta.url));
const read = (path: string): string => readFileSync(`${folder}/${path}`, 'utf8');

function namesOf(ending: string): readonly string[] {
  return ['spec-kit', 'kiro', 'openspec', 'checklist'].flatMap((dialect) =>
    readdirSync(`${folder}/${dialect}`)
      .filter((file) => file.endsWith(ending))
      .map((file) => `${dialect}/${file.slice(0, -ending.length)}`),
  );
}

function taskAt(plan: Plan, index: number): Task {
  const task = plan.tasks[index];
  if (task === undefined) throw new Error(`There is no task at ${index}.`);
  return task;
}

function textOf(edited: Edited): string {
  if (!edited.ok) throw new Error(edited.reason);
  return edited.text;
}

test.each(namesOf('.tick.json'))(
  'the tick %s changes the boxes of its task and groups, and no other byte (R-DIA-2, R-DIA-6)',
  (name) => {
    const wanted: TickCase = JSON.parse(read(`${name}.tick.json`));
    const format = formatOf(wanted.dialect);
    const plan = format.parse(read(`${name}.before.md`));
    const task = taskAt(plan, wanted.index);
    expect(task.hasOwnId ? task.id : null).toBe(wanted.id);
    const edited = format.tick(plan, task);
    expect(textOf(edited)).toBe(read(`${name}.after.md`));
    expect(edited.ok && edited.plan).toEqual(format.parse(textOf(edited)));
    expect(edited.ok && edited.plan.tasks[wanted.index]?.checked).toBe(true);
  },
);

test.each(namesOf('.insert.json'))('the insertion %s has the form of its file (R-DIA-6)', (name) => {
  const wanted: InsertCase = JSON.parse(read(`${name}.insert.json`));
  const format = formatOf(wanted.dialect);
  const before = read(`${name}.before.md`);
  const plan = format.parse(before);
  const task = taskAt(plan, wanted.index);
  expect(task.hasOwnId ? task.id : null).toBe(wanted.of);
  const edited = insert(format, plan, { task, wanted });
  const after = textOf(edited);
  expect(isOnePieceMore(before, after)).toBe(true);
  if (existsSync(`${folder}/${name}.after.md`)) expect(after).toBe(read(`${name}.after.md`));
  const tasks = format.parse(after).tasks;
  for (const [at, want] of (wanted.expected?.tasks ?? []).entries()) {
    const got: Record<string, unknown> = { ...tasks[at], id: tasks[at]?.hasOwnId ? tasks[at].id : null };
    expect(Object.fromEntries(Object.keys(want).map((key) => [key, got[key]]))).toEqual(want);
  }
  if (wanted.kind === 'fix') {
    const known = new Set(plan.tasks.map(({ key }) => key));
    const fix = tasks.find(({ key }) => !known.has(key));
    expect(fix?.hasOwnId ? fix.id : null).toBe(wanted.newId);
    expect(fix?.fixes).toBe(task.id);
  }
});

function insert(
  format: PlanFormat,
  plan: Plan,
  { task, wanted }: { readonly task: Task; readonly wanted: InsertCase },
): Edited {
  const { kind, error = '', attemptedFix = '', proposed = [] } = wanted;
  if (kind === 'fix') return format.insertFix(plan, { id: '', original: task, error, attemptedFix });
  const type = kind === 'followup' ? ('ADD_FOLLOWUP' as const) : ('ADD_PREREQUISITE' as const);
  const request = { type, originalTaskId: task.id, reasoning: '', proposedTasks: proposed };
  const decision = format.decide(plan, request, { modificationsSoFar: 0, max: 3 });
  if (!decision.ok) return decision;
  const edited = format.modify(plan, request, decision.tasks);
  if (edited.ok) expect(format.modify(edited.plan, request, decision.tasks)).toEqual(edited);
  return edited;
}

/** Whether the old text is the new one without one contiguous piece. */
function isOnePieceMore(before: string, after: string): boolean {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  return after.endsWith(before.slice(start));
}
