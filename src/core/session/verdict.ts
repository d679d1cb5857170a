import type { Envelope, OfAttempt } from '../run/data/event.ts';
import { unreachable } from '../unreachable.ts';
import type { Layer } from '../verify/failure.ts';
import { taskEvidence } from '../view/record/evidence.ts';

/**
 * What came of an answer, as far as its task goes (R-SES-2). `waiting`: nothing is recorded yet. `changed`: the plan was changed
 * as the answer asked.
 */
export interface SubmitVerdict {
  readonly verdict: 'accepted' | 'rejected' | 'changed' | 'waiting';
  /** The layer that rejected it. */
  readonly layer: Layer | null;
  /** Why it was rejected or waits; what its proof lacks. */
  readonly reason: string | null;
}

/** The verdict on an attempt, as the journal of its run has it. */
export function verdictOf(envelopes: readonly Envelope[], { task, attempt }: OfAttempt): SubmitVerdict {
  const found = taskEvidence(envelopes, task)?.attempts.findLast((one) => one.attempt === attempt);
  const outcome = found?.outcome ?? { is: 'under-way' };
  const of = (type: Envelope['event']['type']) =>
    envelopes.some(
      ({ event }) => event.type === type && 'attempt' in event && event.task === task && event.attempt === attempt,
    );
  const isChanged = of('plan-modified');
  switch (outcome.is) {
    case 'under-way':
      return { verdict: isChanged ? 'changed' : 'waiting', layer: null, reason: null };
    case 'accepted': {
      const lacks = [...(outcome.review ? [outcome.review] : []), ...(outcome.remarks ?? []).map(({ word }) => word)];
      return { verdict: isChanged ? 'changed' : 'accepted', layer: null, reason: lacks.join(', ') || null };
    }
    case 'split':
      return { verdict: 'changed', layer: null, reason: null };
    case 'rejected':
      return { verdict: 'rejected', layer: outcome.layer, reason: outcome.reason };
    case 'not-counted':
      if (isChanged) return { verdict: 'changed', layer: null, reason: null };
      if (of('merge-conflicted') || of('merge-rejected'))
        return { verdict: 'rejected', layer: 'merge', reason: outcome.reason };
      return { verdict: 'waiting', layer: null, reason: outcome.reason };
    default:
      return unreachable(outcome);
  }
}
