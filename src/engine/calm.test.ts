import { beforeEach, expect, test } from 'vitest';
import type { Clock } from '../ports/clock.ts';
import { Calm } from './calm.ts';

/** How long has been slept, in milliseconds, and who sleeps. */
let passed: number;
let sleepers: { readonly ms: number; readonly wake: () => void }[];
let calm: Calm;
let stop: AbortController;
beforeEach(() => {
  passed = 0;
  sleepers = [];
  const clock: Clock = {
    now: () => '',
    sleepUntil: async () => {},
    sleepMs: (ms, signal) =>
      new Promise((wake) => {
        sleepers.push({ ms, wake });
        signal.addEventListener('abort', () => wake());
      }),
  };
  calm = new Calm(clock);
  stop = new AbortController();
});

/** Wakes the one that sleeps; false if nobody does. */
function advance(): boolean {
  const sleeper = sleepers.shift();
  if (sleeper === undefined) return false;
  passed += sleeper.ms;
  sleeper.wake();
  return true;
}

/** Lets time go on until it is calm, with something that stirs before each step; how many milliseconds that took. */
async function waited(stirs: (step: number) => void): Promise<number> {
  const begun = passed;
  let isCalm = false;
  const coming = calm.come(stop.signal).then(() => {
    isCalm = true;
  });
  for (let step = 1; ; step++) {
    await new Promise(setImmediate);
    if (isCalm) break;
    stirs(step);
    if (!advance()) throw new Error('Nobody waits, and nobody was let go.');
  }
  await coming;
  return passed - begun;
}

test('who has stirred nothing waits for nothing, and no two wait for the same moment twice', async () => {
  expect(await waited(() => {})).toBe(0);
  calm.stir();
  expect(await waited(() => {})).toBe(40);
  expect(await waited(() => {})).toBe(0);
});

test('what stirs meanwhile is waited for, but not for ever (R-PAR-1)', async () => {
  calm.stir();
  expect(await waited((step) => (step === 1 ? calm.stir() : undefined))).toBe(80);
  calm.stir();
  expect(await waited(() => calm.stir())).toBe(240);
});

test('who is stopped waits no longer, and not again (R-UX-3)', async () => {
  calm.stir();
  const coming = calm.come(stop.signal);
  calm.stir();
  stop.abort();
  await coming;
  expect(sleepers).toHaveLength(1);
});

test('many wait for one moment together', async () => {
  calm.stir();
  const all = Promise.all(Array.from({ length: 20 }, () => calm.come(stop.signal)));
  await new Promise(setImmediate);
  advance();
  await all;
  expect([passed, advance()]).toEqual([40, false]);
});
