import { expect, test } from 'vitest';
import { EMPTY_OPENCODE_TRANSCRIPT, readLine } from './events.ts';
import { judgeRun } from './verdict.ts';

const NOW = new Date('2026-11-28T10:00:00.000Z');

test.each([
  [{ 'Retry-After': '90' }, '2026-11-28T10:01:30.000Z'],
  [{ 'retry-after-ms': '1500' }, '2026-11-28T10:00:01.500Z'],
  [{ 'retry-after': 'Sat, 28 Nov 2026 11:00:00 GMT' }, '2026-11-28T11:00:00.000Z'],
  [{ 'retry-after': 'soon' }, undefined],
  [{}, undefined],
])('the end of a limit is read from the headers %j (R-AGT-3)', (responseHeaders, resetsAt) => {
  const error = { name: 'APIError', data: { message: 'Rate limit reached', statusCode: 429, responseHeaders } };
  const { transcript } = readLine(EMPTY_OPENCODE_TRANSCRIPT, JSON.stringify({ type: 'error', error }));
  const verdict = judgeRun(transcript, { code: 1, stderr: '', now: NOW });
  expect(verdict.how).toBe('rate-limited');
  expect(verdict.resetsAt).toBe(resetsAt);
});
