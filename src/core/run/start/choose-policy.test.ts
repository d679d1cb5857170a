import { expect, test } from 'vitest';
import { defaultPolicy } from '../../policy.ts';
import { choosePolicy } from './choose-policy.ts';

const none = { told: {}, stated: {}, configured: {}, totalTasks: 50 };

test('the cap of all attempts is three times the plan, but at least 100 (R-START-4)', () => {
  expect(choosePolicy(none).maxGlobalIterations).toBe(150);
  expect(choosePolicy({ ...none, totalTasks: 3 }).maxGlobalIterations).toBe(100);
});

test('a state file without a journal is a wish, and a flag overrules it (R-START-4, R-FILE-4)', () => {
  const stated = { maxTaskIterations: 2 };
  expect(choosePolicy({ ...none, stated, configured: { maxTaskIterations: 7 } }).maxTaskIterations).toBe(2);
  expect(choosePolicy({ ...none, stated, told: { maxTaskIterations: 9 } }).maxTaskIterations).toBe(9);
});

test('what the last run wrote is no wish, what a person changed since is (R-FILE-7)', () => {
  const previous = { policy: { ...defaultPolicy(3), maxTaskIterations: 2 }, resumes: false };
  expect(choosePolicy({ ...none, stated: { maxTaskIterations: 2 }, previous }).maxTaskIterations).toBe(5);
  expect(choosePolicy({ ...none, stated: { maxTaskIterations: 8 }, previous }).maxTaskIterations).toBe(8);
});

test('a resumed run keeps its limits and flags unless others are given (R-RETRY-1)', () => {
  const previous = { policy: { ...defaultPolicy(3), recoveryMode: true }, resumes: true };
  expect(choosePolicy({ ...none, previous }).recoveryMode).toBe(true);
  expect(choosePolicy({ ...none, previous, told: { recoveryMode: false } }).recoveryMode).toBe(false);
});
