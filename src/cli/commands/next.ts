import { printNext } from '../session/print-next.ts';
import { sessionOf } from '../session/session-of.ts';
import { answersOf } from '../shared/answers-of.ts';
import { type Command, isSet, jsonOption, specOperand } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { flagsOf, settingOptions } from '../shared/setting-options.ts';
import { pullRequestOf, pullRequestOption } from './implement.ts';

/** An agent's session is its own agent, and shows what it does by itself. */
const NOT_OF_SESSIONS = ['Agents'];

/** Tells an agent's session what to do next, and begins it (R-SES-1). */
export const next: Command = {
  operands: [specOperand],
  options: [
    jsonOption,
    { flag: '--session', placeholder: 'ID', summary: 'Id of the session; only the same one continues its work.' },
    {
      flag: '--take-over',
      summary: 'Take the run over from another driver; its work is kept, and its attempts do not count.',
    },
    pullRequestOption,
    { flag: '--trust', summary: 'Trust the commands of the plan in this workspace, now and later.' },
    {
      flag: '--answers',
      placeholder: 'FILE',
      summary: 'Answers to questions that helpers may ask: a JSON list of {question?, task?, match?, answer}.',
    },
    ...settingOptions.filter(({ group }) => group === undefined || !NOT_OF_SESSIONS.includes(group)),
  ],
  details:
    'For an agent that works on the spec in its own session: give each delegation to a fresh helper, hand its final answer in with "specloop submit", then ask again. Asked again before that, it gives the same delegations. The exit code is 0 whatever the answer, and 2 if the call was refused.',
  examples: [
    ['next demo --session 4f3a --json', 'Prints what the session 4f3a is to do for the spec "demo", as JSON.'],
    ['next --take-over', 'Takes the active spec over from another session.'],
  ],
  run: async (call) => {
    const { nextOf } = await import('../../app/session/next.ts');
    const { onSignals } = await import('../implement/signals.ts');
    const answer = await nextOf(hostOf(call), {
      spec: call.operands[0],
      session: sessionOf(call),
      settings: flagsOf(call),
      takeOver: isSet(call, '--take-over'),
      pullRequest: pullRequestOf(call),
      trust: isSet(call, '--trust'),
      ...(await answersOf(call)),
      onStop: onSignals,
    });
    return printNext(call, answer);
  },
};
