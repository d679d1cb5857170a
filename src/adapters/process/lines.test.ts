import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineSplitter } from './lines.ts';

function linesOf(chunks: readonly Uint8Array[], lineBytesMax = 1 << 20): readonly string[] {
  const found: string[] = [];
  const lines = new LineSplitter(lineBytesMax, (line) => found.push(line));
  for (const chunk of chunks) lines.push(Buffer.from(chunk));
  lines.end();
  return found;
}

test('lines are the same however a stream is cut into chunks, also within a character', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '✓', '🎉', '\n', '\r\n') });
  fc.assert(
    fc.property(text, fc.array(fc.nat(60)), (all, cuts) => {
      const bytes = Buffer.from(all);
      const edges = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
      const chunks = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
      const wanted = all.split(/\r?\n/);
      if (wanted.at(-1) === '') wanted.pop();
      expect(linesOf(chunks)).toEqual(wanted);
    }),
  );
});

test('a line that is too long loses its rest, and the next one is whole again (R-DEL-6)', () => {
  const chunks = ['abc', 'defgh', 'ij\nklmnop\nq', 'r'].map((part) => Buffer.from(part));
  expect(linesOf(chunks, 4)).toEqual(['abcd', 'klmn', 'qr']);
});

test('a long line that came whole is given back as it was', () => {
  const long = 'x'.repeat(5_000_000);
  expect(linesOf([Buffer.from(`${long}\nend`)], 8 << 20)).toEqual([long, 'end']);
});
