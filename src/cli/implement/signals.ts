import type { StopSignal } from '../../core/run/data/stop-signal.ts';
import { endNow } from '../shared/exit.ts';
import { signalExitCode } from './exit-code.ts';

const SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The first signal asks the run to stop in order; a second one ends everything at once, still resumable (R-UX-3, R-DEL-6). */
export function onSignals(stop: (signal: StopSignal) => void, endAll: () => Promise<void>): void {
  let isStopping = false;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (isStopping) void endAll().finally(() => endNow(signalExitCode(signal)));
      else stop(signal);
      isStopping = true;
    });
  }
}
