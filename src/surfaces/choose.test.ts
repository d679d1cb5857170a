import { describe, expect, test } from 'vitest';
import { chooseView, mayColour, mayShowTaskbar, mayUseUnicode, type OutputPlace } from './choose.ts';

const terminal: OutputPlace = {
  stderr: { isTTY: true, columns: 80 },
  stdoutIsTTY: true,
  env: { TERM: 'xterm-256color' },
  json: false,
  ui: 'auto',
};

describe('the view is chosen by the place (R-UX-1, R-UX-2)', () => {
  test.each<[string, Partial<OutputPlace>, string]>([
    ['a terminal', {}, 'live'],
    ['a pipe', { stderr: { isTTY: false } }, 'plain'],
    ['a narrow terminal', { stderr: { isTTY: true, columns: 39 } }, 'plain'],
    ['a terminal of unknown width', { stderr: { isTTY: true } }, 'live'],
    ['a dumb terminal', { env: { TERM: 'dumb' } }, 'plain'],
    ['CI', { env: { CI: 'true' } }, 'plain'],
    ['CI that is switched off', { env: { CI: 'false' } }, 'live'],
    ['events into a file', { json: true, stdoutIsTTY: false }, 'live'],
    ['events on the same terminal', { json: true }, 'silent'],
  ])('%s', (_name, place, view) => {
    expect(chooseView({ ...terminal, ...place })).toBe(view);
  });

  test('what a person asks for wins, but a live screen is never painted into a file', () => {
    expect(chooseView({ ...terminal, ui: 'plain' })).toBe('plain');
    expect(chooseView({ ...terminal, ui: 'silent' })).toBe('silent');
    expect(chooseView({ ...terminal, ui: 'live', env: { CI: '1' } })).toBe('live');
    expect(chooseView({ ...terminal, ui: 'live', stderr: { isTTY: false } })).toBe('plain');
  });
});

describe('colour follows NO_COLOR, then FORCE_COLOR, then the terminal (R-UX-1)', () => {
  test.each<[Record<string, string>, boolean, boolean]>([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ TERM: 'dumb' }, true, false],
  ])('%j, terminal %s: %s', (env, isTTY, colour) => {
    expect(mayColour({ stderr: { isTTY }, env })).toBe(colour);
  });
});

test.each<[Record<string, string>, boolean]>([
  [{ LANG: 'en_US.UTF-8' }, true],
  [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, false],
  [{ LC_CTYPE: 'C.utf8' }, true],
  [{}, false],
])('a locale that is not UTF-8 gets ASCII: %j', (env, unicode) => {
  expect(mayUseUnicode({ env })).toBe(unicode);
});

test.each<[Record<string, string>, boolean, boolean]>([
  [{ TERM: 'xterm' }, true, true],
  [{ TERM: 'xterm' }, false, false],
  [{ TERM: 'xterm', TMUX: '/tmp/tmux' }, true, false],
  [{ TERM: 'screen-256color' }, true, false],
  [{ TERM: 'linux' }, true, false],
])('the progress display of the terminal is used where it is understood: %j, terminal %s', (env, isTTY, may) => {
  expect(mayShowTaskbar({ stderr: { isTTY }, env })).toBe(may);
});
