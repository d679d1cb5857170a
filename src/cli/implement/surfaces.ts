import type { Writable } from 'node:stream';
import type { Envelope } from '../../core/run/event.ts';
import type { RunState } from '../../core/run/state.ts';
import { summary } from '../../core/view/summary.ts';
import { nothingTallied, tally } from '../../core/view/tally.ts';
import { isolate, together } from '../../surfaces/isolate.ts';
import { jsonSurface } from '../../surfaces/json/json.ts';
import { logSurface } from '../../surfaces/log/log.ts';
import type { SpecPlace } from '../place.ts';
import type { ImplementInput } from './input.ts';

/** All that shows a run while it goes on, and the words at its end. */
export interface RunSurfaces {
  readonly show: (envelope: Envelope, state: RunState) => void;
  /** An agent printed something. */
  readonly active: (task: string) => void;
  readonly close: (state: RunState) => Promise<void>;
}

/** What a program may want goes to stdout, all else to stderr (R-UX-5). */
export function surfacesFor({ stdout, stderr, options, watch }: ImplementInput, { spec }: SpecPlace): RunSurfaces {
  const shown = together([
    isolate(logSurface(stderr as unknown as Writable), say),
    ...(options.json ? [isolate(jsonSurface(stdout as unknown as Writable), say)] : []),
    ...(watch ? [isolate({ name: 'the watcher', show: watch, close: async () => {} }, say)] : []),
  ]);
  let sum = nothingTallied;
  function say(message: string): void {
    stderr.write(`${message}\n`);
  }
  return {
    show(envelope, state) {
      sum = tally(sum, envelope, state);
      shown.show(envelope, state);
    },
    active: shown.active,
    async close(state) {
      await shown.close();
      for (const line of summary({ spec: spec.name, state, tally: sum })) say(line);
      if (state.ended?.result === 'completed' && !options.json) stdout.write('ALL_TASKS_COMPLETE\n');
    },
  };
}
