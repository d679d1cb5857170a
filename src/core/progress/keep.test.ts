import { expect, test } from 'vitest';
import { keptProgress } from './keep.ts';

const known = '# Progress\n\n## Original Goal\nThe goal\n\n## Learnings\n- an old one\n';

test('what was added to the progress file stays as it was written (R-VER-3)', () => {
  const added = known
    .replace('The goal', 'The goal\nin more words')
    .replace('- an old one', '- an old one\n- a new one');
  expect(keptProgress(known, added)).toBe(added);
  expect(keptProgress(known, known.replaceAll('\n', '\r\n'))).toBe(known.replaceAll('\n', '\r\n'));
});

test('a file that is gone comes back (R-VER-3)', () => {
  expect(keptProgress(known, undefined)).toBe(known);
  expect(keptProgress(known, '')).toBe(known);
});

test('a file that lost a line comes back, with the learnings that were added (R-VER-3)', () => {
  const found = '# Progress\n\n## Learnings\n- a new one\n';
  expect(keptProgress(known, found)).toBe(`${known}- a new one\n`);
  expect(keptProgress(known, known.replace('The goal', 'Another goal'))).toBe(known);
});
