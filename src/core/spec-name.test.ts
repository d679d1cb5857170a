import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkSpecName } from './spec-name.ts';

test.each(['demo', 'a', '2fa', 'user-login-2', 'a'.repeat(64)])('%s is the name of a spec (R-FILE-1)', (name) => {
  expect(checkSpecName(name)).toEqual({ ok: true });
});

test.each([
  ['../demo', '"../demo" is not the name of a spec.', 'Give the name of the folder below specs/ alone, not a path.'],
  ['a\\b', '"a\\\\b" is not the name of a spec.', 'Give the name of the folder below specs/ alone, not a path.'],
  [
    'De mo',
    '"De mo" is not the name of a spec.',
    'A name has lower-case letters and digits, in words joined by single hyphens, at most 64 characters, as "de-mo".',
  ],
  [
    '',
    '"" is not the name of a spec.',
    'A name has lower-case letters and digits, in words joined by single hyphens, at most 64 characters.',
  ],
])('%j is refused with what to do (R-FILE-1)', (name, message, hint) => {
  expect(checkSpecName(name)).toEqual({ ok: false, message, hint });
});

test.each([
  '.',
  '..',
  '/etc',
  '-rf',
  '-x',
  'a--b',
  'a-',
  'CON',
  'a b;c',
  'a\n',
  'a\0',
  'ü',
  '.git',
  'a'.repeat(65),
  'x'.repeat(300),
])('%j is refused (R-FILE-1)', (name) => {
  expect(checkSpecName(name).ok).toBe(false);
});

test('whatever passes is one plain path segment', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z0-9./\\-]*$/)), (name) => {
      expect(checkSpecName(name).ok).toBe(/^[a-z0-9-]{1,64}$/.test(name) && !/^-|--|-$/.test(name));
    }),
  );
});
