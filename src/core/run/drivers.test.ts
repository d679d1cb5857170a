import { expect, test } from 'vitest';
import type { RunEvent } from './data/event.ts';
import type { Holder } from './data/hand-over.ts';
import { progressOf, type RunState } from './data/state.ts';
import { handOvers, otherDriver } from './drivers.ts';
import { fold } from './evolve.ts';
import { delegated, plannedTask, started } from './test-rig.ts';

const holder: Holder = { driver: 'first', token: 't1', until: '2026-01-01T01:00:00.000Z' };
const handedOver = { ...delegated('1.1'), holder } as RunEvent;
const begun = [...started([plannedTask('1.1')]), handedOver];

function after(...events: readonly RunEvent[]): RunState {
  const state = fold([...begun, ...events]);
  if (state === undefined) throw new Error('Nothing was folded.');
  return state;
}

test('an effect that is carried out elsewhere is named with its holder', () => {
  expect(handOvers(after())).toMatchObject([{ effect: { do: 'delegate', task: '1.1' }, holder }]);
  expect(handOvers(fold([...started([plannedTask('1.1')]), delegated('1.1')]))).toEqual([]);
});

test('the same driver goes on with an attempt that is under way; for any other one it ends, and does not count (R-SES-4, R-RETRY-2)', () => {
  const kept = after({ type: 'run-resumed', head: 'c0', driver: 'first' });
  expect(handOvers(kept)).toHaveLength(1);
  expect(kept.globalIteration).toBe(1);
  for (const driver of [{ driver: 'second' }, {}]) {
    const taken = after({ type: 'run-resumed', head: 'c0', ...driver });
    expect(handOvers(taken)).toEqual([]);
    expect(progressOf(taken, '1.1')).toMatchObject({ at: 'failed', blame: 'stop', failures: [] });
    expect(taken.globalIteration).toBe(0);
  }
});

test('another driver has to wait until the lease is over (R-SES-4)', () => {
  const at = (driver: string | undefined, now: string) => otherDriver(after(), { driver, now });
  expect(at('second', '2026-01-01T00:59:59.000Z')).toEqual(holder);
  expect(at(undefined, '2026-01-01T00:59:59.000Z')).toEqual(holder);
  expect(at('second', holder.until)).toBeUndefined();
  expect(at('first', '2026-01-01T00:00:00.000Z')).toBeUndefined();
});
