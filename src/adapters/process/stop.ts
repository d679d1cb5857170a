import type { Ending, Launch, StopStep } from '../../ports/process.ts';
import { watchLimits } from './limits.ts';

/** That a program has to be stopped: why, and with what before SIGKILL. */
export interface Stop {
  readonly by: Exclude<Extract<Ending, { readonly how: 'killed' }>['by'], 'signal'>;
  readonly steps: readonly StopStep[];
}

const STOP_STEPS: readonly StopStep[] = [{ signal: 'SIGTERM', graceMs: 2_500 }];

/** Looks out for what ends a program before it ends itself: its limits, and the two signals (R-DEL-6, R-UX-3). */
export class Lookout {
  /** Resolves when there is reason to stop. */
  readonly stop: Promise<Stop>;
  /** To be called whenever the program printed something. */
  readonly heard: () => void;
  /** Ends the looking out. */
  readonly dispose: () => void;

  constructor(launch: Launch, closing: AbortSignal) {
    const { limits, stopSteps: steps = STOP_STEPS, onActivity } = launch;
    const signals = launch.signal === undefined ? [closing] : [closing, launch.signal];
    let resolve: (stop: Stop) => void;
    this.stop = new Promise((done) => {
      resolve = done;
    });
    const watch = watchLimits(limits, (by) => resolve({ by, steps }));
    const cancel = () => {
      const aborted = signals.find((signal) => signal.aborted);
      if (aborted !== undefined) resolve({ by: 'cancel', steps: aborted.reason === 'now' ? [] : steps });
    };
    for (const signal of signals) signal.addEventListener('abort', cancel);
    cancel();
    this.heard = () => {
      watch.heard();
      onActivity?.();
    };
    this.dispose = () => {
      watch.stop();
      for (const signal of signals) signal.removeEventListener('abort', cancel);
    };
  }
}
