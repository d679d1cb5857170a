import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Tail } from './tail.ts';

function tailOf(bytesMax: number, chunks: readonly Buffer[]) {
  const tail = new Tail(bytesMax);
  for (const chunk of chunks) tail.push(chunk);
  return tail.printed();
}

test('a tail holds the last bytes of a stream, however it was cut into chunks (R-DEL-6)', () => {
  const ascii = fc.string({ unit: fc.constantFrom(...'abcdefgh\n'), maxLength: 40 });
  fc.assert(
    fc.property(fc.nat(50), fc.array(ascii), (bytesMax, parts) => {
      const all = parts.join('');
      const text = bytesMax === 0 ? '' : all.slice(-bytesMax);
      const printed = tailOf(
        bytesMax,
        parts.map((part) => Buffer.from(part)),
      );
      expect(printed).toEqual({ text, truncated: all.length > bytesMax, bytes: all.length });
    }),
  );
});

test('a tail grows past its first size without losing anything', () => {
  const chunk = Buffer.from('0123456789'.repeat(100));
  const printed = tailOf(
    100_000,
    Array.from({ length: 99 }, () => chunk),
  );
  expect(printed).toEqual({ text: '0123456789'.repeat(9900), truncated: false, bytes: 99_000 });
});

test('a character is whole when its bytes come apart, and left out when its beginning was lost', () => {
  const bytes = Buffer.from('a✓b✓');
  expect(
    tailOf(
      100,
      [...bytes].map((byte) => Buffer.from([byte])),
    ).text,
  ).toBe('a✓b✓');
  expect(tailOf(6, [bytes]).text).toBe('b✓');
});

test('what is not UTF-8 stands as U+FFFD (R-SEC-2)', () => {
  expect(tailOf(100, [Buffer.from([0x61, 0xff, 0xfe, 0x62])]).text).toBe('a\ufffd\ufffdb');
});
