import { spawnSync } from 'node:child_process';
import { programOutside } from '../../adapters/program/program-outside.ts';
import type { Plan, Problem } from '../../core/plan/data/task.ts';
import { readShellList } from '../../core/plan/shell/shell-list.ts';

const CHECKED_MAX = 500;
const TIME_MS_MAX = 5_000;

/**
 * Verify commands of open tasks that bash cannot read: they can never pass (R-PARSE-5). Bash only reads them (`bash -n`),
 * and only those that our own reader does not understand.
 */
export function syntaxProblems({ tasks }: Pick<Plan, 'tasks'>): readonly Problem[] {
  const unsure = tasks.filter(
    ({ checked, verifyCommand }) => !checked && verifyCommand !== null && readShellList(verifyCommand) === undefined,
  );
  return unsure.slice(0, CHECKED_MAX).flatMap(({ id, box, verifyCommand }) => {
    const problem = syntaxProblem(verifyCommand ?? '');
    if (problem === undefined) return [];
    return [
      {
        severity: 'error',
        code: 'verify-syntax',
        line: box.line,
        column: box.column,
        message: `bash cannot parse the Verify command of task ${id}: ${problem}.`,
        hint: 'Correct the command. If it is not a command, write words before the code span.',
      } as const,
    ];
  });
}

/** What bash says of it, in one line; `undefined` for nothing, also where there is no bash. */
function syntaxProblem(command: string): string | undefined {
  // Nothing of the user's shell is read before: BASH_ENV and the like are not handed on.
  const bash = programOutside('bash', { path: process.env.PATH, workspace: process.cwd() });
  if (bash === undefined) return undefined;
  const { status, stderr } = spawnSync(bash, ['--norc', '-n'], {
    input: command,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    encoding: 'utf8',
    timeout: TIME_MS_MAX,
  });
  if (status === 0 || status === null) return undefined;
  const [first = ''] = stderr.split('\n');
  return (
    first.replace(/^\S*bash: (?:line (\d+): )?/, (_, line) =>
      line === undefined || line === '1' ? '' : `line ${line}: `,
    ) || undefined
  );
}
