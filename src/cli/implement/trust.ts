import { createInterface } from 'node:readline/promises';
import type { RepositoryPlace } from '../../adapters/git/repository.ts';
import { trustFile, trustStore } from '../../adapters/store/trust-store.ts';
import type { Plan } from '../../core/spec/task.ts';
import { hasControlCharacter, oneLine, visible, withoutGaps } from '../../core/text/sanitise.ts';
import { InterruptedError, UserError } from '../../core/user-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Surroundings } from '../command.ts';
import { requireHome } from '../home-folder.ts';

const VALUE_CHARS_MAX = 60;

/** A command that a run would execute, and where it comes from. */
export interface Executable {
  readonly command: string;
  readonly from: string;
  /** Of a program with arguments, whose `command` is their JSON. */
  readonly argv?: readonly string[];
}

/** What a plan would execute: its Verify commands, with file and line (R-SEC-1). */
export function planCommands(plan: Plan, path: string): readonly Executable[] {
  return plan.tasks.flatMap(({ verifyCommand, box }) =>
    verifyCommand === null ? [] : [{ command: verifyCommand, from: `${path}/tasks.md:${box.line}` }],
  );
}

export interface TrustQuestion {
  readonly repository: RepositoryPlace;
  /** The tree that this one was made from: what is trusted there is trusted here. */
  readonly madeFrom?: RepositoryPlace;
  readonly executables: readonly Executable[];
  /** `--trust`: take them as trusted, now and later. */
  readonly trust: boolean;
  readonly clock: Clock;
}

/**
 * A command with control characters is not run, trusted or not: a terminal may hide what they make a part of (R-SEC-1).
 * Throws `UserError`.
 */
export function requireReadable(executables: readonly Executable[]): void {
  const hidden = executables.filter(({ command, argv }) => (argv ?? [command]).some(hasControlCharacter));
  if (hidden.length === 0) return;
  throw new UserError(
    `These commands hold control characters, which a terminal may hide text with:\n${listOf(hidden)}`,
    'Remove the characters; a command needs none but tabs and line breaks.',
  );
}

function listOf(executables: readonly Executable[]): string {
  return executables
    .map(({ command, from }) => `  ${visible(from)}: ${withoutGaps(visible(command)).replaceAll('\n', '\n    ')}`)
    .join('\n');
}

/** Nothing of a plan and no agent runs in a workspace that the user has not trusted with it (R-SEC-1). Throws `UserError`. */
export async function requireTrust(
  { repository, madeFrom, executables, trust, clock }: TrustQuestion,
  { env, stderr }: Surroundings,
): Promise<void> {
  requireReadable(executables);
  if (isTrusted(env.SPECLOOP_TRUST)) return;
  const store = trustStore({ file: trustFile(env, requireHome(env, 'XDG_STATE_HOME')), clock });
  const commands = executables.map(({ command }) => command);
  const missing = await store.missingTrust(repository, commands);
  if (missing.length === 0) return;
  const unknown = new Set(madeFrom === undefined ? missing : await store.missingTrust(madeFrom, missing));
  const asked = executables.filter(({ command }) => unknown.has(command));
  if (asked.length > 0 && !trust) await ask(asked, stderr);
  await store.addTrust(repository, commands);
}

async function ask(asked: readonly Executable[], stderr: Surroundings['stderr']): Promise<void> {
  const question = `This run would execute commands that are not trusted in this workspace yet:\n${listOf(asked)}`;
  if (!process.stdin.isTTY || stderr.isTTY !== true) {
    throw new UserError(question, 'Read them; then pass --trust (remembered), or set SPECLOOP_TRUST=1 (for this run).');
  }
  const answer = await answerTo(`${question}\nTrust them? [y/N] `);
  const hint = 'Change the plan, or run again and answer y.';
  if (answer === 'interrupted') throw new InterruptedError('Nothing was trusted, so nothing was run.', hint);
  if (!/^y(es)?$/i.test(answer.trim())) throw new UserError('The commands were not trusted, so nothing was run.', hint);
}

/** What the variable says. Throws `UserError` for a value that could be meant either way (R-UX-1). */
function isTrusted(variable = ''): boolean {
  if (variable === '1') return true;
  if (variable === '' || variable === '0') return false;
  throw new UserError(
    `SPECLOOP_TRUST takes 1, or 0, not "${oneLine(variable, VALUE_CHARS_MAX)}".`,
    'Set it to 1 to trust the commands of this run, or remove it.',
  );
}

/** What a person types; empty at the end of the input (Ctrl-D). */
async function answerTo(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.on('SIGINT', () => resolve('interrupted')).on('close', () => resolve(''));
      lines.question(question).then(resolve, reject);
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
