import { expect, test } from 'vitest';
import { GitFault } from '../../ports/git.ts';
import { faultOf, faultOfDisk } from './fault.ts';

const answer = (stderr: string, code: number | undefined = 128) => ({
  code,
  stderr,
  stdout: Buffer.alloc(0),
  stopped: 'no' as const,
  dir: '/',
});

test.each([
  ['fatal: unable to write loose object file: No space left on device\n', 'disk-full'],
  ['error: file write error: Disk quota exceeded\n', 'disk-full'],
  ["error: sha1 file '/r/.git/index.lock' write error. Out of diskspace\n", 'disk-full'],
  ["fatal: Unable to create '/r/.git/index.lock': Permission denied\n", 'not-writable'],
  ["fatal: Unable to create '/r/.git/index.lock': Read-only file system\n", 'not-writable'],
  ["fatal: Unable to create '/r/.git/index.lock': File exists.\n", 'passing'],
  ["fatal: bad revision 'x'\n", 'other'],
])('%j is %s (R-UX-4)', (stderr, kind) => {
  expect(faultOf('add', answer(stderr)).kind).toBe(kind);
});

test('a full disk is reported as such, with what git was about to do (R-UX-4)', () => {
  const stderr = "error: sha1 file '/r/.git/index.lock' write error. Out of diskspace\n";
  expect(faultOf('reset', answer(stderr)).message).toBe(
    `The disk is full: git reset said "sha1 file '/r/.git/index.lock' write error. Out of diskspace".`,
  );
});

test('the message is what git complained of, behind its warnings, as a sentence', () => {
  const stderr = 'warning: in the working copy of a, LF will be replaced\nhint: no\nfatal: adding files failed\n';
  expect(faultOf('add', answer(stderr)).message).toBe('git add failed: adding files failed.');
  expect(faultOf('add', answer('', 3)).message).toBe('git add failed: exit code 3.');
  expect(faultOf('add', { ...answer('', undefined), stopped: 'too-long' }).message).toBe(
    'git add failed: it took too long and was stopped.',
  );
});

test('what a signal or a limit of time ended may go well at the next try, what printed too much will not', () => {
  const ended = { ...answer(''), code: undefined };
  const kinds = (['no', 'too-long', 'too-much'] as const).map((stopped) => faultOf('add', { ...ended, stopped }).kind);
  expect(kinds).toEqual(['passing', 'passing', 'other']);
});

test('a lock that is held is named, with what to do', () => {
  const { message } = faultOf(
    'commit',
    answer("fatal: Unable to create '/r/.git/index.lock': File exists.\n\nAnother git process seems to be running\n"),
  );
  expect(message).toContain('/r/.git/index.lock');
  expect(message).toMatch(/delete that file\.$/);
});

test.each([
  ['ENOSPC', 'disk-full'],
  ['EROFS', 'not-writable'],
  ['EACCES', 'not-writable'],
  ['EMFILE', 'passing'],
  ['EIO', 'other'],
])("the file system's %s is a fault of kind %s", (code, kind) => {
  const fault = faultOfDisk(Object.assign(new Error(`${code}: no`), { code }));
  expect(fault).toBeInstanceOf(GitFault);
  expect(fault).toMatchObject({ kind });
});

test('a bug in specloop is not dressed up as a fault of git', () => {
  const bug = new TypeError('x is not a function');
  expect(faultOfDisk(bug)).toBe(bug);
  const invalid = Object.assign(new TypeError('bad'), { code: 'ERR_INVALID_ARG_TYPE' });
  expect(faultOfDisk(invalid)).toBe(invalid);
});
