import { printPullRequest } from '../implement/pull-request-status.ts';
import { runImplement } from '../implement/run-implement.ts';
import { onSignals } from '../implement/signals.ts';
import { type Command, isSet, jsonOption, specOperand } from '../shared/command.ts';
import { runCall, trustOption } from '../shared/options.ts';
import { settingOptions } from '../shared/setting-options.ts';

/** Pushes the branch of a finished spec and brings its pull request to its end (R-PR-8). */
export const pr: Command = {
  operands: [specOperand],
  options: [
    { flag: '--status', summary: 'Show the pull request, its checks and its open comments, and change nothing.' },
    { ...jsonOption, summary: 'Print the events of the run, or the status, as JSON on stdout.' },
    trustOption,
    ...settingOptions,
  ],
  examples: [
    ['pr --agent claude', 'Opens the pull request of the active spec, and has Claude Code fix what fails.'],
    ['pr demo --status', 'Shows the pull request of the spec "demo".'],
  ],
  details:
    'Pushes the branch, opens the pull request or takes the one there is, waits for the checks, turns failed checks and review comments into tasks, and ends when all is green and answered. It needs gh, signed in.',
  run: async (call) => {
    if (isSet(call, '--status')) return await printPullRequest(call);
    const order = { ...(await runCall(call)), spec: call.operands[0], pullRequest: true, onlyPullRequest: true };
    return await runImplement(call, order, onSignals);
  },
};
