import { expect, test } from 'vitest';
import { HaltedRun } from '../../app/explain.ts';
import { InterruptedError, UserError } from '../../core/user-error.ts';
import { GitFault } from '../../ports/git.ts';
import { JournalDamaged, StorageFault } from '../../ports/store.ts';
import { tell } from './exit.ts';

test('a mistake is printed with what to do about it, and without a stack (R-UX-4)', () => {
  expect(tell(new UserError('It is wrong.', 'Put it right.'))).toEqual({
    text: 'It is wrong.\nHint: Put it right.\n',
    code: 2,
  });
  expect(tell(new JournalDamaged('/j', 3, 'is torn'))).toMatchObject({
    text: expect.stringMatching(/^\/j:3 is torn.*\nHint: .*\.\n$/),
    code: 2,
  });
});

test('a full disk can be resumed, a folder that cannot be written is refused (R-UX-4)', () => {
  expect(tell(new StorageFault('disk-full', '/x', 'Full. Free some space.'))).toEqual({
    text: 'Full. Free some space.\n',
    code: 1,
  });
  expect(tell(new StorageFault('not-writable', '/x', 'No. Allow it.'))).toEqual({ text: 'No. Allow it.\n', code: 2 });
  expect(tell(new GitFault('disk-full', 'git commit failed: full.'))).toEqual({
    text: 'git commit failed: full.\nHint: Free some space, then run the command again.\n',
    code: 1,
  });
  expect(tell(new GitFault('other', 'git log failed: x.'))).toMatchObject({ code: 2 });
});

test('what the system refused is printed with its path, without a stack, wherever it came up (R-UX-4)', () => {
  const refusal = (code: string, syscall: string, path: string) =>
    Object.assign(new Error(`${code}: said, ${syscall}`), { code, syscall, path });
  expect(tell(refusal('ENOTDIR', 'stat', '/specs/demo'))).toEqual({
    text: 'Cannot read /specs/demo: a part of its path is not a folder. Move that file away, then run the command again.\n',
    code: 2,
  });
  expect(tell(refusal('ENAMETOOLONG', 'open', '/aaa')).text).toBe(
    'Cannot read /aaa: its name is too long. Use a shorter one.\n',
  );
  expect(tell(refusal('ENOSPC', 'mkdir', '/x'))).toMatchObject({ code: 1 });
});

test('what a person stops before anything began ends as Ctrl-C does (R-UX-4)', () => {
  expect(tell(new InterruptedError('Nothing was run.', 'Run again.')).code).toBe(130);
});

test('a fault that halts a run at work leaves it resumable, and is never a refusal (R-ADV-6, R-UX-4)', () => {
  expect(tell(new HaltedRun(new StorageFault('not-writable', '/x', 'No. Allow it.')))).toEqual({
    text: 'No. Allow it.\n',
    code: 1,
  });
  expect(tell(new HaltedRun(new Error('a bug'))).code).toBe(70);
});

test('anything else is a bug in specloop, with its stack and where to report it (R-UX-4)', () => {
  const { text, code } = tell(new Error('A fix task that fixes nothing.'));
  expect(code).toBe(70);
  expect(text).toMatch(
    /^Error: A fix task that fixes nothing\.\n {4}at [\s\S]*\nThis is a bug in specloop\. Please report it .*\.\n$/,
  );
  expect(tell('thrown text')).toMatchObject({ text: expect.stringMatching(/^thrown text\n/), code: 70 });
});
