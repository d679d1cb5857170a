import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from './system.ts';

const START = Date.parse('2026-11-27T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const never = new AbortController().signal;

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Whether a promise is settled once everything that is due has run. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return settled;
}

test('now is reported in UTC, in ISO 8601', () => {
  expect(systemClock.now()).toBe('2026-11-27T12:00:00.000Z');
});

describe('sleeping', () => {
  test('ends at the instant and not before', async () => {
    const sleep = systemClock.sleepUntil('2026-11-27T14:00:00.000Z', never);
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS - 1);
    expect(await isSettled(sleep)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isSettled(sleep)).toBe(true);
  });

  test('lasts longer than a single timer can hold', async () => {
    const sleep = systemClock.sleepUntil('2026-12-31T12:00:00.000Z', never);
    await vi.advanceTimersByTimeAsync(34 * 24 * HOUR_MS - 1);
    expect(await isSettled(sleep)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isSettled(sleep)).toBe(true);
  });

  test('ends soon after a suspended machine wakes up behind the instant', async () => {
    const sleep = systemClock.sleepUntil('2026-11-27T14:00:00.000Z', never);
    await vi.advanceTimersByTimeAsync(1000);
    vi.setSystemTime(START + 8 * HOUR_MS);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await isSettled(sleep)).toBe(true);
  });

  test('goes on when the clock is put back', async () => {
    const sleep = systemClock.sleepUntil('2026-11-27T13:00:00.000Z', never);
    vi.setSystemTime(START - HOUR_MS);
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS - 1);
    expect(await isSettled(sleep)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isSettled(sleep)).toBe(true);
  });

  test('ends at once when it is aborted, and leaves no timer', async () => {
    const controller = new AbortController();
    const sleep = systemClock.sleepUntil('2026-11-28T12:00:00.000Z', controller.signal);
    controller.abort();
    expect(await isSettled(sleep)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('does not begin for an instant that is over or a signal that was aborted before', async () => {
    expect(await isSettled(systemClock.sleepUntil('2026-11-27T12:00:00.000Z', never))).toBe(true);
    expect(await isSettled(systemClock.sleepUntil('2027-01-01T00:00:00.000Z', AbortSignal.abort()))).toBe(true);
  });

  test('is refused for what is no instant', async () => {
    await expect(systemClock.sleepUntil('soon', never)).rejects.toThrow('"soon" is not a date and time');
  });
});

test('a pause lasts so many milliseconds, whatever the time of day becomes meanwhile, or until its signal', async () => {
  const stop = new AbortController();
  const pauses = [systemClock.sleepMs(1_000, never), systemClock.sleepMs(HOUR_MS, stop.signal)] as const;
  vi.setSystemTime(START - HOUR_MS);
  await vi.advanceTimersByTimeAsync(999);
  expect(await isSettled(pauses[0])).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await isSettled(pauses[0])).toBe(true);
  expect(await isSettled(pauses[1])).toBe(false);
  stop.abort();
  expect(await isSettled(pauses[1])).toBe(true);
  expect(await isSettled(systemClock.sleepMs(HOUR_MS, stop.signal))).toBe(true);
});
