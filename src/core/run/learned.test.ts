import { expect, test } from 'vitest';
import type { RunEvent } from './data/event.ts';
import type { RunState } from './data/state.ts';
import { fold } from './evolve.ts';
import { progressAtEnd, progressWithTask } from './record/progress-text.ts';
import {
  checked,
  checking,
  committed,
  committing,
  delegated,
  plannedTask,
  returned,
  setAside,
  settingAside,
  silent,
  started,
} from './test-rig.ts';

const given = (...events: readonly RunEvent[]): RunState => {
  const state = fold(events);
  if (!state) throw new Error('no event');
  return state;
};
const learning = (event: RunEvent, ...learned: readonly string[]) => ({ ...event, learned }) as RunEvent;
const failed = [
  ...started([plannedTask('1.1'), plannedTask('1.2')]),
  delegated('1.1'),
  learning(returned('1.1', 1, silent), 'the sky is high'),
  settingAside('1.1'),
  setAside('1.1'),
];
const FILE = '# P\n\n## Learnings\n- known\n';

test('what an agent learned goes into the progress file with its task, also from a failed attempt (R-AGT-9)', () => {
  const again = [
    ...failed,
    delegated('1.1', 2),
    learning(returned('1.1', 2), 'known', 'water is wet'),
    checking('1.1', 2),
    checked('1.1', undefined, 2),
    committing('1.1', 2),
  ];
  const text = progressWithTask(given(...again), '1.1', FILE);
  expect(text).toContain('## Learnings\n- known\n- the sky is high\n- water is wet\n');
  expect(given(...again, committed('1.1', 'c1', 2)).learned.size).toBe(0);
});

test('where the task is not recorded, it is written at the end of the run (R-AGT-9)', () => {
  expect(progressAtEnd(given(...failed), FILE)).toContain('- known\n- the sky is high\n');
});
