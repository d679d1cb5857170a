import { describe, expect, test } from 'vitest';
import type { RunEvent } from './data/event.ts';
import { plannedTask, play, returned, setAside, silent } from './test-rig.ts';

const two = [plannedTask('1.1'), plannedTask('1.2')];
const off = { review: 'off' as const, stallAfter: 10, maxTaskIterations: 10 };

/** An attempt whose agent left with an exit code, with these differences, and then its work, if any. */
function failed(attempt: number, differences: object = {}, aside = setAside('1.1', attempt)): readonly RunEvent[] {
  const end = { ...returned('1.1', attempt, silent), how: 'failed', message: 'It left.', ...differences } as RunEvent;
  return [end, aside];
}

const waited = (attempt: number): RunEvent => ({ type: 'waited', task: '1.1', attempt });
const begun = (attempt: number) => [{ do: 'delegate', task: '1.1', attempt }];
const pause = (forMs: number) => [{ do: 'wait', task: '1.1', pause: { forMs, why: 'ended-at-once' } }];

describe('an agent that ends at once, with a failure and nothing else (R-AGT-4)', () => {
  test('is started again after a pause that grows; each attempt counts (R-RETRY-1)', () => {
    expect(play(two, off, ...failed(1)).effects).toMatchObject(pause(1_000));
    expect(play(two, off, ...failed(1), waited(2)).effects).toMatchObject(begun(2));
    const second = [...failed(1), waited(2), ...failed(2)];
    expect(play(two, off, ...second).effects).toMatchObject(pause(2_000));
    const third = [...second, waited(3), ...failed(3)];
    expect(play(two, off, ...third).effects).toMatchObject(pause(4_000));
    expect(play(two, { ...off, maxTaskIterations: 3 }, ...third).effects).toMatchObject([{ do: 'finish' }]);
  });

  test.each([
    ['took longer', { durationMs: 5_000 }],
    ['reported what is wrong', { answer: { ...silent, report: { error: 'x', attemptedFix: 'y', status: 'z' } } }],
    ['gave a signal', { answer: { ...silent, signal: 'negative' } }],
    ['left in order', { how: 'completed' }],
  ])('one that %s is started again at once', (_what, differences) => {
    expect(play(two, off, ...failed(1, differences)).effects).toMatchObject(begun(2));
  });

  test('one that left work is started again at once, and begins the count anew', () => {
    const kept = { ...setAside('1.1', 2), kept: { ref: 'refs/x', treeId: 't' } } as RunEvent;
    const events = [...failed(1), waited(2), ...failed(2, {}, kept)];
    expect(play(two, off, ...events).effects).toMatchObject(begun(3));
    expect(play(two, off, ...events, ...failed(3)).effects).toMatchObject(pause(1_000));
  });
});
