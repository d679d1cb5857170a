import { join } from 'node:path';
import { systemClock } from '../../adapters/clock/system.ts';
import { prepareLocks } from '../../adapters/store/kernel-lock.ts';
import { acquireLock } from '../../adapters/store/lock.ts';
import { ownOwner } from '../../adapters/store/owner-record.ts';
import { UserError } from '../../core/user-error.ts';
import type { LockResult } from '../../ports/store.ts';
import type { SpecPlace } from '../place.ts';
import { ownerText, privateFolderOf } from '../run/runs.ts';

const LOOK_EVERY_MS = 50;
/** A call may have to wait for the Verify command of another one. */
const WAIT_MS_MAX = 30 * 60_000;

/**
 * Lets calls of sessions on a spec wait for one another (R-SES-1); a run that is at work refuses them by its own lock. Throws
 * `UserError` if a call does not end for half an hour.
 */
export async function oneAtATime<T>(place: SpecPlace, act: () => Promise<T>): Promise<T> {
  prepareLocks();
  const dir = join(privateFolderOf(place), 'calls');
  const until = Date.now() + WAIT_MS_MAX;
  let result = await acquireLock(dir, ownOwner(systemClock));
  while (!result.ok) {
    if (Date.now() > until) throw endless(place, result);
    await systemClock.sleepUntil(new Date(Date.now() + LOOK_EVERY_MS).toISOString(), new AbortController().signal);
    result = await acquireLock(dir, ownOwner(systemClock));
  }
  const { lock } = result;
  try {
    return await act();
  } finally {
    lock.release();
  }
}

function endless({ spec }: SpecPlace, { holder, removable }: LockResult & { readonly ok: false }): UserError {
  return new UserError(
    `Another call on the spec ${spec.name} does not end: ${holder ? ownerText(holder) : 'another process'}.`,
    `End that process, then run the command again.${removable === undefined ? '' : ` If it has ended, delete ${removable}.`}`,
  );
}
