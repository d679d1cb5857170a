import { expect, test } from 'vitest';
import { outOfScope } from './scope.ts';

test.each([
  ['./', []],
  ['.', []],
  ['src/', ['docs/b.md']],
  ['./src', ['docs/b.md']],
  ['**/*.md', ['src/a.ts']],
])('a task whose Files are %s changes outside of them: %j (R-VER-6)', (file, expected) => {
  expect(outOfScope(['src/a.ts', 'docs/b.md'], { files: [file], filesKnown: true })).toEqual(expected);
});
