import { clearStaleLocks } from '../../adapters/git/locks.ts';
import type { Processes } from '../../ports/process.ts';
import type { Host } from '../host.ts';

/** A run whose coordinator is dead; the caller holds the lock of its spec. */
export interface DeadRun {
  readonly run: string;
  /** Absolute path of the folder that all worktrees share. */
  readonly commonDir: string;
}

/** Ends what a killed run left running, then removes the lock files that it left (R-DEL-6). Twice is once. */
export async function endDeadRun(
  { run, commonDir }: DeadRun,
  processes: Processes,
  { notify }: Pick<Host, 'notify'>,
): Promise<void> {
  const ended = await processes.reap(run);
  if (ended.length > 0) notify(`Ended ${ended.length} processes that run ${run} left running.`);
  const removed = await clearStaleLocks(commonDir, { olderThanMs: 0 });
  if (removed.length > 0) notify(`Removed ${removed.length} lock files left by a crash.`);
}
