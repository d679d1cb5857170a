import type { Writable } from 'node:stream';
import { sentence } from '../../core/view/sentences/sentence.ts';
import type { Surface } from '../surface.ts';
import { textOutput } from '../text-output.ts';

/** One plain sentence per event, without colour or cursor movement: for pipes and CI (R-UX-1). */
export function logSurface(stream: Writable): Surface {
  const output = textOutput(stream);
  return {
    name: 'the log',
    show(envelope, after) {
      const said = sentence(envelope, after);
      if (said !== undefined) return output.write(`${said}\n`);
    },
    close: () => output.flushed(),
  };
}
