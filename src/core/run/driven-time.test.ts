import { expect, test } from 'vitest';
import type { Envelope, RunEvent } from './data/event.ts';
import { drivenMs } from './driven-time.ts';
import { delegated, plannedTask, returned, started } from './test-rig.ts';

const holder = { driver: 'session', token: 't1', until: '2026-01-01T09:00:00.000Z' };
const handedOver = { ...delegated('1.1'), holder } as RunEvent;
const resumed = (driver?: string): RunEvent => ({ type: 'run-resumed', head: 'c0', ...(driver && { driver }) });
const [begun, preparing, prepared] = started([plannedTask('1.1')]) as [RunEvent, RunEvent, RunEvent];
const byDriver = (driver: string) => [{ ...begun, driver } as RunEvent, preparing, prepared];
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

/** Minutes that the session has had a run, where each call writes its events in one minute. */
function minutes(calls: readonly (readonly [minute: number, events: readonly RunEvent[]])[], now: number): number {
  const envelopes = calls.flatMap(([minute, events]) =>
    events.map((event, seq): Envelope => ({ v: 1, seq, at: at(minute), spec: 'demo', run: 'r', event })),
  );
  return drivenMs(envelopes, { driver: 'session', now: at(now) }) / 60_000;
}

test('the time of a driver counts while it holds work, over all its calls (R-SES-1, R-DEL-8)', () => {
  expect(minutes([[0, [...byDriver('session'), handedOver]]], 7)).toBe(7);
  const reported: readonly RunEvent[] = [resumed('session'), returned('1.1')];
  expect(
    minutes(
      [
        [0, [...byDriver('session'), handedOver]],
        [7, reported],
      ],
      30,
    ),
  ).toBe(7);
});

test('between calls with nothing handed over the run is at rest: that time is not counted (R-SES-1)', () => {
  const first = [...byDriver('session'), handedOver];
  const calls = [
    [0, first],
    [5, [resumed('session'), returned('1.1')]],
    [60, [resumed('session')]],
  ] as const;
  expect(minutes(calls, 61)).toBe(5);
});

test('after another driver had the run, its time counts from the start (R-SES-4)', () => {
  const first = [...byDriver('session'), handedOver];
  expect(
    minutes(
      [
        [0, first],
        [5, [resumed()]],
      ],
      60,
    ),
  ).toBe(0);
  expect(
    minutes(
      [
        [0, first],
        [5, [resumed()]],
        [6, [resumed('session'), handedOver]],
      ],
      8,
    ),
  ).toBe(2);
});
