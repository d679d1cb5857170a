import { expect, test } from 'vitest';
import { plannedTask } from '../test-rig.ts';
import { commitMessage, commitMessages, filledIn, planChange } from './commit-message.ts';

test.each([
  ['ADD_PREREQUISITE', 'chore(spec): add 1.1.1, 1.1.2 before 1.1'],
  ['ADD_FOLLOWUP', 'chore(spec): add 1.1.1, 1.1.2 after 1.1'],
  ['SPLIT_TASK', 'chore(spec): split 1.1 into 1.1.1, 1.1.2'],
] as const)('the commit of a plan that %s changed says what became of it (R-MOD-3)', (type, subject) => {
  const change = planChange({ type, originalTaskId: '1.1' }, '1.1.1, 1.1.2');
  expect(filledIn(commitMessages().plan, { spec: 'demo', task: '1.1', change })).toBe(subject);
});

test.each([
  ['1.1', 'Add a file', '1.1 Add a file'],
  ['add-a-file', 'Add a file', 'Add a file'],
  ['add-a-file-2', 'Add a file', 'Add a file'],
  ['add-a-file-b', 'Add a file', 'add-a-file-b Add a file'],
])('without a message the commit of %j, %j says %j (R-ADV-1)', (id, title, subject) => {
  const task = plannedTask(id, { title, commitKind: 'missing', commit: null });
  expect(commitMessage(task, { index: 0, spec: 'demo', messages: commitMessages() })).toBe(subject);
});
