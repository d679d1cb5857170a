import type { StopSignal } from '../../src/core/run/data/stop-signal.ts';

/** Trouble with a disk, as the system names it. */
export type Errno = 'ENOSPC' | 'EIO' | 'EACCES';

/**
 * Something that happens at the nth call of a port, counted from 1 over a whole life, restarts included.
 *
 * - `crash`: the coordinator is gone. `step` 0 is before the call does anything, n after the nth step inside it,
 *   `after` when all is done and nobody has learned of it.
 * - `fault`: the call fails; if it lasts, so does every later one of the kind until the coordinator gives up.
 * - `stop`: a person or the system asks the run to stop.
 */
export type Accident = { readonly at: number } & (
  | { readonly what: 'crash'; readonly step: number | 'after' }
  | { readonly what: 'fault'; readonly errno: Errno; readonly lasts: boolean; readonly step: number }
  | { readonly what: 'stop'; readonly signal: StopSignal }
);

/** An accident in words, for the trace of a failed run. */
export function describeAccident(accident: Accident): string {
  switch (accident.what) {
    case 'crash':
      return `crash at call ${accident.at}, ${accident.step === 'after' ? 'after it' : `step ${accident.step}`}`;
    case 'fault':
      return `${accident.errno} at call ${accident.at}, step ${accident.step}${accident.lasts ? ', lasting' : ''}`;
    case 'stop':
      return `${accident.signal} at call ${accident.at}`;
  }
}
