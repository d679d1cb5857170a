import { runImplement } from '../implement/run-implement.ts';
import { onSignals } from '../implement/signals.ts';
import { type Command, isSet, specOperand } from '../shared/command.ts';
import {
  answersOption,
  eventOptions,
  pullRequestOf,
  pullRequestOption,
  runCall,
  takeOverOption,
  trustOption,
  worktreeOption,
} from '../shared/options.ts';
import { settingOptions } from '../shared/setting-options.ts';

/** Runs the tasks of a spec; every option that is a setting comes from the schema of the settings (R-API-1). */
export const implement: Command = {
  operands: [specOperand],
  options: [
    { flag: '--dry-run', summary: 'Show the order of the tasks without running them.' },
    ...eventOptions,
    pullRequestOption,
    trustOption,
    worktreeOption,
    takeOverOption,
    { flag: '--reset-state', summary: 'Rebuild the state file from the plan and keep the old one as a backup.' },
    answersOption,
    ...settingOptions,
  ],
  examples: [
    ['implement --agent claude', 'Runs the active spec with Claude Code.'],
    ['implement demo --worktree', 'Runs the spec "demo" in a separate worktree, in parallel with other runs.'],
    ["implement demo --agent-command 'my-agent --fast'", 'Runs the spec "demo" with a program of your own.'],
  ],
  run: async (call) => {
    const order = {
      ...(await runCall(call)),
      spec: call.operands[0],
      pullRequest: pullRequestOf(call),
      resetState: isSet(call, '--reset-state'),
    };
    return await runImplement(call, order, onSignals);
  },
};
