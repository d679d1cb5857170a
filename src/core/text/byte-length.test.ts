import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteLength } from './byte-length.ts';

test('the bytes of a text are those of its UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(byteLength(text)).toBe(Buffer.byteLength(text));
    }),
  );
});
