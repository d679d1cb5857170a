import { expect, test } from 'vitest';
import { isFinalAnswer, promptIn } from './helper-answer.ts';

test('a signal of whichever role ends the work of a helper; what it says in between does not (R-SES-3, R-DEL-4)', () => {
  for (const message of ['TASK_COMPLETE', 'Done.\n\nTASK_FAILED', 'VERIFICATION_FAIL', 'Fine.\nREVIEW_PASS'])
    expect(isFinalAnswer(message), message).toBe(true);
  expect(isFinalAnswer('TASK_MODIFICATION_REQUEST\n```json\n{}\n```')).toBe(true);
  expect(isFinalAnswer('I wait for the tests.')).toBe(false);
});

test('the prompt of a helper is the first thing in its transcript (R-SES-3)', () => {
  const line = (type: string, content: unknown) => `${JSON.stringify({ type, message: { content } })}\n`;
  expect(promptIn(line('system', 'x') + line('user', 'Do it.\n\ntoken') + line('user', 'later'))).toBe(
    'Do it.\n\ntoken',
  );
  expect(promptIn(line('user', [{ type: 'text', text: 'Do it.' }, 5]))).toBe('Do it.');
  expect([promptIn(''), promptIn('{"type":"user"'), promptIn('{"type":"user"}')]).toEqual(['', '', '']);
});

test('Codex puts words of its own before the prompt of a helper, and all it was given is looked at (R-SES-3)', () => {
  const item = (role: string, text: string) =>
    `${JSON.stringify({ type: 'response_item', payload: { type: 'message', role, content: [{ type: 'input_text', text }] } })}\n`;
  const meta = `${JSON.stringify({ type: 'session_meta', payload: { id: 'x' } })}\n`;
  const said = meta + item('developer', 'rules') + item('user', '<environment>') + item('user', 'Do it.\n\ntoken');
  expect(promptIn(said + item('assistant', 'Yes.') + item('user', 'later'))).toBe('<environment>\nDo it.\n\ntoken');
});
