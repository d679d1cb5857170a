import type { Envelope } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import type { StopSignal } from '../../core/run/data/stop-signal.ts';
import type { Surface } from '../../surfaces/surface.ts';
import { HaltedRun } from '../explain.ts';
import type { Host } from '../host.ts';
import type { StartOrder } from '../start/order.ts';

/** How a run ended. */
export interface RunResult {
  /** `interrupted` can be resumed, whether it was stopped before the run began or later. */
  readonly result: NonNullable<RunState['ended']>['result'];
  /** Why, for people. */
  readonly reason: string;
  /** The branch that the work is on; empty if the run did not begin. */
  readonly branch: string;
}

/** A run that was started by this process. */
export interface RunHandle {
  /**
   * What happens from this start on, each event once it is written down; ends with the run, and throws what `done` rejects
   * with. To be iterated once: an event is given once.
   */
  readonly events: AsyncIterable<Envelope>;
  /** Asks the run to stop in order. Asked a second time, it ends at once all that the run started. Both can be resumed. */
  stop(): void;
  /**
   * How the run ended. Rejects with `UserError` for what a person has to put right first, and with the fault that kept the
   * run from going on.
   */
  readonly done: Promise<RunResult>;
}

/** Starts a run that is watched and stopped by its handle. */
export function startRunning(host: Host, order: Omit<StartOrder, 'surfaces' | 'onStop'>): RunHandle {
  const feed = new Feed();
  const asked: StopSignal = 'SIGTERM';
  let stops = 0;
  let stop: (signal: StopSignal) => void = () => {};
  let endAll = async () => {};
  const run = async (): Promise<RunResult> => {
    const { start } = await import('../start/start.ts');
    const outcome = await start(host, {
      ...order,
      surfaces: async () => [feed],
      onStop(nextStop, nextEndAll) {
        [stop, endAll] = [nextStop, nextEndAll];
        if (stops > 0) stop(asked);
      },
    });
    if (outcome.is === 'run' && outcome.state.ended !== undefined)
      return { ...outcome.state.ended, branch: outcome.state.branch };
    return { result: 'interrupted', reason: `Stopped by ${asked} before the run started.`, branch: '' };
  };
  const done = run().catch((error: unknown) => {
    throw error instanceof HaltedRun ? error.fault : error;
  });
  done.then(
    () => feed.end(),
    (error: unknown) => feed.end(error),
  );
  return {
    events: feed,
    done,
    stop() {
      stops++;
      if (stops === 1) stop(asked);
      else void endAll();
    },
  };
}

/** Events that wait until they are asked for. */
class Feed implements Surface, AsyncIterable<Envelope> {
  readonly name = 'the events';
  readonly #waiting: Envelope[] = [];
  #over: { readonly error?: unknown } | undefined;
  #wake = () => {};

  show(envelope: Envelope): void {
    this.#waiting.push(envelope);
    this.#wake();
  }

  async close(): Promise<void> {}

  end(error?: unknown): void {
    this.#over = error === undefined ? {} : { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Envelope> {
    for (;;) {
      const envelope = this.#waiting.shift();
      if (envelope !== undefined) yield envelope;
      else if (this.#over === undefined)
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      else if ('error' in this.#over) throw this.#over.error;
      else return;
    }
  }
}
