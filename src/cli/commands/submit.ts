import { answerFrom, answerIn } from '../../app/session/read-answer.ts';
import { submit as handIn } from '../../app/session/submit.ts';
import { UserError } from '../../core/user-error.ts';
import { onSignals } from '../implement/signals.ts';
import { type Command, isSet, optionText } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { trustOption } from '../shared/options.ts';
import { printJson } from '../shared/print.ts';

/** Takes the final answer of a session's helper, and checks and records its work (R-SES-2). */
export const submit: Command = {
  operands: [],
  options: [
    { flag: '--token', placeholder: 'T', summary: 'Token of the delegation that was answered.' },
    { flag: '--file', placeholder: 'F', summary: 'File with the final answer of the helper. Default: stdin.' },
    { ...trustOption, summary: 'Trust the commands of the plan in this workspace, now and later.' },
  ],
  details:
    'Prints one JSON object: the verdict on the task, the layer that rejected it, the reason, and what "specloop next" would say now. No further attempt begins. An answer whose check was cut off may be handed in again.',
  examples: [
    ['submit --token TOKEN --file answer.md', 'Hands in the answer in answer.md.'],
    ['submit --token TOKEN < answer.md', 'Hands in the answer from stdin.'],
  ],
  run: async (call) => {
    const token = optionText(call, '--token');
    if (token === undefined)
      throw new UserError('The token is missing.', 'Give the one of the delegation: specloop submit --token TOKEN.');
    const file = optionText(call, '--file');
    const answer = file === undefined ? await answerFrom(process.stdin) : await answerIn(file, call.cwd);
    const order = { token, answer, trust: isSet(call, trustOption.flag), onStop: onSignals };
    printJson(call.stdout, await handIn(hostOf(call), order));
    return 0;
  },
};
