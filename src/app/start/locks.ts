import { systemClock } from '../../adapters/clock/system.ts';
import { acquireLock } from '../../adapters/store/lock.ts';
import { ownOwner } from '../../adapters/store/owner-record.ts';
import { branchPrivateFolder } from '../../adapters/store/private-folder.ts';
import { StuckError, UserError } from '../../core/user-error.ts';
import type { HeldLock, RunArchive } from '../../ports/store.ts';
import type { SpecPlace } from '../place.ts';
import { ownerText, privateFolderOf } from '../run/runs.ts';

/** A lock of this run, and what it keeps to itself. */
interface Taken {
  readonly what: string;
  readonly dir: string;
  readonly lock: HeldLock;
}

/**
 * Holds the locks of spec and branch while `body` runs (R-FILE-6), which gets a guard: the same runs, of which no journal
 * is written without the locks, as a second coordinator may have begun by then. Throws `UserError` that names who holds one.
 */
export async function withLocks<T>(
  { place, branch }: { readonly place: SpecPlace; readonly branch: string },
  body: (guard: (archive: RunArchive) => RunArchive) => Promise<T>,
): Promise<T> {
  const { commonDir } = place.repository;
  const wanted = [
    [`the spec ${place.spec.name}`, privateFolderOf(place)],
    [`the branch ${branch}`, branchPrivateFolder(commonDir, branch)],
  ] as const;
  const held: Taken[] = [];
  try {
    for (const [what, dir] of wanted) held.push({ what, dir, lock: await take(what, dir) });
    return await body((archive) => guarded(archive, held));
  } finally {
    for (const { lock } of held.toReversed()) lock.release();
  }
}

async function take(what: string, dir: string): Promise<HeldLock> {
  const result = await acquireLock(dir, ownOwner(systemClock));
  if (result.ok) return result.lock;
  const { holder, removable } = result;
  throw new UserError(
    `Another coordinator is working on ${what}: ${holder ? ownerText(holder) : 'another process'}.`,
    removable === undefined
      ? 'Wait for it to end, check it with "specloop status", or stop it with "specloop cancel".'
      : `Wait for it to end, or stop it where it runs. File locks do not work here: if you are sure that it has ended, delete ${removable}, then run the command again.`,
  );
}

function guarded(archive: RunArchive, held: readonly Taken[]): RunArchive {
  const requireLocks = (): void => {
    const lost = held.find(({ lock }) => !lock.stillOurs());
    if (lost === undefined) return;
    throw new StuckError(
      `The lock of ${lost.what} in ${lost.dir} was removed, so another coordinator could start; this run has stopped.`,
      'Find out what removed it, then run the command again to continue.',
    );
  };
  return {
    ...archive,
    async journal(id, lastSeq) {
      requireLocks();
      const journal = await archive.journal(id, lastSeq);
      const append: typeof journal.append = async (events) => {
        requireLocks();
        return await journal.append(events);
      };
      return { append, close: () => journal.close() };
    },
  };
}
