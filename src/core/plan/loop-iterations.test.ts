import { expect, test } from 'vitest';
import { loopIterations } from './loop-iterations.ts';

test.each([
  [0, 5],
  [25, 5],
  [26, 6],
  [50, 10],
  [500, 10],
])('a plan of %i tasks has %i iterations (R-START-9)', (tasks, iterations) => {
  expect(loopIterations(tasks)).toBe(iterations);
});
