import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOfPath, listOfPaths, pathOfBytes, pathsOfList } from './path-bytes.ts';

test('every name of a file comes back byte for byte, UTF-8 or not (R-SEC-1)', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 24 }), (bytes) => {
      expect(bytesOfPath(pathOfBytes(Buffer.from(bytes)))).toEqual(Buffer.from(bytes));
    }),
    { numRuns: 500 },
  );
});

test('a name that is UTF-8 is that text, whatever stands in the list beside it', () => {
  const bytes = Buffer.concat([Buffer.from('ünï ☃ 𝄞\0\uFEFFbom\0'), Buffer.of(0x61, 0xff, 0xc3, 0)]);
  expect(pathsOfList(bytes)).toEqual(['ünï ☃ 𝄞', '\uFEFFbom', 'a\udcff\udcc3']);
  expect(listOfPaths(pathsOfList(bytes))).toEqual(bytes);
});
