import type { StopSignal } from '../../core/run/data/stop-signal.ts';
import type { OnStop } from './order.ts';

/** Passes what asks a run to stop on to whatever is under way: first what goes before the run, then the run itself. */
export interface StopRelay {
  /** For who is asked next; told at once what was asked before. */
  readonly onStop: OnStop;
  /** What asked first, if anything did. */
  readonly asked: () => StopSignal | undefined;
}

/** Connects what may ask to stop, once and for all: signals of the system must not have two listeners (R-UX-3). */
export function relayStops(connect: OnStop): StopRelay {
  let asked: StopSignal | undefined;
  let stop: Parameters<OnStop>[0] = () => {};
  let endAll: Parameters<OnStop>[1] = async () => {};
  connect(
    (signal) => {
      asked ??= signal;
      stop(signal);
    },
    () => endAll(),
  );
  return {
    onStop(nextStop, nextEndAll) {
      stop = nextStop;
      endAll = nextEndAll;
      if (asked !== undefined) nextStop(asked);
    },
    asked: () => asked,
  };
}
