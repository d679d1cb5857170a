/**
 * Waits for the death of the coordinator, whose end of our stdin closes with it, however it died; then ends everything that
 * carries the mark of its run (R-DEL-6). A coordinator that leaves in good order says so with a line, and nothing is ended.
 * Started as `node supervisor.js NAME=value`.
 */
import { Family } from './family.ts';

const STEPS = [{ signal: 'SIGTERM', graceMs: 300 }] as const;

const mark = process.argv[2];
if (mark === undefined || !/^\w+=[\w-]{16,}$/.test(mark)) throw new Error('The mark of a run is needed.');

// Ctrl-C in a terminal goes to everything that was started there, also to those who clean up afterwards.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

process.stdin.on('data', () => process.exit(0));
process.stdin.on('error', () => process.stdin.destroy());
process.stdin.on('close', async () => {
  await new Family({ mark }).end(STEPS);
  process.exit(0);
});
