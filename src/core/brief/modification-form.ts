import { MODIFICATION_REQUEST } from '../answer/signals.ts';
import type { Task } from '../plan/data/task.ts';
import { fenced } from '../text/fence.ts';
import { oneLine } from '../text/sanitise.ts';
import { section } from './parts.ts';

const ID_CHARS_MAX = 100;

/** How an executor asks for a change of the plan (R-MOD-1, R-MOD-3). */
export function modificationForm(
  task: Pick<Task, 'id'>,
  { isOfOtherTool = false }: { readonly isOfOtherTool?: boolean } = {},
): string {
  const id = oneLine(task.id, ID_CHARS_MAX);
  const proposed = isOfOtherTool
    ? '- [ ] <title>'
    : [
        `- [ ] ${id}.1 <title>`,
        '  - **Do**: <steps>',
        '  - **Files**: <paths>',
        '  - **Done when**: <what holds then>',
        '  - **Verify**: `<command>`',
        '  - **Commit**: `<message>`',
      ].join('\n');
  const example = { type: 'SPLIT_TASK', originalTaskId: id, reasoning: '<why>', proposedTasks: [proposed] };
  return section('If the plan is wrong', [
    `Only if this task cannot be done as it stands: put the word ${MODIFICATION_REQUEST} alone on a line of your final answer, and below it`,
    'one JSON object in a code fence:',
    '',
    fenced(JSON.stringify(example, null, 2), 'json'),
    '',
    '- `SPLIT_TASK`: it is too big. Do what you can, propose the rest as tasks, and end with the signal of success as well.',
    '- `ADD_PREREQUISITE`: something must be done before it. Propose that one task; do not give the signal of success.',
    '- `ADD_FOLLOWUP`: it is done, but it showed more work. Propose that, and end with the signal of success as well.',
    '',
    isOfOtherTool
      ? 'Each proposed task is one open box, written as the tasks of this plan are, without an id: it is given the next one.'
      : `Each proposed task is one open box with an id of its own (\`${id}.1\`, \`${id}.2\`, at most three dots) and all five fields.`,
  ]);
}
