import { expect, test } from 'vitest';
import { UserError } from '../core/user-error.ts';
import { GitFault } from '../ports/git.ts';
import { JournalDamaged, StorageFault } from '../ports/store.ts';
import { tell } from './exit.ts';

test('a mistake is told with what to do about it, and without a stack (R-UX-4)', () => {
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

test('anything else is a bug of ours, with its stack and where to report it (R-UX-4)', () => {
  const { text, code } = tell(new Error('A fix task that fixes nothing.'));
  expect(code).toBe(70);
  expect(text).toMatch(
    /^Error: A fix task that fixes nothing\.\n {4}at [\s\S]*\nThis is a bug in specloop\. Report it .*\.\n$/,
  );
  expect(tell('thrown text')).toMatchObject({ text: expect.stringMatching(/^thrown text\n/), code: 70 });
});
