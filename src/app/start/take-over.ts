import { driverText } from '../../core/run/driver.ts';
import { handOvers, otherDriver } from '../../core/run/drivers.ts';
import { drivenSince } from '../../core/session/driven-since.ts';
import { visible } from '../../core/text/sanitise.ts';
import { UserError } from '../../core/user-error.ts';
import type { AfterKilledRun } from '../../engine/watch/after-killed-run.ts';
import { readWatchRecord, WATCH_RECORD, type WatchRecord } from '../../engine/watch/watch-record.ts';
import type { NewestRun } from './known-state.ts';
import type { StartOrder } from './order.ts';

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
  latest: NewestRun | undefined,
  { driver, takeOver: isAsked = false }: Pick<StartOrder, 'driver' | 'takeOver'>,
  now: string,
): Promise<TakenOver> {
  if (latest === undefined) return {};
  const other = otherDriver(latest.state, { driver, now });
  if (other !== undefined && !isAsked)
    throw new UserError(
      `Another driver, ${visible(driverText(other.driver))}, has worked on this spec since ${drivenSince(latest.run.envelopes)}; its time is over at ${other.until}.`,
      'Wait for its report, or take the run over with --take-over: its work is kept under a ref, and the attempt does not count.',
    );
  const text = await latest.folder.readRecord(WATCH_RECORD);
  const record = text === undefined ? undefined : readWatchRecord(text);
  if (record?.handedOver === undefined) return {};
  if (handOvers(latest.state).some(({ holder }) => holder.driver === driver)) return { handedOver: record };
  await latest.folder.removeRecord(WATCH_RECORD);
  const sentences = record.handedOver.flatMap(({ violations, concerns }) => [...violations, ...concerns]);
  const { hooksPath } = record;
  return { killed: { sentences, ...(hooksPath === undefined ? {} : { hooksPath }) } };
}
