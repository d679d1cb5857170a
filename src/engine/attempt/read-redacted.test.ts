import { expect, test } from 'vitest';
import { redactor } from '../../core/text/redact.ts';
import { readRedacted } from './read-redacted.ts';

const world = { redact: redactor(['canary-1234']), admissions: [] };
const at = { role: 'executor', taskId: '1.1' } as const;

test('an answer is read without its secrets, and its signal still counts (R-SEC-2)', () => {
  const answer = readRedacted('It prints canary-1234.\n\nTASK_COMPLETE\n', world, at);
  expect(answer).toMatchObject({ signal: 'positive', excerpt: expect.stringContaining('It prints [redacted].') });
  expect(readRedacted('-----BEGIN PRIVATE KEY-----\nTASK_COMPLETE\n', world, at).signal).toBe('positive');
});

test.each([
  ['a known secret', 'test "$x" = canary-1234', true],
  ['a header with a token', 'curl -H "Authorization: Bearer a1B2c3" localhost', true],
  ['a header with a variable', 'curl -H "Authorization: Bearer $TOKEN" localhost', false],
])('proposed tasks that lack %s are refused, as they would be other tasks (R-SEC-2)', (_, verify, isRefused) => {
  const json = JSON.stringify({
    type: 'ADD_FOLLOWUP',
    originalTaskId: '1.1',
    reasoning: '',
    proposedTasks: [`- [ ] 1.2 Look\n  - **Verify**: \`${verify}\``],
  });
  const { request } = readRedacted(`TASK_MODIFICATION_REQUEST\n${json}\n\nTASK_COMPLETE\n`, world, at);
  expect(request).toEqual(
    isRefused ? { malformed: expect.stringContaining('looks like a key, token or password') } : JSON.parse(json),
  );
});
