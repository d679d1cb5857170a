import type { Coverage } from '../artifact/coverage.ts';
import { coverageMarkdown } from '../artifact/coverage-markdown.ts';
import { coverageCount } from '../artifact/coverage-text.ts';
import type { PlannedTask } from '../plan/data/planned-task.ts';
import { escapeCell, escapeMarkdown, firstCharacters } from '../plan/edit/escape.ts';
import { counted } from '../text/words.ts';

const TASKS_MAX = 200;
const TITLE_CHARS_MAX = 120;
const COMMAND_CHARS_MAX = 120;
/** A forge takes 65,536 characters for all of it. */
const COVERAGE_CHARS_MAX = 20_000;

/** What a pull request is described from: the plan, and how each task was proved. */
export interface Described {
  readonly spec: string;
  readonly tasks: readonly PlannedTask[];
  /** Short hashes of the commits that record tasks. By task id. */
  readonly commits: ReadonlyMap<string, string>;
  /** What is to be known of a task in addition to "done": how its review ended, what its proof lacks. By task key. */
  readonly remarks: ReadonlyMap<string, readonly string[]>;
  /** How far requirements and criteria are proven, where the spec has any (R-TRACE-1). */
  readonly coverage?: Coverage | undefined;
}

/** What was built, how each task was proved, and what a reviewer should know: Markdown made from the record alone. */
export function sectionsOf({ spec, tasks, commits, remarks, coverage }: Described): string {
  const done = tasks.filter(({ checked, isOfLifecycle }) => checked && isOfLifecycle !== true);
  const fixes = done.filter(({ fixes: of }) => of !== undefined).length;
  const open = done.filter(({ key }) => (remarks.get(key) ?? []).length > 0);
  const lines = done.slice(0, TASKS_MAX).map((task) => {
    const proof = task.verifyCommand === null ? 'no command' : `\`${command(task.verifyCommand)}\``;
    const commit = commits.get(task.id);
    const words = remarks.get(task.key) ?? [];
    return `| ${task.id} | ${cell(task.title)} | ${proof} | ${commit ?? ''} | ${words.map(cell).join(', ')} |`;
  });
  return [
    `Spec **${escapeMarkdown(spec)}**: ${counted(done.length, 'task')} done${fixes > 0 ? `, ${counted(fixes, 'fix task')} among them` : ''}.`,
    '',
    '| task | what | proved by | commit | remarks |',
    '|---|---|---|---|---|',
    ...lines,
    ...(done.length > TASKS_MAX ? [`| … | ${done.length - TASKS_MAX} more | | | |`] : []),
    '',
    open.length === 0
      ? 'Each task was proved by its command or a review before it was committed.'
      : `Please look at ${open.map(({ id }) => id).join(', ')}: their proof lacks something.`,
    ...(coverage === undefined ? [] : ['', ...coverageLines(coverage)]),
  ].join('\n');
}

/** The table is folded, and left out where it is too long for a body. */
function coverageLines(coverage: Coverage): readonly string[] {
  const count = coverageCount(coverage);
  const table = coverageMarkdown(coverage);
  if (table.length > COVERAGE_CHARS_MAX) return [count];
  return [`<details><summary>${count}</summary>`, '', table, '</details>'];
}

function cell(text: string): string {
  return escapeCell(firstCharacters(text, TITLE_CHARS_MAX));
}

function command(text: string): string {
  return firstCharacters(text.replace(/\s+/g, ' '), COMMAND_CHARS_MAX).replaceAll('`', "'").replaceAll('|', '\\|');
}
