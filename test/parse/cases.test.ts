import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Task } from '../../src/core/plan/data/task.ts';
import { detectByText } from '../../src/core/plan/dialects/detect.ts';
import { parsePlan } from '../../src/core/plan/read/parse.ts';

/** What a reader of `NAME.md` should get, in `NAME.expected.json`; a field that is not there is not compared. */
interface Expected {
  readonly format: string;
  readonly tasks: readonly Readonly<Record<string, unknown>>[];
  readonly groups?: readonly { readonly id: string | null; readonly title: string }[];
  readonly warnings?: readonly string[];
}

const folder = fileURLToPath(new URL('.', import.meta.url));
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.expected.json'))
  .map((file) => file.replace('.expected.json', ''));

for (const name of names) {
  const text = readFileSync(`${folder}/${name}.md`, 'utf8');
  const expected: Expected = JSON.parse(readFileSync(`${folder}/${name}.expected.json`, 'utf8'));

  test(`the file ${name} is read as its author meant it (R-PARSE-2)`, () => {
    const plan = parsePlan(text);
    expect(plan.tasks.map((task) => task.title)).toEqual(expected.tasks.map((task) => task.title));
    for (const [index, want] of expected.tasks.entries()) expect(compared(plan.tasks[index], want)).toEqual(want);
    expect(plan.tasks.map((task) => task.index)).toEqual(expected.tasks.map((_, index) => index));
    if (expected.groups) expect(plan.groups.map(({ id, title }) => ({ id, title }))).toEqual(expected.groups);
    if (expected.warnings) expect(plan.problems.length).toBeGreaterThan(0);
  });

  test(`the dialect of the file ${name} is found by what it says (R-DIA-3)`, () => {
    const dialect = { 'cc-sdd': 'kiro', plain: 'checklist' }[expected.format] ?? expected.format;
    expect(detectByText(text)).toEqual({ ok: true, dialect });
  });

  test(`the file ${name} has a task at every place and block it names (R-PARSE-2)`, () => {
    const plan = parsePlan(text);
    for (const task of plan.tasks) {
      expect(text.slice(task.box.offset - 1, task.box.offset + 2)).toMatch(/^\[[ xX~-]\]$/);
      expect(text.slice(task.span.start, task.span.end).trimEnd()).toBe(task.block);
      expect(text.slice(0, task.box.offset).split('\n').length).toBe(task.box.line);
    }
    expect(new Set(plan.tasks.map((task) => task.key)).size).toBe(plan.tasks.length);
  });
}

/** The fields of `task` that `want` names; an id the file does not give is made up, so it is not compared. */
function compared(task: Task | undefined, want: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const got: Record<string, unknown> = { ...task };
  return Object.fromEntries(Object.keys(want).map((key) => [key, key === 'id' && want.id === null ? null : got[key]]));
}
