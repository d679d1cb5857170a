import { expect, test } from 'vitest';
import { tokenIn, withToken } from './token-line.ts';

test('the prompt of a delegation holds its token on a line of its own (R-SES-3)', () => {
  const token = '0b7f8a3e-0f4e-4a39-9f6b-1c2d3e4f5a6b';
  const prompt = withToken('Task: Execute task 0 for spec demo\n', token);
  expect(prompt.startsWith('Task: Execute task 0 for spec demo\n')).toBe(true);
  expect(tokenIn(prompt)).toBe(token);
  expect(tokenIn('Task: Execute task 0\n')).toBeUndefined();
  expect(tokenIn(`> specloop token: ${token}`)).toBeUndefined();
});
