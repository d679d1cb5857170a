import { expect, test } from 'vitest';
import { progressContext } from './context.ts';

const FILE = `# P

## Original Goal
Build the moon
soon

## Completed Tasks
- [x] 1.1 Base - abc1234
- [x] 1.2 Login - def5678

## Learnings
- the sky is high
- the sea
  is deep
  - and salty

## Reviews
- none of it
`;

test('goal, completed tasks and learnings are read, each on a line of its own (R-DEL-3)', () => {
  expect(progressContext(FILE)).toEqual({
    goal: 'Build the moon\nsoon',
    completed: ['1.1 Base - abc1234', '1.2 Login - def5678'],
    learnings: ['the sky is high', 'the sea is deep - and salty'],
  });
});

test('a CRLF file reads the same (R-DEL-3)', () => {
  expect(progressContext(FILE.replaceAll('\n', '\r\n'))).toEqual(progressContext(FILE));
});

test('a missing, empty or unsectioned file tells nothing', () => {
  const nothing = { goal: '', completed: [], learnings: [] };
  for (const text of [undefined, '', '# P\nwords\n']) expect(progressContext(text)).toEqual(nothing);
});
