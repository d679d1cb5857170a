import { expect, test } from 'vitest';
import { readHookInput } from './hook-input.ts';

test('what is no JSON object tells a hook nothing (R-SES-5)', () => {
  for (const text of ['', 'no', '{', '[]', 'null', '5', '"a"', '['.repeat(200_000)])
    expect(readHookInput(text), text.slice(0, 20)).toBeUndefined();
});

test('a field of another type counts as absent (R-SES-5)', () => {
  const nothing = { isContinued: false, hasBackgroundTasks: false };
  const odd = { cwd: 5, session_id: null, stop_hook_active: 'yes', last_assistant_message: {}, background_tasks: {} };
  expect(readHookInput(JSON.stringify(odd))).toEqual(nothing);
  for (const session_id of ['', 'a\nb', '\u001b[1m', 'x'.repeat(201), ' a'])
    expect(readHookInput(JSON.stringify({ session_id }))).toEqual(nothing);
});

test('what is given is read, after a byte order mark too (R-SES-5)', () => {
  const fields = { cwd: '/a', session_id: 's', stop_hook_active: true, last_assistant_message: 'Well.' };
  expect(readHookInput(`\uFEFF${JSON.stringify(fields)}`)).toEqual({
    cwd: '/a',
    sessionId: 's',
    isContinued: true,
    hasBackgroundTasks: false,
    lastMessage: 'Well.',
  });
});

test('a background task is at work until it says that it ended (R-SES-5)', () => {
  const has = (...background_tasks: readonly unknown[]) =>
    readHookInput(JSON.stringify({ background_tasks }))?.hasBackgroundTasks;
  expect(has()).toBe(false);
  expect(has({ id: '1', status: 'completed' })).toBe(false);
  expect(has({ id: '1', status: 'completed' }, { id: '2', status: 'running' })).toBe(true);
  expect(has({ id: '1' })).toBe(true);
});
