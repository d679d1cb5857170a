import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPlan } from './read-plan.ts';
import { decodeUtf8 } from './utf8.ts';

const encoder = new TextEncoder();
const LIMIT = { bytesMax: 1024 * 1024 };

function problemOf(bytes: Uint8Array, options = LIMIT): string {
  const read = readPlan(bytes, options);
  return read.ok ? '' : `${read.problem.message} ${read.problem.hint}`;
}

test('a file with a task is a plan', () => {
  const read = readPlan(encoder.encode('\uFEFF- [ ] 1.1 Grüße 🎉\r\n'), LIMIT);
  expect(read.ok && read.plan.tasks[0]?.title).toBe('Grüße 🎉');
  expect(read.ok && read.plan.text).toBe('\uFEFF- [ ] 1.1 Grüße 🎉\r\n');
});

test('a file without a task is no plan without work, and the message says what to do (R-PARSE-6)', () => {
  expect(problemOf(encoder.encode(''))).toMatch(/is empty.*A task is a list item with a box/);
  expect(problemOf(encoder.encode(' \r\n\t\n'))).toMatch(/is empty/);
  expect(problemOf(encoder.encode('# Plan\n\nSome text.\n'))).toMatch(/No task was found.*- \[ \] 1\.1/);
  expect(problemOf(encoder.encode('# Plan\n\n```\n- [ ] 1.1 A\n```\n'))).toMatch(/No task was found.*code fences/);
});

test('a file that is no UTF-8 is refused with the place of the first wrong byte (R-PARSE-6)', () => {
  expect(problemOf(Uint8Array.of(0x2d, 0x20, 0xff))).toMatch(/not UTF-8: byte 2 /);
  expect(problemOf(Uint8Array.of(0xff, 0xfe, 0x2d, 0x00))).toMatch(/byte 0 .*UTF-16/);
  expect(problemOf(encoder.encode('-\0 \0[\0'))).toMatch(/NUL bytes.*UTF-16/);
});

test('a file over the limit is refused before it is read (R-PARSE-6)', () => {
  expect(problemOf(encoder.encode('- [ ] 1.1 A\n'), { bytesMax: 5 })).toMatch(/too large.*limit/);
});

test('decoding agrees with the strict decoder of the platform on any bytes', () => {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const pieces = fc.oneof(
    fc.uint8Array({ maxLength: 6 }),
    fc.string({ unit: 'binary', maxLength: 6 }).map((text) => encoder.encode(text)),
    fc.constantFrom(
      ...[
        [0xc0, 0x80],
        [0xed, 0xa0, 0x80],
        [0xf4, 0x90, 0x80, 0x80],
        [0xe2, 0x82],
        [0xf0, 0x82, 0x82, 0xac],
      ].map((bytes) => Uint8Array.from(bytes)),
    ),
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      const bytes = Uint8Array.from(parts.flatMap((part) => [...part]));
      const decoded = decodeUtf8(bytes);
      if (decoded.ok) expect(decoded.text).toBe(strict.decode(bytes));
      else {
        expect(() => strict.decode(bytes)).toThrow();
        expect(() => strict.decode(bytes.subarray(0, decoded.at))).not.toThrow();
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a text longer than one decoding step is decoded whole', () => {
  const text = 'aé€😀'.repeat(10_000);
  expect(decodeUtf8(encoder.encode(text))).toEqual({ ok: true, text });
});
