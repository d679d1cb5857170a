import { expect, test } from 'vitest';
import { allowedEnvironment } from './environment.ts';

test('a program sees what every program needs, what it is given by name or beginning, and no more (R-SEC-2)', () => {
  const source = {
    PATH: '/bin',
    HOME: '/home/a',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    TMPDIR: '/tmp',
    GITHUB_TOKEN: 'secret',
    ANTHROPIC_API_KEY: 'key',
    ANTHROPIC_BASE_URL: 'url',
    MY_ANTHROPIC: 'x',
    HOME_2: 'x',
    EMPTY: '',
    GONE: undefined,
  };
  const allowed = allowedEnvironment(source, { pass: ['ANTHROPIC_*', 'EMPTY', 'GONE', 'HOM'] });
  expect(allowed).toEqual({
    PATH: '/bin',
    HOME: '/home/a',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    TMPDIR: '/tmp',
    ANTHROPIC_API_KEY: 'key',
    ANTHROPIC_BASE_URL: 'url',
    EMPTY: '',
  });
});

test('names that are special to JavaScript are names like others', () => {
  const source = JSON.parse('{"__proto__": "a", "constructor": "b"}');
  expect(Object.entries(allowedEnvironment(source, { pass: ['__proto__', 'constructor'] }))).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
});
