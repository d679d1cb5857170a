import { expect, test } from 'vitest';
import { readStatus } from './status.ts';

const ids = `${'a'.repeat(40)} ${'b'.repeat(40)}`;
const list = (...entries: readonly string[]): Buffer => Buffer.from(entries.map((entry) => `${entry}\0`).join(''));
const tracked = (xy: string, path: string): string => `1 ${xy} N... 100644 100644 100644 ${ids} ${path}`;

test('a branch without a commit has no head, a detached HEAD no branch', () => {
  expect(readStatus(list('# branch.oid (initial)', '# branch.head main'))).toEqual({
    head: undefined,
    branch: 'main',
    changes: [],
    staged: [],
  });
  expect(readStatus(list('# branch.oid abc', '# branch.head (detached)'))).toEqual({
    head: 'abc',
    branch: undefined,
    changes: [],
    staged: [],
  });
});

test('a path is deleted when no file is there, whether that is staged or not', () => {
  const entries = [
    tracked('D.', 'staged'),
    tracked('.D', 'plain'),
    tracked('AD', 'added first'),
    tracked('MM', 'twice'),
  ];
  expect(readStatus(list(...entries)).changes).toEqual([
    { path: 'staged', kind: 'deleted' },
    { path: 'plain', kind: 'deleted' },
    { path: 'added first', kind: 'deleted' },
    { path: 'twice', kind: 'modified' },
  ]);
});

test('staged is what differs between HEAD and the index, conflicts too', () => {
  const conflict = `u UU N... 100644 100644 100644 100644 ${ids} ${'c'.repeat(40)} both`;
  const entries = [tracked('M.', 'staged'), tracked('.M', 'plain'), tracked('AM', 'twice'), '? new', conflict];
  expect(readStatus(list(...entries)).staged).toEqual(['staged', 'twice', 'both']);
});

test('a path that left the index but not the tree is one change', () => {
  expect(readStatus(list(tracked('D.', 'a b'), '? a b')).changes).toEqual([{ path: 'a b', kind: 'modified' }]);
});

test('a conflict is a change, a deletion if no file is left of it', () => {
  const conflict = (mode: string, path: string): string =>
    `u UU N... 100644 100644 100644 ${mode} ${ids} ${'c'.repeat(40)} ${path}`;
  expect(readStatus(list(conflict('100644', 'both'), conflict('000000', 'gone'))).changes).toEqual([
    { path: 'both', kind: 'modified' },
    { path: 'gone', kind: 'deleted' },
  ]);
});
