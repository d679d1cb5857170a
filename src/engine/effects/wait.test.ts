import { expect, test } from 'vitest';
import type { World } from '../lane/world.ts';
import { wait } from './wait.ts';

const effect = { do: 'wait', task: '1.1', attempt: 1, pause: { until: '2026-11-28T13:00:00Z' } } as const;

/** Waits until told by a signal, as a clock does that never comes to the instant. */
function waiting(timeIsUp: AbortSignal) {
  const stop = new AbortController();
  const sleepUntil: World['clock']['sleepUntil'] = (_until, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve());
    });
  const clock = { now: () => '2026-11-28T12:00:00Z', sleepUntil };
  let isOver = false;
  const over = wait(effect, { clock, signal: stop.signal, timeIsUp } as World).then(() => {
    isOver = true;
  });
  return { stop, over, isOver: () => isOver };
}

test('the time limit of the run ends a wait that is longer (R-AGT-3)', async () => {
  const limit = new AbortController();
  const { over, isOver } = waiting(limit.signal);
  await Promise.resolve();
  expect(isOver()).toBe(false);
  limit.abort();
  await over;
  expect(isOver()).toBe(true);
});

test('a wait that begins after the time limit, as for cleaning up, is a wait all the same (R-AGT-3, R-REC-8)', async () => {
  const { stop, over, isOver } = waiting(AbortSignal.abort());
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver()).toBe(false);
  stop.abort();
  await over;
});
