import { handOvers, otherDriver } from '../../core/run/drivers.ts';
import type { RunState } from '../../core/run/state.ts';
import { UserError } from '../../core/user-error.ts';
import type { AfterKilledRun } from '../../engine/watch/after-killed-run.ts';
import { readWatchRecord, WATCH_RECORD, type WatchRecord } from '../../engine/watch/watch-record.ts';
import type { RunFolder } from '../../ports/store.ts';
import type { Driving } from './order.ts';

/** What becomes of work that the last run handed over. */
export interface TakenOver {
  /** The watch over it, where it goes on. */
  readonly handedOver?: WatchRecord;
  /** What has to be told, where it was taken over. */
  readonly killed?: AfterKilledRun;
}

/**
 * Decides about work that is under way elsewhere: it goes on with the same driver; for another one, and for a process that
 * runs the agents itself, it is taken over, if that is asked for or its time is over (R-SES-4). Throws `UserError` if not.
 */
export async function takeOver(
  state: RunState | undefined,
  {
    folder,
    driving,
    now,
  }: { readonly folder: RunFolder | undefined; readonly driving: Driving | undefined; readonly now: string },
): Promise<TakenOver> {
  if (state === undefined || folder === undefined || handOvers(state).length === 0) return {};
  const other = otherDriver(state, { driver: driving?.driver, now });
  if (other !== undefined && driving?.takeOver !== true)
    throw new UserError(
      `Another driver, ${other.driver}, works on this spec until ${other.until}.`,
      'Let it report, or take the run over: its work is kept under a ref, and the attempt does not count.',
    );
  const text = await folder.readRecord(WATCH_RECORD);
  const record = text === undefined ? undefined : readWatchRecord(text);
  if (record === undefined) return {};
  if (handOvers(state).some(({ holder }) => holder.driver === driving?.driver)) return { handedOver: record };
  await folder.removeRecord(WATCH_RECORD);
  const { handedOver = [], hooksPath } = record;
  const sentences = handedOver.flatMap(({ violations, concerns }) => [...violations, ...concerns]);
  return { killed: { sentences, ...(hooksPath === undefined ? {} : { hooksPath }) } };
}
