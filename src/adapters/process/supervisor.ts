/**
 * Ends everything that carries the mark of a run whose coordinator is gone (R-DEL-6). Started as `node supervisor.js NAME=value`,
 * by the shell that has waited for that; see `Supervision`.
 */
import { Family } from './family.ts';

const STEPS = [{ signal: 'SIGTERM', graceMs: 300 }] as const;

const mark = process.argv[2];
if (mark === undefined || !/^\w+=[\w-]{16,}$/.test(mark)) throw new Error('The mark of a run is needed.');

// Ctrl-C in a terminal goes to everything that was started there, also to those who clean up afterwards.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

await new Family({ mark }).end(STEPS);
process.exit(0);
