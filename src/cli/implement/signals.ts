import type { StopSignal } from '../../core/run/data/stop-signal.ts';
import { endNow } from '../shared/exit.ts';

const SIGNALS: Readonly<Record<StopSignal, number>> = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 };

/** The first signal asks the run to stop in order; a second one ends everything at once, still resumable (R-UX-3, R-DEL-6). */
export function onSignals(stop: (signal: StopSignal) => void, endAll: () => Promise<void>): void {
  let isStopping = false;
  for (const signal of Object.keys(SIGNALS) as StopSignal[]) {
    process.on(signal, () => {
      if (isStopping) void endAll().finally(() => endNow(128 + SIGNALS[signal]));
      else stop(signal);
      isStopping = true;
    });
  }
}
