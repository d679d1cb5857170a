import type { NextAnswer } from '../../app/session/next.ts';
import { sanitise } from '../../core/text/sanitise.ts';
import { taskName } from '../../core/text/words.ts';
import type { Call } from '../shared/command.ts';
import { printResult } from '../shared/print.ts';

/** Prints what a session is to do, as JSON if that is asked for; returns the exit code, which says nothing of it (R-SES-1). */
export function printNext(call: Call, answer: NextAnswer): number {
  printResult(call, answer, () => `${linesOf(answer).join('\n')}\n`);
  return 0;
}

/** The same for a person or a model to read. */
function linesOf({ spec, do: what, delegations, until, message }: NextAnswer): readonly string[] {
  return [
    `${spec}: ${what}${until === null ? '' : ` until ${until}`}`,
    sanitise(message),
    ...delegations.flatMap(({ task, role, attempt, token, workspace, prompt }) => [
      '',
      `Task ${taskName(task)}, attempt ${attempt}`,
      `Role: ${role}`,
      `Folder: ${sanitise(workspace)}`,
      `Token: ${token}`,
      'Prompt, up to the line of the token:',
      '',
      sanitise(prompt).trimEnd(),
    ]),
  ];
}
