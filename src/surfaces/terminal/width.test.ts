import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cells, shorten } from './width.ts';

test.each([
  ['abc', 3],
  ['日本語', 6],
  ['한글', 4],
  ['e\u0301', 1],
  ['👩‍👩‍👧', 2],
  ['🇩🇪', 2],
  ['✔', 1],
  ['✔\ufe0f', 2],
  ['⠋', 1],
  ['', 0],
])('%s takes %i cells', (text, width) => {
  expect(cells(text)).toBe(width);
});

test('a text that fits stays as it is, a longer one ends in an ellipsis and fits', () => {
  expect(shorten('日本語', 6, '…')).toBe('日本語');
  expect(shorten('日本語', 5, '…')).toBe('日本…');
  expect(shorten('日本語', 4, '…')).toBe('日…');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, room) => {
      expect(cells(shorten(text, room, '…'))).toBeLessThanOrEqual(room);
    }),
  );
});
