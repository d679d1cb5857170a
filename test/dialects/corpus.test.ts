import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DIALECTS, type Dialect } from '../../src/core/plan/data/dialect.ts';
import type { Plan } from '../../src/core/plan/data/task.ts';
import { detectByText } from '../../src/core/plan/dialects/detect.ts';
import { formatOf } from '../../src/core/plan/dialects/formats.ts';
import type { PlanFormat } from '../../src/core/plan/format.ts';

/** A folder of Markdown files, and a table of what each holds: file, dialect, tasks, done, optional, groups, checklist, left out. */
const { SPECLOOP_CORPUS: folder, SPECLOOP_CORPUS_COUNTS: counts } = process.env;

function markdownIn(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
}

interface Row {
  readonly file: string;
  readonly dialect: Dialect;
  readonly counts: readonly number[];
}

function rowsOf(text: string): readonly Row[] {
  const [, ...lines] = text.trim().split(/\r?\n/);
  return lines.flatMap((line) => {
    const [file = '', name, ...numbers] = line.split(',');
    const dialect = DIALECTS.find((known) => known === name);
    return dialect === undefined ? [] : [{ file, dialect, counts: numbers.map(Number) }];
  });
}

/** What a tick may change: the boxes of the task and its checklist, and those of groups. */
function ticksOnlyItsBoxes(format: PlanFormat, plan: Plan): void {
  for (const task of plan.tasks.filter(({ checked }) => !checked)) {
    const edited = format.tick(plan, task);
    expect(edited.ok).toBe(true);
    if (!edited.ok) return;
    const bare = (text: string) => text.replace(/\[[ \t]*[^\]\s]?[ \t]*\]/gu, '[]');
    expect(bare(edited.text)).toBe(bare(plan.text));
    const groups = plan.groups.filter(({ children }) => children.includes(task.index)).length;
    const boxes = (task.boxes ?? [task.box.offset]).length + (task.checklist ?? []).length + groups;
    const ticks = (text: string) => text.match(/\[[ \t]*[xX][ \t]*\]/g)?.length ?? 0;
    const more = ticks(edited.text) - ticks(plan.text);
    expect(more).toBeGreaterThan(0);
    expect(more).toBeLessThanOrEqual(boxes);
    expect(edited.plan.tasks[task.index]?.checked).toBe(true);
  }
}

describe.skipIf(folder === undefined)('files of a folder (SPECLOOP_CORPUS)', () => {
  test.each(folder === undefined ? [] : markdownIn(folder))(
    '%s can be read and ticked in every dialect (R-PARSE-3, R-DIA-4)',
    (name) => {
      const text = readFileSync(join(folder ?? '', name), 'utf8');
      detectByText(text);
      for (const dialect of DIALECTS) {
        const format = formatOf(dialect);
        const plan = format.parse(text);
        format.describe(plan);
        expect(new Set(plan.tasks.map(({ key }) => key)).size).toBe(plan.tasks.length);
        const [first] = plan.tasks.filter(({ checked }) => !checked);
        if (first !== undefined) ticksOnlyItsBoxes(format, { ...plan, tasks: plan.tasks.slice(0, first.index + 1) });
      }
    },
  );
});

describe.skipIf(folder === undefined || counts === undefined)('a table of files (SPECLOOP_CORPUS_COUNTS)', () => {
  const rows = counts === undefined ? [] : rowsOf(readFileSync(counts, 'utf8'));
  test.each(rows)(
    '$file, as $dialect, holds what the table says, and each tick changes its boxes alone (R-DIA-4)',
    (row) => {
      const format = formatOf(row.dialect);
      const plan = format.parse(readFileSync(join(folder ?? '', row.file), 'utf8'));
      const { tasks, groups, problems } = plan;
      const found = [
        tasks.length,
        tasks.filter(({ checked }) => checked).length,
        tasks.filter(({ optional }) => optional).length,
        groups.length,
        tasks.reduce((sum, { checklist = [], boxes = [] }) => sum + checklist.length + boxes.length, 0),
        problems.filter(({ code }) => code === 'criterion').length,
      ];
      expect(found).toEqual(row.counts);
      ticksOnlyItsBoxes(format, plan);
    },
  );
});
