import type { Writable } from 'node:stream';
import type { Surface } from '../surface.ts';
import { textOutput } from '../text-output.ts';

/** Every envelope as one line of JSON, as it is in the journal: for programs (R-UX-2, R-API-6). */
export function jsonSurface(stream: Writable): Surface {
  const output = textOutput(stream);
  return {
    name: 'the event stream',
    show: (envelope) => output.write(`${JSON.stringify(envelope)}\n`),
    close: () => output.flushed(),
  };
}
