import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excerpt, opening } from './excerpt.ts';

test('an excerpt of a short text is the text without trailing blanks', () => {
  expect(excerpt('one\ntwo\n\n', 8)).toBe('one\ntwo');
  expect(opening('one\ntwo\n\n', 8)).toBe('one\ntwo');
});

test('an excerpt is the last part, begun at a line, and says that something was left out', () => {
  expect(excerpt('first line\nsecond line\nthird line', 20)).toBe('[…]\nthird line');
  expect(excerpt('first line\nsecond line\nthird line', 26)).toBe('[…]\nsecond line\nthird line');
});

test('an opening is the first part, ended at a line, and says that something was left out', () => {
  expect(opening('first line\nsecond line\nthird line', 20)).toBe('first line\n[…]');
  expect(opening('first line\nsecond line\nthird line', 26)).toBe('first line\nsecond line\n[…]');
});

test('one long line is cut inside, but never in the middle of a character', () => {
  expect(excerpt('😀'.repeat(10), 9)).toBe(`[…]\n${'😀'.repeat(2)}`);
  expect(opening('😀'.repeat(10), 9)).toBe(`${'😀'.repeat(2)}\n[…]`);
});

test('an excerpt or opening is never longer than asked, and is a part of the text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '\n', ' ', '😀'), maxLength: 60 }),
      fc.nat({ max: 40 }),
      (text, max) => {
        for (const part of [excerpt(text, max), opening(text, max)]) {
          expect(part.length).toBeLessThanOrEqual(max);
          if (max > 4) expect(text).toContain(part.replace(/^\[…\]\n|\n\[…\]$/, ''));
        }
      },
    ),
  );
});
