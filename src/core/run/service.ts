import { instantMs } from '../instant.ts';
import type { Pause } from './data/pause.ts';
import type { MetLimit, ServiceTrouble } from './data/service-trouble.ts';
import type { Begun, RunState } from './data/state.ts';

/** The longest wait for usage limits where the run sets none: six hours. */
const MAX_WAIT_MS = 21_600_000;
/** A limit without a known end, or one that is over and still there, is waited for from two seconds to a quarter of an hour. */
const BACK_OFF_MS = { first: 2_000, max: 900_000 };
/** Tries after an overloaded service, each after twice the time of the one before. */
const FAILURES_MAX = 4;
const RETRY_MS = 2_000;

/** How a usage limit is waited for, and what is remembered of it; or why the run does not wait (R-AGT-3). */
export type LimitWait =
  | { readonly waits: true; readonly pause: Pause; readonly trouble: ServiceTrouble }
  | { readonly waits: false; readonly reason: string };

export function waitForLimit(state: RunState, { service }: Begun, limit: MetLimit): LimitWait {
  const { limits, failures } = service;
  const { resetsAt, atMs } = limit;
  const sinceMs = service.sinceMs ?? atMs;
  const trouble = { limits: limits + 1, failures, ...(sinceMs === undefined ? {} : { sinceMs }) };
  if (atMs === undefined || sinceMs === undefined)
    return { waits: true, trouble, pause: resetsAt === undefined ? { forMs: backOff(limits) } : { until: resetsAt } };
  const toldMs = resetsAt === undefined ? 0 : instantMs(resetsAt);
  const isAhead = resetsAt !== undefined && toldMs > atMs;
  const untilMs = isAhead ? toldMs : atMs + backOff(limits);
  const { maxWaitMs = MAX_WAIT_MS } = state.policy;
  if (untilMs - sinceMs > maxWaitMs)
    return { waits: false, reason: tooLong(maxWaitMs, isAhead ? resetsAt : undefined) };
  return { waits: true, trouble, pause: isAhead ? { until: resetsAt } : { untilMs, why: 'usage-limit' } };
}

function backOff(limits: number): number {
  return Math.min(BACK_OFF_MS.first * 2 ** limits, BACK_OFF_MS.max);
}

function tooLong(maxWaitMs: number, resetsAt: string | undefined): string {
  const longest = `a run waits at most ${Math.round(maxWaitMs / 1000)} s for it`;
  const what =
    resetsAt === undefined
      ? `The usage limit has not ended, and ${longest}`
      : `The usage limit ends at ${resetsAt}, and ${longest}`;
  return `ERROR: ${what}. Start again when it has ended, or raise --max-wait.`;
}

/** The pause before an overloaded service is tried again; `undefined` when it was tried often enough (R-AGT-4). */
export function waitForService({
  service,
}: Pick<Begun, 'service'>): { readonly pause: Pause; readonly trouble: ServiceTrouble } | undefined {
  const { failures } = service;
  if (failures >= FAILURES_MAX) return undefined;
  return {
    pause: { forMs: RETRY_MS * 2 ** failures, why: 'service-failed' },
    trouble: { ...service, failures: failures + 1 },
  };
}
