import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines } from './line-diff.ts';

test('an insertion is a hunk without lines before', () => {
  expect(diffLines(['a', 'b'], ['a', 'x', 'b'])).toEqual([{ before: { from: 1, to: 1 }, after: { from: 1, to: 2 } }]);
});

test('equal lists have no hunk', () => {
  expect(diffLines(['a', 'b'], ['a', 'b'])).toEqual([]);
});

test('two changes far apart are two hunks', () => {
  expect(diffLines(['a', 'b', 'c', 'd', 'e'], ['x', 'b', 'c', 'd', 'e', 'y'])).toHaveLength(2);
});

test('the hunks turn the one list into the other, in order and without overlap', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', ''), { maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const built: string[] = [];
      let from = 0;
      for (const hunk of diffLines(before, after)) {
        expect(hunk.before.from).toBeGreaterThanOrEqual(from);
        built.push(...before.slice(from, hunk.before.from), ...after.slice(hunk.after.from, hunk.after.to));
        from = hunk.before.to;
      }
      expect([...built, ...before.slice(from)]).toEqual(after);
    }),
    { numRuns: 1_000 },
  );
});
