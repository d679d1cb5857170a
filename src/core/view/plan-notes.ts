import type { Plan, Task } from '../plan/data/task.ts';
import { leadsOutside } from '../plan/outside-paths.ts';
import { type ProofDoubt, proofDoubt } from '../plan/shell/verify-doubts.ts';
import { firstOf } from '../text/first-of.ts';
import { visibleLine } from '../text/sanitise.ts';
import { idText } from '../text/words.ts';

const IDS_MAX = 10;
const PATHS_CHARS_MAX = 200;
const BEFORE_THE_PIPE = ' The failure of the command before the pipe counts.';

/** What a person should know of the open tasks' proofs and files before they run, one line each (R-VER-15). */
export function planNotes({ tasks }: Pick<Plan, 'tasks'>): readonly string[] {
  const open = tasks.filter((task) => !task.checked);
  const doubts = open.flatMap((task) => {
    const doubt = task.verifyCommand === null ? undefined : proofDoubt(task.verifyCommand);
    return doubt === undefined ? [] : [{ task, doubt }];
  });
  const having = (is: (doubt: ProofDoubt) => boolean) =>
    doubts.filter(({ doubt }) => is(doubt)).map(({ task }) => task);
  const outside = open.filter(({ files }) => files.some(leadsOutside));
  return [
    ...note(
      having((doubt) => doubt.kind !== 'fed'),
      'Verify commands that cannot fail, so they prove nothing',
    ),
    ...note(
      having((doubt) => doubt.kind === 'fed' && doubt.isWhole),
      'Verify commands that cannot fail as written',
      BEFORE_THE_PIPE,
    ),
    ...note(
      having((doubt) => doubt.kind === 'fed' && !doubt.isWhole),
      'Verify commands that lose an exit code',
      BEFORE_THE_PIPE,
    ),
    ...outside.map(
      ({ id, files }) =>
        `Task ${idText(id)} names Files outside of the repository, which its agent must leave alone: ${visibleLine(files.filter(leadsOutside).join(', '), PATHS_CHARS_MAX)}.`,
    ),
  ];
}

function note(tasks: readonly Task[], what: string, then = ''): readonly string[] {
  if (tasks.length === 0) return [];
  const ids = tasks.map(({ id }) => idText(id));
  return [`${what}: ${firstOf(ids, IDS_MAX)}.${then}`];
}
