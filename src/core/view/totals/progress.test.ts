import { describe, expect, test } from 'vitest';
import { instantMs } from '../../instant.ts';
import type { RunEvent } from '../../run/data/event.ts';
import {
  batch,
  begun,
  broken,
  checked,
  checking,
  committing,
  delegated,
  envelopes,
  instant,
  recorded,
  rejected,
  returned,
  setAside,
  settingAside,
  task,
} from '../test-rig.ts';
import { type Progress, progress } from './progress.ts';
import { tallyOf } from './tally.ts';

const plan = [task('1.1'), task('1.2'), task('1.3', { checked: true })];

/** Where a run is so many seconds after noon. */
function progressAt(seconds: number, ...events: readonly (RunEvent | readonly RunEvent[])[]): Progress {
  const run = tallyOf(envelopes(...events));
  if (run === undefined) throw new Error('A run has at least one event.');
  return progress(run.state, run.tally, instantMs(instant(seconds)));
}

test('every screen gets the same numbers from one place (R-PARSE-1)', () => {
  const costly = returned('1.2', { usage: { costUsd: 0.5, inputTokens: 100, outputTokens: 20 } });
  expect(
    progressAt(205, begun(plan), rejected('1.1'), recorded('1.1', 2), delegated('1.2'), costly, checking('1.2')),
  ).toEqual({
    total: 3,
    done: 2,
    current: { index: 1, id: '1.2', title: 'Add part 1.2' },
    moving: [
      { key: '1.2', id: '1.2', title: 'Add part 1.2', attempt: 1, step: 'verify', stepMs: 35_000, taskMs: 55_000 },
    ],
    attempts: 3,
    rejectedClaims: 1,
    elapsedMs: 205_000,
    spent: { costUsd: 0.5, tokens: 120 },
  });
});

describe('the step a task is in', () => {
  const limited = returned('1.1', { how: 'rate-limited', message: 'Limit.', answer: { signal: 'none', excerpt: '' } });
  const wait: RunEvent = {
    type: 'effect-started',
    effect: { do: 'wait', task: '1.1', attempt: 1, pause: { forMs: 60_000 } },
  };
  test.each<[string, readonly (RunEvent | readonly RunEvent[])[]]>([
    ['agent', [delegated('1.1')]],
    ['verify', [delegated('1.1'), returned('1.1'), checking('1.1')]],
    ['commit', [delegated('1.1'), returned('1.1'), checking('1.1'), checked('1.1'), committing('1.1')]],
    ['set-aside', [rejected('1.1').slice(0, 5)]],
    ['wait', [delegated('1.1'), limited, settingAside('1.1'), setAside('1.1'), wait]],
  ])('%s', (step, events) => {
    expect(progressAt(300, begun(plan), ...events).moving.map((moving) => moving.step)).toEqual([step]);
  });

  test('between two attempts there is none', () => {
    expect(progressAt(300, begun(plan), rejected('1.1')).moving).toEqual([]);
  });
});

test('once a run is over its time stands still and nothing moves', () => {
  const finished: RunEvent = { type: 'run-finished', result: 'completed', reason: '', head: 'c1' };
  const over = progressAt(9000, begun(plan), recorded('1.1'), recorded('1.2'), finished);
  expect([over.elapsedMs, over.moving, over.current]).toEqual([150_000, [], undefined]);
});

test('a task that broke the proof of a neighbour was a rejected claim (R-PAR-5)', () => {
  const pair = [task('1.1', { parallel: true }), task('1.2', { parallel: true })];
  const { done, rejectedClaims } = progressAt(300, begun(pair), batch('1.1', '1.2'), broken('1.2', '1.1'));
  expect([done, rejectedClaims]).toEqual([1, 1]);
});
