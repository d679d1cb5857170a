import type { RunState } from '../../core/run/data/state.ts';
import type { StopSignal } from '../../core/run/data/stop-signal.ts';
import { EXIT } from '../shared/exit.ts';

const SIGNAL_NUMBERS: Readonly<Record<StopSignal, number>> = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

/** The exit code of a command that a signal stopped (R-UX-4). */
export function signalExitCode(signal: StopSignal): number {
  return 128 + SIGNAL_NUMBERS[signal];
}

/** The exit code that says how a run ended (R-UX-4). */
export function exitCodeOf({ ended, stopping }: RunState): number {
  switch (ended?.result) {
    case 'completed':
      return EXIT.ok;
    case 'limit':
      return EXIT.limit;
    case 'waiting':
      return EXIT.waiting;
    case 'interrupted':
      return signalExitCode(stopping ?? 'SIGTERM');
    default:
      return EXIT.stuck;
  }
}
