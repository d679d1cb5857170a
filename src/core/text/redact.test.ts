import { describe, expect, test } from 'vitest';
import { redactor } from './redact.ts';

const none = redactor([]);
const X36 = 'a1B2'.repeat(9);

describe('what looks like a secret', () => {
  test.each([
    `ghp_${X36}`,
    `gho_${X36}`,
    `github_pat_${X36}_${X36}`,
    `sk-ant-api03-${X36}`,
    `sk-${X36}`,
    `sk-proj-${X36}`,
    `AKIA${'A1B2'.repeat(4)}`,
    `glpat-${X36}`,
    `xoxb-${X36}`,
    `npm_${X36}`,
    `-----BEGIN RSA PRIVATE KEY-----\n${X36}\n-----END RSA PRIVATE KEY-----`,
    `-----BEGIN PRIVATE KEY-----\n${X36}\n${X36}`,
    `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A\n\n${X36}`,
    JSON.stringify(`-----BEGIN PRIVATE KEY-----\n${X36}\n${X36}`).slice(1, -1),
  ])('%j is taken out (R-SEC-2)', (secret) => {
    expect(none(`key=${secret}`)).toBe('key=[redacted]');
  });

  test.each([
    [`Authorization: Bearer ${X36}`, 'Authorization: [redacted]'],
    ['authorization: Basic dTpw', 'authorization: [redacted]'],
    [`{"Authorization": "token ${X36}", "a": 1}`, '{"Authorization": "[redacted]", "a": 1}'],
    ['{"c": "curl -H \\"Authorization: Bearer a1B2\\" x"}', '{"c": "curl -H \\"Authorization: [redacted]\\" x"}'],
    ['https://me:hunter2@example.org/x', 'https://me:[redacted]@example.org/x'],
  ])('%j reads %j (R-SEC-2)', (text, shown) => {
    expect(none(text)).toBe(shown);
  });

  test.each([
    'task-force',
    'sk-short',
    'ghp_short',
    'desk-aaaaaaaaaaaaaaaaaaaaaaaaaa',
    'http://example.org:80/a@b',
    'a commit 0123456789abcdef',
    'curl -H "Authorization: Bearer $TOKEN" https://me:$PASSWORD@example.org',
    "Authorization: <token>, 'Authorization: token {{ secrets.X }}'",
  ])('%j is left alone', (text) => {
    expect(none(text)).toBe(text);
  });
});

test('text after the mere name of a private key is left alone', () => {
  const text = 'It reads "-----BEGIN PRIVATE KEY-----".\n\nTASK_COMPLETE\nInternationalisation_is_done\n';
  expect(none(text)).toBe(text.replace('-----BEGIN PRIVATE KEY-----', '[redacted]'));
  expect(none('-----BEGIN PRIVATE KEY-----\nTASK_COMPLETE')).toBe('[redacted]\nTASK_COMPLETE');
});

describe('a known secret', () => {
  const secret = 'p"ss/wörd+\\1';
  const redact = redactor([secret, 'short']);
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  test.each([
    ['as it is', secret],
    ['in a URL', encodeURIComponent(secret)],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
  ])('%s is taken out (R-SEC-2)', (_, form) => {
    expect(redact(`<${form}>`)).toBe('<[redacted]>');
  });

  test.each(['', 'a', 'ab', 'abc', 'user:'])('in base64 after %j is taken out (R-SEC-2)', (before) => {
    for (const form of [
      base64(`${before}${secret} and more`),
      Buffer.from(`${before}${secret}`).toString('base64url'),
    ]) {
      expect(redact(form)).toContain('[redacted]');
      expect(Buffer.from(redact(form).replaceAll('[redacted]', ''), 'base64').toString()).not.toContain('ss/w');
    }
  });

  test('is taken out whole when another one is its beginning', () => {
    expect(redactor(['abcdefgh', 'abcdefghijkl'])('abcdefghijkl')).toBe('[redacted]');
  });

  test('is left alone when it is too short to be one', () => {
    expect(redact('in short')).toBe('in short');
  });

  test('with half a surrogate pair breaks nothing', () => {
    expect(redactor(['12345678\ud83d'])('a 12345678\ud83d b')).toBe('a [redacted] b');
  });
});

test.each([
  ['a colour', '\x1b[0m'],
  ['a title', '\x1b]0;title\x07'],
  ['an 8-bit sequence', '\u009b0m'],
  ['a character that is not seen', '\0'],
])('a secret that %s cuts in two is taken out, and other lines stay as they are (R-SEC-2)', (_, cut) => {
  const redact = redactor(['canary-1234567890']);
  expect(redact(`\x1b[1mred\x1b[0m\nkey canar${cut}y-1234567890.\n`)).toBe('\x1b[1mred\x1b[0m\nkey [redacted].\n');
  expect(redact(`a ghp_${'a1B2'.repeat(4)}${cut}${'a1B2'.repeat(5)} b`)).toBe('a [redacted] b');
});

test('a JSON web token is taken out (R-SEC-2)', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: '1234567890' })}.dGhlLXNpZ25hdHVyZQ`;
  expect(redactor([])(`it is ${token}.`)).toBe('it is [redacted].');
});
