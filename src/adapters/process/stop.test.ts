import { expect, test } from 'vitest';
import { lookOut } from './stop.ts';

const LAUNCH = { argv: ['true'], cwd: '/', env: {}, limits: { wallMs: 60_000 }, tailBytesMax: 10 } as const;

test('a program is stopped also if that was asked for while it was being started (R-UX-3)', async () => {
  const stopSteps = [{ signal: 'SIGINT', graceMs: 7_500 }] as const;
  const quiet = new AbortController().signal;
  const lookouts = [
    lookOut({ ...LAUNCH, stopSteps, signal: AbortSignal.abort() }, quiet),
    lookOut({ ...LAUNCH, stopSteps, signal: AbortSignal.abort('now') }, quiet),
    lookOut({ ...LAUNCH, stopSteps }, AbortSignal.abort('now')),
  ];
  const stops = await Promise.all(lookouts.map(({ stop }) => stop));
  for (const lookout of lookouts) lookout.dispose();
  expect(stops).toEqual([
    { by: 'cancel', steps: stopSteps },
    { by: 'cancel', steps: [] },
    { by: 'cancel', steps: [] },
  ]);
});
