import { expect, test } from 'vitest';
import { gitSettings, isDeciding, UNREADABLE } from './git-settings.ts';

test.each([
  ['nothing', '', {}],
  [
    'a section and its settings',
    '[core]\n\tbare = false\n\tfilemode = true\n',
    { 'core.bare': ['false'], 'core.filemode': ['true'] },
  ],
  ['names in any case', '[CORE]\n\tHooksPath = A\n', { 'core.hookspath': ['A'] }],
  ['a part in its own case', '[remote "Origin"]\n\turl = x\n', { 'remote.Origin.url': ['x'] }],
  ['the older form of a part', '[branch.Main]\n\tmerge = x\n', { 'branch.main.merge': ['x'] }],
  ['a part that holds a bracket and a quote', '[a "b]\\"c"]\n\td = 1\n', { 'a.b]\\"c.d': ['1'] }],
  ['a setting on the line of its section', '[core] bare = true\n', { 'core.bare': ['true'] }],
  ['one without a value', '[commit]\n\tgpgsign\n', { 'commit.gpgsign': [''] }],
  ['several values in order', '[a]\n\tb = 1\n\tb = 2\n', { 'a.b': ['1', '2'] }],
  ['the same section twice', '[a]\n\tb = 1\n[c]\n\td = 1\n[a]\n\tb = 2\n', { 'a.b': ['1', '2'], 'c.d': ['1'] }],
  ['comments of both kinds', '# x\n; y\n[a] # z\n\tb = 1\n', { 'a.b': ['1'] }],
  ['a value that goes on in the next line', '[a]\n\tb = 1\\\n2\n', { 'a.b': ['12'] }],
  [
    'a comment that ends in a backslash',
    '[core] # x \\\n\thooksPath = h # y \\\r\n\tbare = true',
    { 'core.hookspath': ['h'], 'core.bare': ['true'] },
  ],
  ['a value with the signs of a comment in quotes', '[a]\n\tb = "#1" # two\n', { 'a.b': ['"#1"'] }],
  ['line ends of Windows', '[a]\r\n\tb = 1\r\n', { 'a.b': ['1'] }],
  ['a line that is none', '[a]\n?!\n', { [UNREADABLE]: ['?!'] }],
  ['a setting outside of all sections', 'a = 1\n', { [UNREADABLE]: ['a = 1'] }],
])('settings of git are read as git reads them: %s (R-VER-14)', (_, text, expected) => {
  expect(Object.fromEntries(gitSettings(text))).toEqual(expected);
});

test.each([
  'core.hookspath',
  'core.worktree',
  'core.autocrlf',
  'commit.gpgsign',
  'gpg.program',
  'gpg.ssh.program',
  'user.email',
  'filter.lfs.clean',
  'include.path',
  'includeif.gitdir:~/x/.path',
  'extensions.worktreeconfig',
  'submodule.a.ignore',
  'submodule.recurse.update',
  'status.showuntrackedfiles',
  'diff.external',
  'merge.x.driver',
  'credential.helper',
  'http.https://github.com/.extraheader',
  'remote.pushdefault',
  'remote.origin.pushurl',
  'remote.origin.receivepack',
  'branch.main.pushremote',
  UNREADABLE,
])('%s decides what is committed or where it goes, so an agent may not add it (R-VER-14)', (key) => {
  expect(isDeciding(key)).toBe(true);
});

test.each(['alias.st', 'branch.main.remote', 'remote.origin.url', 'submodule.a.url', 'pull.rebase', 'color.ui'])(
  '%s decides nothing of it (R-VER-14)',
  (key) => {
    expect(isDeciding(key)).toBe(false);
  },
);
