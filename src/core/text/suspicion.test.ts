import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactor } from './redact.ts';
import { suspicion } from './suspicion.ts';

const X36 = 'a1B2'.repeat(9);
const KNOWN = ['correct horse battery', 'p"ss/wörd+\\\\1', 'aaaaaaaa', '12345678\ud83d'];
const SECRETS = [
  ...['gho_', 'ghp_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_', 'glpat-', 'npm_'].map((start) => start + X36),
  ...['sk-ant-', 'sk-proj-', 'sk-_', 'sk--', 'sk-Z', 'sk-9'].map((start) => start + X36),
  ...[...'abprs'].map((char) => `xox${char}-${X36}`),
  ...['AKIA', 'ASIA'].map((start) => start + 'A1B2'.repeat(4)),
  `-----BEGIN PRIVATE KEY-----\n${X36}\n-----END PRIVATE KEY-----`,
  '-----BEGIN OPENSSH PRIVATE KEY-----',
  'Authorization: Bearer x',
  'aUTHORIZATION=Basic dTpw',
  'https://me:hunter2@example.org/x',
  'postgres://:\u0001@h',
  ...KNOWN,
  ...KNOWN.map((value) => Buffer.from(value).toString('base64url')),
  ...KNOWN.slice(0, 3).map(encodeURIComponent),
];

const anyText = fc.string({ unit: fc.constantFrom(...'ab1 -_:/@"\\\n.', 'sk-', 'gh', 'ö', '://', 'author') });

test.each(SECRETS)('%j is suspicious wherever it stands (R-SEC-2)', (secret) => {
  const isSuspicious = suspicion(KNOWN);
  fc.assert(
    fc.property(anyText, anyText, (before, after) => {
      expect(isSuspicious(Buffer.from(`${before}${secret}${after}`))).toBe(true);
    }),
  );
});

test('what is not suspicious holds nothing that is taken out (R-SEC-2)', () => {
  const isSuspicious = suspicion(KNOWN);
  const redact = redactor(KNOWN);
  fc.assert(
    fc.property(fc.array(fc.oneof(anyText, fc.constantFrom(...SECRETS))), (parts) => {
      const text = parts.join('');
      if (redact(text) !== text) expect(isSuspicious(Buffer.from(text))).toBe(true);
    }),
  );
});

test.each([
  'added 120 packages, and audited 121 packages in 3s\n',
  ' ✓ src/a.test.ts (12 tests) 34ms\n',
  'GET http://localhost:3000/@scope/name 200, me@example.org\n',
  'the author wrote to http://example.org:80/a@b\n',
])('%j is not suspicious', (text) => {
  expect(suspicion(KNOWN)(Buffer.from(text))).toBe(false);
});
