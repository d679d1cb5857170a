import { setMaxListeners } from 'node:events';
import type { Launch, ProcessEnd, StopStep } from '../../ports/process.ts';
import { watchLimits } from './limits.ts';

/** That a program has to be stopped: why, and with what before SIGKILL. */
export interface Stop {
  readonly by: Exclude<Extract<ProcessEnd, { readonly how: 'killed' }>['by'], 'signal'>;
  readonly steps: readonly StopStep[];
}

export interface Lookout {
  /** Resolves when there is reason to stop; stays open if there never is. */
  readonly stop: Promise<Stop>;
  /** To be called whenever the program printed something. */
  heard(): void;
  dispose(): void;
}

const STOP_STEPS: readonly StopStep[] = [{ signal: 'SIGTERM', graceMs: 2_500 }];

/** Looks out for what ends a program before it ends itself: its limits, its signal, and `closing` (R-DEL-6, R-UX-3). */
export function lookOut(launch: Launch, closing: AbortSignal): Lookout {
  const { limits, stopSteps: steps = STOP_STEPS, onActivity } = launch;
  const signals = launch.signal === undefined ? [closing] : [closing, launch.signal];
  let resolve: (stop: Stop) => void;
  const stop = new Promise<Stop>((done) => {
    resolve = done;
  });
  const watch = watchLimits(limits, (by) => resolve({ by, steps }));
  const cancel = () => {
    const aborted = signals.find((signal) => signal.aborted);
    if (aborted !== undefined) resolve({ by: 'cancel', steps: aborted.reason === 'now' ? [] : steps });
  };
  setMaxListeners(0, ...signals); // As many programs as there are jobs listen to the same ones.
  for (const signal of signals) signal.addEventListener('abort', cancel);
  cancel();
  return {
    stop,
    heard: () => {
      watch.heard();
      onActivity?.();
    },
    dispose: () => {
      watch.stop();
      for (const signal of signals) signal.removeEventListener('abort', cancel);
    },
  };
}
