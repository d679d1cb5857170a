import type { Writable } from 'node:stream';
import type { Envelope } from '../../core/run/data/event.ts';
import type { Surface } from '../surface.ts';
import { textOutput } from '../text-output.ts';

/** What the event stream holds in addition to the journal. */
export interface StreamOptions {
  /** Prints what agents are seen to do, with the instant that this tells (R-AGT-2). */
  readonly agentEvents?: { readonly now: () => string };
}

/**
 * Every envelope as one line of JSON, as it is in the journal: for programs (R-UX-2, R-API-6). What an agent does is a line
 * of another form, without a number, as it is in no journal: `{v, at, spec, run, task, agentEvent}`.
 */
export function jsonSurface(stream: Writable, { agentEvents }: StreamOptions = {}): Surface {
  const output = textOutput(stream);
  let last: Pick<Envelope, 'spec' | 'run'> | undefined;
  return {
    name: 'the event stream',
    show(envelope) {
      last = envelope;
      return output.write(`${JSON.stringify(envelope)}\n`);
    },
    active(task, agentEvent) {
      if (agentEvents === undefined || last === undefined || agentEvent.type === 'output') return;
      const { spec, run } = last;
      // They are many, and not what a run is known by: a reader that is slow misses some.
      if (stream.writableNeedDrain || stream.destroyed) return;
      stream.write(`${JSON.stringify({ v: 1, at: agentEvents.now(), spec, run, task, agentEvent })}\n`);
    },
    close: () => output.flushed(),
  };
}
