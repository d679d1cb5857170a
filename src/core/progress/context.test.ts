import fc from 'fast-check';
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
  expect(progressContext(FILE, { charsMax: 4_000 })).toEqual({
    goal: 'Build the moon\nsoon',
    completed: ['1.1 Base - abc1234', '1.2 Login - def5678'],
    learnings: ['the sky is high', 'the sea is deep - and salty'],
  });
});

test('a CRLF file reads the same (R-DEL-3)', () => {
  const options = { charsMax: 4_000 };
  expect(progressContext(FILE.replaceAll('\n', '\r\n'), options)).toEqual(progressContext(FILE, options));
});

test('a missing, empty or unsectioned file tells nothing', () => {
  const nothing = { goal: '', completed: [], learnings: [] };
  for (const text of [undefined, '', '# P\nwords\n']) expect(progressContext(text, { charsMax: 100 })).toEqual(nothing);
});

test('where something must go, the newest stays (R-DEL-3)', () => {
  const entries = Array.from({ length: 5_000 }, (_, n) => `- [x] 1.${n} Task ${n}`).join('\n');
  const lessons = Array.from({ length: 5_000 }, (_, n) => `- lesson ${n}`).join('\n');
  const { completed, learnings } = progressContext(`## Completed Tasks\n${entries}\n\n## Learnings\n${lessons}\n`, {
    charsMax: 400,
  });
  expect(completed.at(-1)).toBe('1.4999 Task 4999');
  expect(learnings.at(-1)).toBe('lesson 4999');
  expect(completed.length).toBeGreaterThanOrEqual(3);
  expect(learnings.length).toBeGreaterThanOrEqual(15);
});

test('one item longer than its share is cut, not lost', () => {
  const { learnings } = progressContext(`## Learnings\n- short\n- ${'long '.repeat(1_000)}\n`, { charsMax: 200 });
  expect(learnings).toEqual([`${'long '.repeat(40).slice(0, 199)}…`]);
});

test('it is never longer than asked, whatever the file is (R-DEL-3)', () => {
  const line = fc.oneof(
    fc.constantFrom('## Original Goal', '## Completed Tasks', '## Learnings', '```'),
    fc.string().map((s) => `- ${s}`),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), fc.integer({ min: 8, max: 300 }), (lines, charsMax) => {
      const { goal, completed, learnings } = progressContext(lines.join('\n'), { charsMax });
      expect([goal, ...completed, ...learnings].join('').length).toBeLessThanOrEqual(charsMax);
    }),
  );
});
