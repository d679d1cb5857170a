import { findSpec } from '../../app/find-spec.ts';
import { answerQuestion } from '../../app/run/answers.ts';
import { oneLine } from '../../core/text/sanitise.ts';
import { UserError } from '../../core/user-error.ts';
import type { Command } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { laterSpecOperand } from '../shared/options.ts';

/** Answers the question of a task, or one of the author of a document, so that its run can go on (R-AGT-6, R-ASK-2). */
export const answer: Command = {
  operands: [
    { name: 'TASK', summary: 'Id of the task, or of the question.', isRequired: true },
    laterSpecOperand,
    { name: 'TEXT', summary: 'The answer, or the number of an option, as one argument; always the last one.' },
  ],
  options: [],
  examples: [
    ['answer 1.2 "Use SQLite."', 'Answers the question of task 1.2 of the active spec.'],
    ['answer 1.2 demo "Use SQLite."', 'Answers the question of task 1.2 of the spec "demo".'],
    ['answer database demo 2', 'Takes the second option of the question "database" of the spec "demo".'],
  ],
  run: async (call) => {
    const [task = '', ...rest] = call.operands;
    const text = rest.at(-1);
    if (text === undefined)
      throw new UserError('The answer is missing.', `Give it last: specloop answer ${task} "TEXT".`);
    const host = hostOf(call);
    const place = await findSpec(host, rest.length > 1 ? rest[0] : undefined);
    const { command, open } = await answerQuestion(place, host, { task, answer: text });
    const next =
      open.length === 0 ? `The next start goes on with it: ${command}` : `Still open: ${oneLine(open.join(', '), 300)}`;
    call.stderr.write(`Answered. ${next}\n`);
    return 0;
  },
};
