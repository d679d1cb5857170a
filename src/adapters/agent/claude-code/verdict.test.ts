import { expect, test } from 'vitest';
import { EMPTY_CLAUDE_TRANSCRIPT, readLine } from './events.ts';
import { judgeSession } from './verdict.ts';

function judged(result: string) {
  const line = JSON.stringify({ type: 'result', subtype: 'success', is_error: true, result });
  return judgeSession(readLine(EMPTY_CLAUDE_TRANSCRIPT, line).transcript, { code: 1, stderr: '', now: new Date(0) });
}

test.each([
  ['Claude AI usage limit reached|1764352800', { how: 'rate-limited', resetsAt: '2025-11-28T18:00:00.000Z' }],
  ['Claude usage limit reached. Your limit will reset at 7pm.', { how: 'rate-limited' }],
  ['Credit balance is too low', { how: 'unauthenticated', message: expect.stringContaining('Add credit') }],
  ['I told them: Claude usage limit reached', { how: 'failed' }],
])('an error of an older version, without a name, is known by its words: %s (R-AGT-3)', (text, verdict) => {
  expect(judged(text)).toMatchObject(verdict);
});
