import { expect, test } from 'vitest';
import { redactor } from '../../core/text/redact.ts';
import { secretsOf } from './secrets.ts';

test.each([
  'ANTHROPIC_API_KEY',
  'gh_token',
  'CLIENT_SECRET',
  'PGPASSWORD',
  'SSH_PASSPHRASE',
  'X_CREDENTIALS',
  'APIKEY2',
])('the value of %s is a secret (R-SEC-2)', (name) => {
  expect(redactor(secretsOf({ [name]: ' canary-value\n' }))('a canary-value b')).toBe('a [redacted] b');
});

test.each([
  ['PATH', '/usr/bin:/bin'],
  ['NODE_ENV', 'production'],
  ['GOOGLE_APPLICATION_CREDENTIALS', import.meta.filename],
])('the value of %s is none', (name, value) => {
  expect(redactor(secretsOf({ [name]: value }))(`a ${value} b`)).toBe(`a ${value} b`);
});

test('each line of a secret of several lines is one (R-SEC-2)', () => {
  const redact = redactor(secretsOf({ SIGNING_KEY: 'first-line-of-it\nsecond-line-of-it' }));
  expect(redact('first-line-of-it\nsecond-line-of-it')).toBe('[redacted]');
  expect(redact('> second-line-of-it')).toBe('> [redacted]');
});
