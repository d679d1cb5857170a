import { answersOf } from '../shared/answers-of.ts';
import { type Call, type Command, isSet, jsonOption, type Option, specOperand } from '../shared/command.ts';
import { flagsOf, settingOptions } from '../shared/setting-options.ts';

/** The option that asks for a pull request. */
export const pullRequestOption: Option = {
  flag: '--pr',
  negatable: true,
  summary:
    'Bring the branch to a green, reviewed pull request after the last task. Default: if the plan has a PR Lifecycle phase.',
};

/** Runs the tasks of a spec; every option that is a setting comes from the schema of the settings (R-API-1). */
export const implement: Command = {
  operands: [specOperand],
  options: [
    { flag: '--dry-run', summary: 'Show the order of the tasks without running them.' },
    { ...jsonOption, summary: 'Print the events of the run on stdout, one JSON object per line.' },
    { flag: '--agent-events', summary: 'With --json, also print what agents do: texts, tools, tokens, limits.' },
    pullRequestOption,
    { flag: '--trust', summary: 'Trust the commands of the plan and the agents in this workspace, now and later.' },
    {
      flag: '--worktree',
      summary: 'Run in a separate worktree next to the repository, on its own branch. Created if missing.',
    },
    {
      flag: '--take-over',
      summary: 'Take the run over from another driver; its work is kept, and its attempts do not count.',
    },
    { flag: '--reset-state', summary: 'Rebuild the state file from the plan and keep the old one as a backup.' },
    {
      flag: '--answers',
      placeholder: 'FILE',
      summary: 'Answers to questions that agents may ask: a JSON list of {question?, task?, match?, answer}.',
    },
    ...settingOptions,
  ],
  examples: [
    ['implement --agent claude', 'Runs the active spec with Claude Code.'],
    ['implement demo --worktree', 'Runs the spec "demo" in a separate worktree, in parallel with other runs.'],
    ["implement demo --agent-command 'my-agent --fast'", 'Runs the spec "demo" with a program of your own.'],
  ],
  run: async (call) => {
    const { runImplement } = await import('../implement/run-implement.ts');
    const { onSignals } = await import('../implement/signals.ts');
    const order = {
      spec: call.operands[0],
      settings: flagsOf(call),
      dryRun: isSet(call, '--dry-run'),
      json: isSet(call, '--json'),
      agentEvents: isSet(call, '--agent-events'),
      pullRequest: pullRequestOf(call),
      resetState: isSet(call, '--reset-state'),
      trust: isSet(call, '--trust'),
      takeOver: isSet(call, '--take-over'),
      worktree: isSet(call, '--worktree'),
      ...(await answersOf(call)),
    };
    return await runImplement(call, order, onSignals);
  },
};

/** `--pr`, `--no-pr`, or neither. */
export function pullRequestOf({ options }: Call): boolean | undefined {
  const given = options.get('--pr');
  return typeof given === 'boolean' ? given : undefined;
}
