import { expect, test } from 'vitest';
import { fixDepth, lineage, nextFixId } from './fix-id.ts';
import { plannedTask } from './test-rig.ts';

test('the next number is after all that the plan uses below the id (R-REC-5)', () => {
  const tasks = ['1.3', '1.3.4', '1.30', '1.3.4.9'].map((id) => ({ id }));
  expect(nextFixId(tasks, '1.3')).toBe('1.3.5');
  expect(nextFixId(tasks, '1.30')).toBe('1.30.1');
});

test('depth counts dots and fixes, whichever is more (R-REC-3)', () => {
  const tasks = [
    plannedTask('1.3'),
    plannedTask('1.3.1', { fixes: '1.3' }),
    plannedTask('1.3.1.1', { fixes: '1.3.1' }),
    plannedTask('a.1', { fixes: 'a' }),
    plannedTask('a.1.1', { fixes: 'a.1' }),
  ];
  expect(tasks.map((task) => fixDepth(tasks, task))).toEqual([0, 1, 2, 1, 2]);
});

test('a chain of fixes that runs in a circle ends', () => {
  const tasks = [plannedTask('1.1', { fixes: '1.2' }), plannedTask('1.2', { fixes: '1.1' })];
  expect(tasks.map((task) => lineage(tasks, task))).toEqual([
    ['1.1', '1.2'],
    ['1.2', '1.1'],
  ]);
});
