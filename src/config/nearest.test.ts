import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const keys = ['maxTaskIterations', 'maxGlobalIterations', 'jobs', 'scope', 'agent'];

test.each([
  ['maxTaskIteration', 'maxTaskIterations'],
  ['max-task-iterations', 'maxTaskIterations'],
  ['max_global_iterations', 'maxGlobalIterations'],
  ['JOBS', 'jobs'],
  ['jbos', 'jobs'],
  ['agnet', 'agent'],
])('%s was meant to be %s (R-UX-1)', (word, meant) => {
  expect(nearest(word, keys)).toBe(meant);
});

test('a word that is far from all has no suggestion', () => {
  expect(nearest('colour', keys)).toBeUndefined();
  expect(nearest('x', keys)).toBeUndefined();
});
