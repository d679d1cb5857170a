import { acquireLock } from '../../adapters/store/lock.ts';
import { ownOwner } from '../../adapters/store/owner-record.ts';
import { branchPrivateFolder, specPrivateFolder } from '../../adapters/store/private-folder.ts';
import { UserError } from '../../core/user-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HeldLock } from '../../ports/store.ts';
import type { SpecPlace } from '../place.ts';

/** Holds the locks of spec and branch while `body` runs (R-FILE-6). Throws `UserError` that names who holds one. */
export async function withLocks<T>(
  { place, branch, clock }: { readonly place: SpecPlace; readonly branch: string; readonly clock: Clock },
  body: () => Promise<T>,
): Promise<T> {
  const { commonDir } = place.repository;
  const wanted = [
    [`the spec ${place.spec.name}`, specPrivateFolder(commonDir, place.spec.path)],
    [`the branch ${branch}`, branchPrivateFolder(commonDir, branch)],
  ] as const;
  const held: HeldLock[] = [];
  try {
    for (const [what, dir] of wanted) held.push(await take(what, dir, clock));
    return await body();
  } finally {
    for (const lock of held.toReversed()) lock.release();
  }
}

async function take(what: string, dir: string, clock: Clock): Promise<HeldLock> {
  const result = await acquireLock(dir, ownOwner(clock));
  if (result.ok) return result.lock;
  const { holder } = result;
  const who = holder ? `process ${holder.pid} on ${holder.host}, since ${holder.since}` : 'another process';
  throw new UserError(
    `Another coordinator works on ${what}: ${who}.`,
    'Wait for it, watch it with "specloop status", or end it with "specloop cancel".',
  );
}
