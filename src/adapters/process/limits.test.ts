import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchLimits } from './limits.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const HOUR_MS = 3_600_000;

/** A watch over a clock that can be told that the machine slept. */
function watched(limits: { readonly wallMs: number; readonly idleMs?: number }) {
  const passed: string[] = [];
  let sleptMs = 0;
  const watch = watchLimits(
    limits,
    (which) => passed.push(which),
    () => Date.now() + sleptMs,
  );
  const sleep = (ms: number) => {
    sleptMs += ms;
  };
  return { watch, passed, sleep };
}

test('the time limit passes once, whatever is printed (R-DEL-6)', () => {
  const { watch, passed } = watched({ wallMs: 20_000, idleMs: 10_000 });
  for (let second = 1; second < 20; second++) {
    vi.advanceTimersByTime(1_000);
    watch.heard();
  }
  expect(passed).toEqual([]);
  vi.advanceTimersByTime(HOUR_MS);
  expect(passed).toEqual(['wall-timeout']);
});

test('silence is counted from the last sign of life (R-DEL-6)', () => {
  const { watch, passed } = watched({ wallMs: HOUR_MS, idleMs: 10_000 });
  vi.advanceTimersByTime(9_900);
  watch.heard();
  vi.advanceTimersByTime(9_900);
  expect(passed).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(passed).toEqual(['idle-timeout']);
});

test('without a silence limit silence is fine', () => {
  const { passed } = watched({ wallMs: HOUR_MS });
  vi.advanceTimersByTime(HOUR_MS - 1);
  expect(passed).toEqual([]);
});

test('hours in which the machine slept do not count, before and after signs of life', () => {
  const { watch, passed, sleep } = watched({ wallMs: 600_000, idleMs: 60_000 });
  vi.advanceTimersByTime(30_000);
  sleep(8 * HOUR_MS);
  vi.advanceTimersByTime(20_000);
  sleep(8 * HOUR_MS);
  watch.heard();
  vi.advanceTimersByTime(50_000);
  expect(passed).toEqual([]);
  vi.advanceTimersByTime(15_000);
  expect(passed).toEqual(['idle-timeout']);
});

test('seconds in which this process was suspended do not count, and what waits is read before a limit is judged (R-DEL-6)', () => {
  const { watch, passed, sleep } = watched({ wallMs: 5_000, idleMs: 3_000 });
  vi.advanceTimersByTime(2_500);
  sleep(6_000);
  vi.advanceTimersByTime(600);
  expect(passed).toEqual([]);
  watch.heard();
  vi.advanceTimersByTime(1_000);
  expect(passed).toEqual([]);
  vi.advanceTimersByTime(2_000);
  expect(passed).toEqual(['wall-timeout']);
});

test('a limit that this process slept through is judged only after it had time to read (R-DEL-6)', () => {
  const { passed, sleep } = watched({ wallMs: 1_000 });
  vi.advanceTimersByTime(900);
  sleep(10_000);
  vi.advanceTimersByTime(200);
  expect(passed).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(passed).toEqual(['wall-timeout']);
});

test('a watch that was stopped stays quiet', () => {
  const { watch, passed } = watched({ wallMs: 1_000 });
  watch.stop();
  vi.advanceTimersByTime(HOUR_MS);
  expect(passed).toEqual([]);
});
