import { resolve } from 'node:path';
import type { StartOrder } from '../../app/start/order.ts';
import { oneLine } from '../../core/text/sanitise.ts';
import { UserError } from '../../core/user-error.ts';
import { type Call, isSet, jsonOption, type Operand, type Option, optionText } from './command.ts';
import { flagsOf } from './setting-options.ts';

/** The operand of a command that needs another one first. */
export const laterSpecOperand: Operand = { name: 'SPEC', summary: 'Name of the spec. Default: the active one.' };

/** The events of a run, and what its agents do. */
export const eventOptions: readonly Option[] = [
  { ...jsonOption, summary: 'Print the events of the run on stdout, one JSON object per line.' },
  { flag: '--agent-events', summary: 'With --json, also print what agents do: texts, tools, tokens, limits.' },
];

export const trustOption: Option = {
  flag: '--trust',
  summary: 'Trust the commands of the plan and the agents in this workspace, now and later.',
};

/** Has a run work apart from the user's tree (R-START-2). */
export const worktreeOption: Option = {
  flag: '--worktree',
  summary: 'Run in a separate worktree next to the repository, on its own branch. Created if missing.',
};

export const takeOverOption: Option = {
  flag: '--take-over',
  summary: 'Take the run over from another driver; its work is kept, and its attempts do not count.',
};

/** Answers to the questions of agents (R-AGT-6, R-ASK-3). */
export const answersOption: Option = {
  flag: '--answers',
  placeholder: 'FILE',
  summary: 'Answers to questions that agents may ask: a JSON list of {question?, task?, match?, answer}.',
};

/** Takes recommendations in place of answers (R-ASK-2). */
export const assumeOption: Option = {
  flag: '--assume',
  summary: 'Take what is recommended in place of answers, and list it as assumed.',
};

/** Asks for a pull request, or for none. */
export const pullRequestOption: Option = {
  flag: '--pr',
  negatable: true,
  summary:
    'Bring the branch to a green, reviewed pull request after the last task. Default: if the plan has a PR Lifecycle phase.',
};

/** What a call says of a run, of documents and of tasks alike. */
export interface RunCall
  extends Pick<StartOrder, 'settings' | 'trust' | 'worktree' | 'takeOver' | 'dryRun' | 'answers' | 'assumes'> {
  /** Print the events on stdout. */
  readonly json: boolean;
  /** Print what agents do as well. */
  readonly agentEvents: boolean;
}

/** What a call says of a run. Throws `UserError` for a file of answers that cannot be read. */
export async function runCall(call: Call): Promise<RunCall> {
  return {
    settings: flagsOf(call),
    trust: isSet(call, trustOption.flag),
    worktree: isSet(call, worktreeOption.flag),
    takeOver: isSet(call, takeOverOption.flag),
    dryRun: isSet(call, '--dry-run'),
    json: isSet(call, jsonOption.flag),
    agentEvents: isSet(call, '--agent-events'),
    assumes: isSet(call, assumeOption.flag),
    ...(await answersOf(call)),
  };
}

async function answersOf(call: Call): Promise<Pick<StartOrder, 'answers'>> {
  const file = optionText(call, answersOption.flag);
  if (file === undefined) return {};
  const { readAnswers } = await import('../../app/run/answers.ts');
  return { answers: await readAnswers(resolve(call.cwd, file)) };
}

/** `--pr`, `--no-pr`, or neither. */
export function pullRequestOf({ options }: Call): boolean | undefined {
  const given = options.get(pullRequestOption.flag);
  return typeof given === 'boolean' ? given : undefined;
}

const SESSION_CHARS_MAX = 200;

/** The id of the session that a call is for; `undefined` if it names none. Throws `UserError`. */
export function sessionOf(call: Call): string | undefined {
  const id = optionText(call, '--session');
  if (id !== undefined && isSet(call, worktreeOption.flag))
    throw new UserError(
      '--session and --worktree cannot be combined: a session works in the folder that it was started in.',
      'Create a worktree with "git worktree add" and start the session there, or leave one of the options out.',
    );
  if (id === undefined || (id.trim() === id && id !== '' && oneLine(id, SESSION_CHARS_MAX) === id)) return id;
  throw new UserError(
    `--session takes the id of a session: one line of at most ${SESSION_CHARS_MAX} characters.`,
    'Give the id as the session knows it, or leave it out.',
  );
}

/** The value of an option that takes one of these words; `undefined` if it was not given. Throws `UserError` for any other. */
export function choiceOf<T extends string>(call: Call, flag: string, all: readonly T[]): T | undefined {
  const given = optionText(call, flag);
  return given === undefined ? undefined : oneOf(flag, all, given);
}

/** The word that was given, if it is one of these. Throws `UserError` for any other. */
export function oneOf<T extends string>(flag: string, all: readonly T[], given: string): T {
  const found = all.find((one) => one === given);
  if (found !== undefined) return found;
  throw new UserError(`${flag} takes ${all.join(', ')}, not "${given}".`, 'Name one of them, or leave it out.');
}
