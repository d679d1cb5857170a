import { statSync } from 'node:fs';
import { UserError } from '../../core/user-error.ts';
import type { AttemptEvidence } from '../../core/view/record/evidence.ts';
import type { SpecPlace } from '../place.ts';
import { archiveOf, begunEvidence, evidenceOf, holderOf } from './runs.ts';

/** The log of an attempt at a task. */
export interface AttemptLog {
  /** Absolute. */
  readonly path: string;
  readonly task: string;
  readonly attempt: number;
}

/** Which log is wanted. */
export interface LogQuestion {
  readonly task: string;
  /** Number of the attempt, as it was typed; absent for the newest. */
  readonly attempt?: string | undefined;
  /** Whose output. */
  readonly of: 'agent' | 'verify';
}

/** Finds the log of an attempt in the newest run that began the task. Throws `UserError` if there is none. */
export async function findLog(place: SpecPlace, { task, attempt: wanted, of }: LogQuestion): Promise<AttemptLog> {
  const { run, key, attempts } = await evidenceOf(place, task);
  const { attempt } = chosen(attempts, { task, wanted });
  const ending = of === 'verify' ? 'verify.log' : 'log';
  const path = archiveOf(place).folder(run).logPath(`${key}/attempt-${attempt}.${ending}`);
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return { path, task, attempt };
  throw new UserError(
    `Attempt ${attempt} at task ${task} has no ${of} log.`,
    'Leave out --verify, or choose another attempt.',
  );
}

function chosen(
  attempts: readonly AttemptEvidence[],
  { task, wanted }: { readonly task: string; readonly wanted: string | undefined },
): AttemptEvidence {
  const attempt =
    wanted === undefined ? attempts.at(-1) : attempts.findLast(({ attempt: number }) => String(number) === wanted);
  if (attempt !== undefined) return attempt;
  const numbers = [...new Set(attempts.map(({ attempt: number }) => number))];
  throw new UserError(`Task ${task} has no attempt "${wanted}" in its latest run.`, `Attempts: ${numbers.join(', ')}.`);
}

/** Whether nothing more is written to a log: its attempt is over, or no one works on the spec. */
export async function isOver({ task, attempt }: AttemptLog, place: SpecPlace): Promise<boolean> {
  if (!(await holderOf(place)).held) return true;
  const last = (await begunEvidence(place, task))?.attempts.at(-1);
  return last === undefined || last.attempt !== attempt || last.outcome.is !== 'under-way';
}
