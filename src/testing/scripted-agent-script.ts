import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Role } from '../core/agent/role.ts';
import { SIGNALS } from '../core/answer/signals.ts';

/** Texts by path; paths are relative to the workspace, folders are made. */
export type Texts = Readonly<Record<string, string>>;

/** What changes files of the workspace. */
export type FileStep =
  | { readonly write: Texts }
  | { readonly append: Texts }
  /** A file or a folder. */
  | { readonly remove: string };

/** What a scripted agent can do wherever it runs. */
export type CommonStep =
  | FileStep
  /** Part of the final answer; line breaks are the script's own. */
  | { readonly print: string }
  | { readonly stderr: string }
  | { readonly sleepMs: number }
  /** Leaves at once with this exit code. */
  | { readonly exit: number };

/** What only a process of its own can do. */
export type ProcessStep =
  /** Runs a program in the workspace and goes on when it has ended; what it prints goes to stderr. */
  | { readonly run: readonly [string, ...string[]] }
  /** Leaves a process running that lives this long and holds stdout open; `ownSession` takes it out of the process group. */
  | { readonly child: { readonly lifeMs: number; readonly ownSession?: boolean } }
  | { readonly ignoreSignals: readonly ('SIGHUP' | 'SIGINT' | 'SIGQUIT' | 'SIGTERM')[] }
  /** Prints this many mebibytes of filler, in lines of a kibibyte. */
  | { readonly floodMiB: number };

/** One thing a scripted agent process does. */
export type ScriptStep = CommonStep | ProcessStep;

/**
 * What a scripted agent does, by task: for each attempt a list of steps; when the attempts run out, the last repeats.
 *
 * A key is a role and a task id (`verifier:1.2`), a task id (`1.2`), a role and any task (`executor:*`), or `*`. Of the
 * keys that fit, the first in that order counts. Keys without a role are not for the reviewer. Where no key fits, the
 * agent changes nothing and gives the positive signal of its role (R-DEL-4).
 */
export type AgentScript<S = ScriptStep> = Readonly<Record<string, readonly (readonly S[])[]>>;

/** Who is at work on what. */
export interface Part {
  /** The value of `SPECLOOP_ROLE`. */
  readonly role: string;
  readonly taskId: string;
}

/** The steps for the nth start (from 1) of this part. */
export function stepsFor<S>(script: AgentScript<S>, part: Part, nth: number): readonly (S | CommonStep)[] {
  const { role, taskId } = part;
  const keys =
    role === 'reviewer' ? [`${role}:${taskId}`, `${role}:*`] : [`${role}:${taskId}`, taskId, `${role}:*`, '*'];
  const attempts = keys.map((key) => script[key]).find((found) => found !== undefined) ?? [];
  return attempts[Math.min(nth, attempts.length) - 1] ?? [{ print: `${signalOf(role)}\n` }];
}

function signalOf(role: string): string {
  return (SIGNALS[role as Role] ?? SIGNALS.executor).positive[0] ?? '';
}

/** Does what the step says to the files of the workspace. */
export function changeFiles(step: FileStep, workspace: string): void {
  if ('write' in step) putAll(step.write, workspace, writeFileSync);
  else if ('append' in step) putAll(step.append, workspace, appendFileSync);
  else rmSync(join(workspace, step.remove), { recursive: true, force: true });
}

function putAll(texts: Texts, workspace: string, put: (path: string, text: string) => void): void {
  for (const [name, text] of Object.entries(texts)) {
    const path = join(workspace, name);
    mkdirSync(dirname(path), { recursive: true });
    put(path, text);
  }
}

const STEP_KINDS = [
  'write',
  'append',
  'remove',
  'print',
  'stderr',
  'sleepMs',
  'exit',
  'run',
  'child',
  'ignoreSignals',
  'floodMiB',
];

/** Reads a script from its JSON. Throws with the place of the first thing that is not a script: a misspelt step would prove nothing. */
export function parseScript(json: string): AgentScript {
  const script: unknown = JSON.parse(json);
  for (const [key, attempts] of entriesOf(script, 'The script')) {
    for (const [attempt, steps] of entriesOf(attempts, `The script of "${key}"`)) {
      for (const [index, step] of entriesOf(steps, `Attempt ${attempt} of "${key}"`)) {
        const kinds = entriesOf(step, `Step ${index} of "${key}"`).map(([kind]) => kind);
        if (kinds.length !== 1 || !STEP_KINDS.includes(kinds[0] ?? '')) {
          throw new Error(
            `Step ${index} of "${key}" must be one of ${STEP_KINDS.join(', ')}, but is "${kinds.join(', ')}".`,
          );
        }
      }
    }
  }
  return script as AgentScript;
}

function entriesOf(value: unknown, what: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null) throw new Error(`${what} must be an object or a list.`);
  return Object.entries(value);
}
