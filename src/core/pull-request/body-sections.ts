import { escapeMarkdown, firstCharacters } from '../plan/escape.ts';
import type { PlannedTask } from '../plan/planned-task.ts';
import { counted } from '../text/words.ts';

const TASKS_MAX = 200;
const TITLE_CHARS_MAX = 120;
const COMMAND_CHARS_MAX = 120;

/** What a pull request is described from: the plan, and how each task was proved. */
export interface Described {
  readonly spec: string;
  readonly tasks: readonly PlannedTask[];
  /** Short hashes of the commits that record tasks. By task id. */
  readonly commits: ReadonlyMap<string, string>;
  /** What is to be known of a task beside "done": how its review ended, what its proof lacks. By task key. */
  readonly remarks: ReadonlyMap<string, readonly string[]>;
}

/** What was built, how each task was proved, and what a reviewer should know: Markdown made from the record alone. */
export function sectionsOf({ spec, tasks, commits, remarks }: Described): string {
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
  ].join('\n');
}

function cell(text: string): string {
  return escapeMarkdown(firstCharacters(text, TITLE_CHARS_MAX)).replaceAll('|', '\\|');
}

function command(text: string): string {
  return firstCharacters(text.replace(/\s+/g, ' '), COMMAND_CHARS_MAX).replaceAll('`', "'").replaceAll('|', '\\|');
}
