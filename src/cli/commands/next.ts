import { nextOf } from '../../app/session/next.ts';
import { onSignals } from '../implement/signals.ts';
import { printNext } from '../session/print-next.ts';
import { type Command, jsonOption, specOperand } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import {
  answersOption,
  assumeOption,
  pullRequestOf,
  pullRequestOption,
  runCall,
  sessionOf,
  takeOverOption,
  trustOption,
} from '../shared/options.ts';
import { settingOptions } from '../shared/setting-options.ts';

/** An agent's session is its own agent, and shows what it does by itself. */
const NOT_OF_SESSIONS = ['Agents'];

/** Tells an agent's session what to do next, and begins it (R-SES-1). */
export const next: Command = {
  operands: [specOperand],
  options: [
    jsonOption,
    { flag: '--session', placeholder: 'ID', summary: 'Id of the session; only the same one continues its work.' },
    takeOverOption,
    pullRequestOption,
    { ...trustOption, summary: 'Trust the commands of the plan in this workspace, now and later.' },
    answersOption,
    assumeOption,
    ...settingOptions.filter(({ group }) => group === undefined || !NOT_OF_SESSIONS.includes(group)),
  ],
  details:
    'For an agent that works on the spec in its own session: give each delegation to a fresh helper, hand its final answer in with "specloop submit", then ask again. Asked again before that, it gives the same delegations. The exit code is 0 whatever the answer, and 2 if the call was refused.',
  examples: [
    ['next demo --session 4f3a --json', 'Prints what the session 4f3a is to do for the spec "demo", as JSON.'],
    ['next --take-over', 'Takes the active spec over from another session.'],
  ],
  run: async (call) => {
    const answer = await nextOf(hostOf(call), {
      ...(await runCall(call)),
      spec: call.operands[0],
      session: sessionOf(call),
      pullRequest: pullRequestOf(call),
      onStop: onSignals,
    });
    return printNext(call, answer);
  },
};
