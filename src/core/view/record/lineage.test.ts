import { expect, test } from 'vitest';
import { nothingCarried } from '../../run/data/carried.ts';
import { plannedTask } from '../../run/test-rig.ts';
import { origins } from './lineage.ts';

test('added tasks tell where they come from, in plan order (R-REC-4, R-MOD-3)', () => {
  const request = (type: string, ...tasks: string[]) => ({ count: 1, modifications: [{ type, tasks, reason: 'r' }] });
  const carried = {
    ...nothingCarried,
    modifications: {
      '2.1': request('SPLIT_TASK', '2.1.1', '2.1.2'),
      '2.2': request('ADD_PREREQUISITE', '2.2.1'),
      '2.3': request('ADD_FOLLOWUP', '2.3.1'),
    },
  };
  const ids = ['1.1', '2.1', '2.1.1', '2.1.2', '2.2.1', '2.2', '2.3', '2.3.1'];
  const tasks = [...ids.map((id) => plannedTask(id)), plannedTask('1.1.1', { fixes: '1.1' })];
  expect(origins({ tasks, carried }).map(({ task, relation, of }) => `${task} ${relation} ${of}`)).toEqual([
    '2.1.1 split from 2.1',
    '2.1.2 split from 2.1',
    '2.2.1 prerequisite of 2.2',
    '2.3.1 follow-up of 2.3',
    '1.1.1 fix of 1.1',
  ]);
});
