import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Dialect } from '../../src/core/plan/data/dialect.ts';
import type { Task } from '../../src/core/plan/data/task.ts';
import { formatOf } from '../../src/core/plan/dialects/formats.ts';

/** What a reader of `NAME.md` should get, in `NAME.expected.json`; a field that is not there is not compared. */
interface Expected {
  readonly dialect: Dialect;
  readonly tasks: readonly Readonly<Record<string, unknown>>[];
  readonly groups?: readonly {
    readonly id: string | null;
    readonly title: string;
    readonly children?: readonly string[];
  }[];
  readonly warnings?: readonly { readonly line?: number }[];
}

const folder = fileURLToPath(new URL('.', import.meta.url));
const names = ['spec-kit', 'kiro', 'openspec', 'checklist'].flatMap((dialect) =>
  readdirSync(`${folder}/${dialect}`)
    .filter((file) => file.endsWith('.expected.json'))
    .map((file) => `${dialect}/${file.replace('.expected.json', '')}`),
);

for (const name of names) {
  const text = readFileSync(`${folder}/${name}.md`, 'utf8');
  const expected: Expected = JSON.parse(readFileSync(`${folder}/${name}.expected.json`, 'utf8'));
  const format = formatOf(expected.dialect);

  test(`the file ${name} is read as its author meant it (R-DIA-4)`, () => {
    const plan = format.parse(text);
    expect(plan.tasks.map((task) => task.title)).toEqual(expected.tasks.map((task) => task.title));
    for (const [index, want] of expected.tasks.entries()) expect(compared(plan.tasks[index], want)).toEqual(want);
    if (expected.groups)
      expect(
        plan.groups.map(({ id, title, children }, at) => ({
          ...{ id, title },
          ...(expected.groups?.[at]?.children ? { children: children.map((child) => plan.tasks[child]?.id) } : {}),
        })),
      ).toEqual(expected.groups);
    const lines = (expected.warnings ?? []).flatMap(({ line }) => line ?? []);
    expect(plan.problems.map(({ line }) => line).sort((one, other) => one - other)).toEqual(lines);
  });

  test(`the file ${name} has a task at every place and block it names (R-PARSE-2)`, () => {
    const plan = format.parse(text);
    for (const task of plan.tasks) {
      expect(text[task.box.offset - 1]).toBe('[');
      expect(text.slice(task.box.offset)).toMatch(/^[ \t]*\S?[ \t]*\]/);
      expect(text.slice(task.span.start, task.span.end).trimEnd()).toBe(task.block.trimEnd());
      expect(text.slice(0, task.box.offset).split('\n').length).toBe(task.box.line);
    }
    expect(new Set(plan.tasks.map((task) => task.key)).size).toBe(plan.tasks.length);
  });
}

/** The fields of `task` that `want` names; an id the file does not give is made up, so it is not compared. */
function compared(task: Task | undefined, want: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const got: Record<string, unknown> = { ...task, id: task?.hasOwnId ? task.id : null };
  return Object.fromEntries(Object.keys(want).map((key) => [key, got[key]]));
}
