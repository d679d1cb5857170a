import { systemClock } from '../../adapters/clock/system.ts';
import type { RepositoryPlace } from '../../adapters/git/repository.ts';
import { type TrustedSettings, trustFile, trustStore } from '../../adapters/store/trust-store.ts';
import type { LoadedSettings } from '../../config/load.ts';
import type { Plan } from '../../core/plan/data/task.ts';
import { hasControlCharacter, oneLine, visible, withoutGaps } from '../../core/text/sanitise.ts';
import { InterruptedError, UserError } from '../../core/user-error.ts';
import { requireHome } from '../home-folder.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';

const VALUE_CHARS_MAX = 60;

/** No person can be asked whether commands are trusted. */
export class UntrustedError extends UserError {}

/** A command that a run would execute, and where it comes from. */
export interface Executable {
  readonly command: string;
  readonly from: string;
  /** Of a program with arguments, whose `command` is their JSON. */
  readonly argv?: readonly string[];
}

/** What a plan would execute: its Verify commands, with file and line; `path` is the plan's (R-SEC-1). */
export function planCommands(plan: Plan, path: string): readonly Executable[] {
  return plan.tasks.flatMap(({ verifyCommand, box }) =>
    verifyCommand === null ? [] : [{ command: verifyCommand, from: `${path}:${box.line}` }],
  );
}

export interface TrustQuestion {
  readonly place: Pick<SpecPlace, 'repository' | 'loaded'>;
  /** The tree that this one was made from: what is trusted there is trusted here. */
  readonly madeFrom?: RepositoryPlace | undefined;
  readonly executables: readonly Executable[];
  /** `--trust`: take all that as trusted, now and later. */
  readonly trust: boolean;
}

/**
 * A command with control characters is not run, trusted or not: a terminal may hide what they make a part of (R-SEC-1).
 * Throws `UserError`.
 */
export function requireReadable(executables: readonly Executable[]): void {
  const hidden = executables.filter(({ command, argv }) => (argv ?? [command]).some(hasControlCharacter));
  if (hidden.length === 0) return;
  throw new UserError(
    `These commands contain control characters, which can hide text in a terminal:\n${listOf(hidden)}`,
    'Remove the control characters; only tabs and line breaks are allowed.',
  );
}

function listOf(executables: readonly Executable[]): string {
  return executables
    .map(({ command, from }) => `  ${visible(from)}: ${withoutGaps(visible(command)).replaceAll('\n', '\n    ')}`)
    .join('\n');
}

/**
 * Nothing of a plan and no agent runs in a workspace that the user has not trusted with it, nor with settings of the
 * repository that changed since (R-SEC-1). Throws `UserError`.
 */
export async function requireTrust(
  { place: { repository, loaded }, madeFrom, executables, trust }: TrustQuestion,
  { env, confirm }: Pick<Host, 'env' | 'confirm'>,
): Promise<void> {
  requireReadable(executables);
  const isGiven = isTrusted(env.SPECLOOP_TRUST);
  if (isGiven || trust) requirePerson(env);
  if (isGiven) return;
  const store = trustOf(env);
  const commands = executables.map(({ command }) => command);
  const settings = settingsToTrust(loaded);
  const missing = await store.missingTrust(repository, commands);
  const changed = await store.changedSettings(repository, settings);
  if (missing.length === 0 && changed.length === 0) return;
  const unknown = new Set(madeFrom === undefined ? missing : await store.missingTrust(madeFrom, missing));
  const there = madeFrom === undefined ? changed : await store.changedSettings(madeFrom, settings);
  const differing = there === 'unknown' ? changed : there;
  const asked = executables.filter(({ command }) => unknown.has(command));
  const words = [questionOf(asked), settingsQuestion(differing === 'unknown' ? [] : differing, loaded)].flatMap(
    (question) => question ?? [],
  );
  if (words.length > 0 && !trust) await ask(words.join('\n'), confirm);
  await store.addTrust(repository, { commands, settings });
}

/** Which of these commands a person has not trusted in this workspace. Asks no one. */
export async function untrustedOf(
  {
    place: { repository },
    madeFrom,
    commands,
  }: Pick<TrustQuestion, 'place' | 'madeFrom'> & { readonly commands: readonly string[] },
  { env }: Pick<Host, 'env'>,
): Promise<ReadonlySet<string>> {
  if (isTrusted(env.SPECLOOP_TRUST)) return new Set();
  const store = trustOf(env);
  const missing = await store.missingTrust(repository, commands);
  return new Set(madeFrom === undefined ? missing : await store.missingTrust(madeFrom, missing));
}

/** What is trusted on this machine. Throws `UserError` where there is no folder to keep it in. */
export function trustOf(env: Host['env']): ReturnType<typeof trustStore> {
  return trustStore({ file: trustFile(env, requireHome(env, 'XDG_STATE_HOME')), clock: systemClock });
}

/** The settings of a repository's file as the store of trust takes them. */
export function settingsToTrust({ project }: Pick<LoadedSettings, 'project'>): TrustedSettings {
  return new Map([...(project ?? [])].map(([key, { value }]) => [key, value]));
}

/** Changed settings as they are now, one text each: `specloop.config.yaml:3:1: scope: "off"`. */
export function changedSettings(
  keys: readonly string[],
  { project }: Pick<LoadedSettings, 'project'>,
): readonly string[] {
  return keys.map((key) => {
    const now = project?.get(key);
    return now === undefined
      ? `${visible(key)} is no longer set`
      : `${visible(now.from)}: ${visible(key)}: ${withoutGaps(visible(now.value))}`;
  });
}

/** An agent, or a command of a plan, gives no trust (R-SEC-1, R-VER-14). Throws `UserError` below a run. */
export function requirePerson(env: Host['env']): void {
  const run = env.SPECLOOP_RUN_MARK ?? '';
  if (run === '') return;
  throw new UserError(
    `An agent or a command of run ${oneLine(run, VALUE_CHARS_MAX)} started this, and only a person can trust commands.`,
    'Ask a person to review the commands and run "specloop trust" in their own terminal.',
  );
}

function questionOf(asked: readonly Executable[]): string | undefined {
  if (asked.length === 0) return undefined;
  return `This run would execute commands that you have not trusted in this workspace:\n${listOf(asked)}`;
}

function settingsQuestion(keys: readonly string[], loaded: Pick<LoadedSettings, 'project'>): string | undefined {
  if (keys.length === 0) return undefined;
  const lines = changedSettings(keys, loaded).map((line) => `  ${line}`);
  return `The settings of this repository have changed since you trusted them:\n${lines.join('\n')}`;
}

async function ask(question: string, confirm: Host['confirm']): Promise<void> {
  if (confirm === undefined) {
    throw new UntrustedError(
      question,
      'Review this, then pass --trust (from now on) or set SPECLOOP_TRUST=1 (for this run only).',
    );
  }
  const answer = await confirm(`${question}\nTrust this?`);
  const hint = 'Change the plan or the settings, or run the command again and answer y.';
  if (answer === 'interrupted')
    throw new InterruptedError('Interrupted before you trusted this, so nothing was run.', hint);
  if (answer === 'no') throw new UserError('You did not trust this, so nothing was run.', hint);
}

/** What the variable says. Throws `UserError` for a value that could be meant either way (R-UX-1). */
function isTrusted(variable = ''): boolean {
  if (variable === '1') return true;
  if (variable === '' || variable === '0') return false;
  throw new UserError(
    `SPECLOOP_TRUST must be 1 or 0, not "${oneLine(variable, VALUE_CHARS_MAX)}".`,
    'Set it to 1 to trust the commands of this run, or unset it.',
  );
}
