import { describe, expect, test } from 'vitest';
import type { Policy } from '../policy.ts';
import type { RunEvent } from './data/event.ts';
import { fold } from './evolve.ts';
import { laneOf } from './lane-of.ts';
import { delegated, plannedTask, play, returned, started } from './test-rig.ts';

const tasks = ['1.1', '1.2', '1.3'].map((id) =>
  plannedTask(id, { parallel: id !== '1.3', files: [`${id}.ts`], filesKnown: true }),
);
const opened: readonly RunEvent[] = [
  { type: 'effect-started', effect: { do: 'open-batch', members: ['1.1', '1.2'], base: 'c0' } },
  { type: 'batch-opened', members: ['1.1', '1.2'], base: 'c0' },
];

function lanesIn(isolation: Policy['isolation'], ...events: readonly RunEvent[]) {
  const state = fold([...started(tasks, { jobs: 2, isolation }), ...opened, ...events]);
  if (state === undefined) throw new Error('There is no state.');
  return tasks.map(({ key }) => laneOf(state, key));
}

describe('where an attempt works', () => {
  test("members of a batch work in worktrees made at its base, all else in the user's tree (R-PAR-3)", () => {
    const member = { kind: 'worktree', base: 'c0' };
    expect(lanesIn('worktree')).toEqual([member, member, { kind: 'tree' }]);
  });

  test('with isolation shared, members know each other, and each has a progress file (R-PAR-3, R-PAR-4)', () => {
    const member = { kind: 'shared', members: ['1.1', '1.2'], tip: 'c0', holdsOthers: false };
    expect(lanesIn('shared')).toEqual([
      { ...member, progressFile: '.progress-task-0.md' },
      { ...member, progressFile: '.progress-task-1.md' },
      { kind: 'tree' },
    ]);
  });

  test('a shared tree holds the work of others as long as one of them is not recorded or set aside (R-PAR-3)', () => {
    const [first, second] = lanesIn('shared', delegated('1.1'));
    expect([first, second]).toMatchObject([{ holdsOthers: false }, { holdsOthers: true }]);
  });

  test('every effect on the work of an attempt says where it is (R-PAR-3)', () => {
    const lane = { kind: 'worktree', base: 'c0' };
    const before = play(tasks.slice(0, 2), { jobs: 2, isolation: 'worktree' });
    expect(before.effects.slice(-2)).toMatchObject([
      { do: 'delegate', task: '1.1', lane },
      { do: 'delegate', task: '1.2', lane },
    ]);
    const { effects } = play(tasks.slice(0, 2), { jobs: 2, isolation: 'worktree' }, returned('1.1'));
    expect(effects).toMatchObject([{ do: 'check', task: '1.1', lane }]);
  });
});
