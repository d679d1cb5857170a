import { expect, test } from 'vitest';
import { differences, differing, type FileMark } from './fingerprint.ts';

const file = (content: string): FileMark => ({ is: 'file', content, stamp: '', changedMs: 0 });
const absent: FileMark = { is: 'absent', content: '', stamp: '', changedMs: 0 };

test('tells what is gone from what was rewritten, and nothing of what is as it was (R-VER-13)', () => {
  const before = new Map([
    ['same', file('1')],
    ['gone', file('1')],
    ['unknown', file('1')],
    ['rewritten', file('1')],
    ['removed', absent],
    ['came back', absent],
    ['a link now', file('1')],
  ]);
  const after = new Map([
    ['same', { ...file('1'), stamp: 'touched' }],
    ['gone', absent],
    ['rewritten', file('2')],
    ['removed', absent],
    ['came back', file('1')],
    ['a link now', { ...file('1'), is: 'link' as const }],
    ['new', file('1')],
  ]);
  expect(differences(before, after)).toEqual({
    gone: ['gone', 'unknown'],
    rewritten: ['rewritten', 'came back', 'a link now'],
  });
  expect(differing(before, after)).toEqual(['gone', 'unknown', 'rewritten', 'came back', 'a link now']);
});
