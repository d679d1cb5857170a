import { expect, test } from 'vitest';
import type { RunEvent } from './data/event.ts';
import { progressOf, type RunState } from './data/state.ts';
import { fold } from './evolve.ts';
import { nextAttempt } from './next-attempt.ts';
import { delegated, plannedTask, returned, setAside, settingAside, silent, started } from './test-rig.ts';

const given = (...events: readonly RunEvent[]): RunState => {
  const state = fold(events);
  if (!state) throw new Error('no event');
  return state;
};
const two = [plannedTask('1.1'), plannedTask('V1', { verify: true })];

test('a task that was not begun gets the prompt of its first attempt, by the role of its marker (R-AGT-7, R-DEL-2)', () => {
  const state = given(...started(two));
  expect(nextAttempt(state, '1.1')).toMatchObject({ attempt: 1, role: 'executor', lane: { kind: 'tree' } });
  expect(nextAttempt(state, 'V1')).toMatchObject({ attempt: 1, role: 'verifier' });
  expect(nextAttempt(state, '1.1', 'reviewer')).toMatchObject({ attempt: 1, role: 'reviewer' });
});

test('the next attempt learns of a failure, whether its work is put away yet or not (R-AGT-7, R-RETRY-1)', () => {
  const failed = [...started(two), delegated('1.1'), returned('1.1', 1, silent)];
  const after = [...failed, settingAside('1.1'), setAside('1.1')];
  for (const events of [failed, failed.concat(settingAside('1.1')), after]) {
    const { attempt, state } = nextAttempt(given(...events), '1.1');
    expect(attempt).toBe(2);
    expect(progressOf(state, '1.1').failures).toHaveLength(1);
  }
});

test('a task that gave up begins anew with the next run (R-AGT-7, R-RETRY-1)', () => {
  const failed = [...started(two, { maxTaskIterations: 1 }), delegated('1.1'), returned('1.1', 1, silent)];
  const { attempt, state } = nextAttempt(given(...failed), '1.1');
  expect(attempt).toBe(1);
  expect(progressOf(state, '1.1').failures).toEqual([]);
});

test('only members of a batch that shares the tree have a progress file of their own (R-AGT-7, R-PAR-3)', () => {
  const parallel = ['1.1', '1.2'].map((id) =>
    plannedTask(id, { parallel: true, files: [`${id}.txt`], filesKnown: true }),
  );
  const tasks = [...parallel, plannedTask('1.3')];
  const lanes = (policy: object) => {
    const state = given(...started(tasks, { jobs: 2, ...policy }));
    return tasks.map(({ key }) => nextAttempt(state, key).lane.kind);
  };
  expect(lanes({ isolation: 'shared' })).toEqual(['shared', 'shared', 'tree']);
  expect(lanes({ isolation: 'worktree' })).toEqual(['tree', 'tree', 'tree']);
});
