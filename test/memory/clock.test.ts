import { expect, test } from 'vitest';
import { MemoryClock } from './clock.ts';

const START = '2026-11-27T08:00:00.000Z';

test('time moves from one sleeper to the next, whoever fell asleep first', async () => {
  const clock = new MemoryClock(START);
  const woken: string[] = [];
  const { signal } = new AbortController();
  const late = clock.sleepUntil('2026-11-27T10:00:00.000Z', signal).then(() => woken.push('late'));
  const early = clock.sleepMs(60_000, signal).then(() => woken.push('early'));
  expect(clock.advance()).toBe(true);
  await early;
  expect([clock.now(), woken]).toEqual(['2026-11-27T08:01:00.000Z', ['early']]);
  expect(clock.advance()).toBe(true);
  await late;
  expect([clock.now(), clock.advance()]).toEqual(['2026-11-27T10:00:00.000Z', false]);
});

test('a sleeper is woken by its signal, and time stands still', async () => {
  const clock = new MemoryClock(START);
  const stop = new AbortController();
  const asleep = clock.sleepMs(60_000, stop.signal);
  stop.abort();
  await asleep;
  await clock.sleepMs(60_000, stop.signal);
  expect([clock.now(), clock.advance()]).toEqual([START, false]);
});
