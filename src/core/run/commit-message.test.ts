import { expect, test } from 'vitest';
import { commitMessages, filledIn, planChange } from './commit-message.ts';

test.each([
  ['ADD_PREREQUISITE', 'chore(spec): add 1.1.1, 1.1.2 before 1.1'],
  ['ADD_FOLLOWUP', 'chore(spec): add 1.1.1, 1.1.2 after 1.1'],
  ['SPLIT_TASK', 'chore(spec): split 1.1 into 1.1.1, 1.1.2'],
] as const)('the commit of a plan that %s changed says what became of it (R-MOD-3)', (type, subject) => {
  const change = planChange({ type, originalTaskId: '1.1' }, '1.1.1, 1.1.2');
  expect(filledIn(commitMessages().plan, { spec: 'demo', task: '1.1', change })).toBe(subject);
});
