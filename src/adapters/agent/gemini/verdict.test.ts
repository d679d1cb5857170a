import { expect, test } from 'vitest';
import { EMPTY_GEMINI_TRANSCRIPT, readLine } from './events.ts';
import { judgeSession } from './verdict.ts';

const NOW = new Date('2026-11-28T10:00:00.000Z');

test('the end of a limit that is given as a duration is counted from now (R-AGT-3)', () => {
  const message = '[API Error: You have exhausted your capacity on this model. Your quota will reset after 3h20m1s.]';
  const line = JSON.stringify({ type: 'result', status: 'error', error: { type: 'unknown', message } });
  const { transcript } = readLine(EMPTY_GEMINI_TRANSCRIPT, line);
  expect(judgeSession(transcript, { code: 173, stderr: '', now: NOW })).toMatchObject({
    how: 'rate-limited',
    resetsAt: '2026-11-28T13:20:01.000Z',
  });
});
