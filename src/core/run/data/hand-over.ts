import type { StartedEffect } from './effect.ts';

/** Who carries out an effect in place of the process that started it; its outcome is reported later, maybe to another process. */
export interface Holder {
  /** Names who drives the run: the same one may go on with it, any other one has to take it over. */
  readonly driver: string;
  /** Names the effect in a report, and is used once. */
  readonly token: string;
  /** ISO 8601, UTC: the lease. When it is over, the effect counts as timed out, and any driver may take the run over. */
  readonly until: string;
}

/** An effect that an agent somewhere else carries out. */
export interface HandOver {
  readonly effect: Extract<StartedEffect, { readonly do: 'delegate' | 'review' }>;
  readonly holder: Holder;
}

/** Whether an effect can be carried out elsewhere: those that an agent works on. */
export function isForAgent(effect: StartedEffect): effect is HandOver['effect'] {
  return effect.do === 'delegate' || effect.do === 'review';
}
