import { openProject } from '../../app/project.ts';
import { UserError } from '../../core/user-error.ts';
import type { Command } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';

/** Answers the question of a task, so that its run can go on (R-AGT-6). */
export const answer: Command = {
  operands: [
    { name: 'TASK', summary: 'Id of the task.', isRequired: true },
    { name: 'SPEC', summary: 'Name of the spec. Default: the active one.' },
    { name: 'TEXT', summary: 'The answer, as one argument; always the last one.' },
  ],
  options: [],
  examples: [
    ['answer 1.2 "Use SQLite."', 'Answers the question of task 1.2 of the active spec.'],
    ['answer 1.2 demo "Use SQLite."', 'Answers the question of task 1.2 of the spec "demo".'],
  ],
  run: async (call) => {
    const [task = '', ...rest] = call.operands;
    const text = rest.at(-1);
    if (text === undefined)
      throw new UserError('The answer is missing.', `Give it last: specloop answer ${task} "TEXT".`);
    const project = await openProject(call.cwd, hostOf(call));
    const spec = await project.spec(rest.length > 1 ? rest[0] : undefined);
    const command = await spec.answer(task, text);
    call.stderr.write(`Answered. The next start goes on with it: ${command}\n`);
    return 0;
  },
};
