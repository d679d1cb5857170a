import { expect, test } from 'vitest';
import { approvedThrough, withApprovedThrough } from './approved-through.ts';
import { DOCUMENTS } from './steps.ts';

test('the front matter says how far the documents are approved without a gap; all else of the file stays (R-GATE-4)', () => {
  expect(approvedThrough(DOCUMENTS, ['research', 'requirements', 'tasks'])).toBe('requirements');
  expect(approvedThrough(DOCUMENTS, DOCUMENTS)).toBe('tasks');
  expect(approvedThrough(['research', 'tasks'], ['tasks'])).toBeUndefined();
  const before = '---\r\nspec: demo\r\napproved_through: research\r\nupdated: x\r\n---\r\n# P\r\n';
  expect(withApprovedThrough(before, 'design')).toBe(before.replace('through: research', 'through: design'));
  expect(withApprovedThrough('---\nspec: demo\n---\n# P\n', undefined)).toBe(
    '---\nspec: demo\napproved_through: none\n---\n# P\n',
  );
  expect(withApprovedThrough('# P\n\napproved_through: x\n', 'design')).toBe('# P\n\napproved_through: x\n');
});
