import { expect, test } from 'vitest';
import { nothingCarried } from '../data/carried.ts';
import { fold } from '../evolve.ts';
import { plannedTask, started } from '../test-rig.ts';
import { carry } from './carry.ts';

const last = () => {
  const state = fold(started([plannedTask('1.1')]));
  if (!state) throw new Error('no state');
  return state;
};
const fix = (attempts: number, ...fixTaskIds: string[]) => ({ attempts, fixTaskIds, lastError: 'e' });

test('the higher count of fixes holds, whether the journal or the state file tells it (R-REC-3)', () => {
  const state = { ...last(), carried: { ...nothingCarried, fixes: { '1.1': fix(2, '1.1.1', '1.1.2') } } };
  expect(carry(state, { fixTaskMap: { '1.1': { attempts: 0 }, '1.2': fix(3, '1.2.1') } }).fixes).toEqual({
    '1.1': fix(2, '1.1.1', '1.1.2'),
    '1.2': fix(3, '1.2.1'),
  });
  expect(carry(undefined, { modificationMap: { '1.1': { count: 3 } } }).modifications['1.1']?.count).toBe(3);
});

test('tests that were left broken or unseen are judged by the old baseline in the next run, and only then (R-ADV-3)', () => {
  const broken = { ...last(), tests: { baseline: ['old'], unseen: '1.1', isRunning: false, broken: 'x' } };
  expect(carry(broken, {}).tests).toEqual({ baseline: ['old'], unseen: '1.1' });
  expect(carry({ ...last(), tests: { baseline: ['old'], isRunning: false } }, {}).tests).toBeUndefined();
});
