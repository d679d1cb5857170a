import type { Spent } from '../../agent/agent-end.ts';
import type { Envelope } from '../../run/data/event.ts';
import { tallyOf } from './tally.ts';

/** What the runs of a spec took together (R-DEL-8). */
export interface SpentSum extends Spent {
  readonly runs: number;
  readonly attempts: number;
  /** Time at work, in milliseconds. */
  readonly activeMs: number;
}

/** Adds up runs, each by its events. */
export function spentSum(runs: Iterable<readonly Envelope[]>): SpentSum {
  let sum: SpentSum = { runs: 0, attempts: 0, activeMs: 0, tokens: 0, costUsd: 0 };
  for (const envelopes of runs) {
    const found = tallyOf(envelopes);
    if (found === undefined) continue;
    const { tally, state } = found;
    sum = {
      runs: sum.runs + 1,
      attempts: sum.attempts + tally.attempts,
      activeMs: sum.activeMs + tally.activeMs,
      tokens: sum.tokens + state.spent.tokens,
      costUsd: sum.costUsd + state.spent.costUsd,
      ...((sum.isCostEstimated || state.spent.isCostEstimated) && { isCostEstimated: true }),
    };
  }
  return sum;
}
