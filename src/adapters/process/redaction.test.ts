import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RedactedStream, redaction } from './redaction.ts';

const SECRET = 'correct-horse-bättery/staple';
const KEY = `-----BEGIN PRIVATE KEY-----\n${`${'MIIEvQIBADAN'.repeat(5)}\n`.repeat(20)}-----END PRIVATE KEY-----\n`;

/** What comes out of a stream that is handed in by these chunks. */
function through(stream: RedactedStream, chunks: readonly (string | Buffer)[]): string {
  const kept = chunks.map((chunk) => stream.push(Buffer.from(chunk)));
  return Buffer.concat([...kept, stream.end()]).toString();
}

const open = redaction([SECRET]);

test.each([
  ['as it is', `token ${SECRET} end\n`, 'token [redacted] end\n'],
  ['in base64', `${Buffer.from(`user:${SECRET}`).toString('base64')}\n`, null],
  ['a token of a service', `x ghp_${'a1B2'.repeat(9)}\ny\n`, 'x [redacted]\ny\n'],
  ['cut by a colour', 'a \x1b[1mcorrect-hor\x1b[0mse-bättery/staple b\n', 'a [redacted] b\n'],
  ['cut by a character that is not seen', 'a correct-horse-bättery\0/staple b\nc\x07\n', 'a [redacted] b\nc\x07\n'],
  ['a private key', `before\n${KEY}after\n`, 'before\n[redacted]\nafter\n'],
  ['without a last line break', `a\n${SECRET}`, 'a\n[redacted]'],
])('a secret that is split anywhere is taken out: %s (R-SEC-2)', (_, text, wanted) => {
  const bytes = Buffer.from(text);
  for (let at = 0; at <= bytes.length; at++) {
    const out = through(open(), [bytes.subarray(0, at), bytes.subarray(at)]);
    if (wanted === null) expect(Buffer.from(out, 'base64').toString()).not.toContain('horse');
    else expect(out).toBe(wanted);
  }
});

test('a private key is taken out that comes line by line (R-SEC-2)', () => {
  const lines = `before\n${KEY}after\n`.split(/(?<=\n)/);
  expect(through(open(), lines)).toBe('before\n[redacted]\nafter\n');
});

test('a known secret in an endless line is taken out (R-SEC-2)', () => {
  fc.assert(
    fc.property(fc.integer({ min: 60_000, max: 75_000 }), fc.integer({ min: 1, max: 70_000 }), (before, size) => {
      const text = `${'x'.repeat(before)}${SECRET}${'y'.repeat(90_000)}`;
      const bytes = Buffer.from(text);
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      );
      expect(through(open(), chunks)).toBe(text.replace(SECRET, '[redacted]'));
    }),
    { examples: [[65_530, 65_536]], numRuns: 30 },
  );
});

test('bytes that are no text stay what they are, also beside a secret', () => {
  const strange = Buffer.from([0xff, 0x00, 0xc3, 0x0a]);
  const stream = open();
  const out = [strange, Buffer.from(`${SECRET}\n`), strange].map((chunk) => stream.push(chunk));
  expect(Buffer.concat(out)).toEqual(Buffer.concat([strange, Buffer.from('[redacted]\n'), strange]));
});

test('what holds no secret comes out as it was, line by line, and no more than a little is held back', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom(...'ab \n-'), maxLength: 50 })), (chunks) => {
      const stream = open();
      let given = '';
      let out = '';
      for (const chunk of chunks) {
        given += chunk;
        out += stream.push(Buffer.from(chunk)).toString();
        expect(out).toBe(given.slice(0, given.lastIndexOf('\n') + 1));
      }
      expect(out + stream.end().toString()).toBe(given);
    }),
  );
  const stream = open();
  const flood = Buffer.alloc(1 << 16, 'x');
  for (let n = 0, out = 0; n < 50; n++) {
    out += stream.push(flood).length;
    expect((n + 1) * flood.length - out).toBeLessThanOrEqual(1 << 16);
  }
});

test('the mere name of a private key does not hold the log back for long', () => {
  const stream = open();
  stream.push(Buffer.from('It reads "-----BEGIN PRIVATE KEY-----".\n'));
  const out = stream.push(Buffer.from('and goes on.\n'.repeat(2000))).toString();
  expect(out).toMatch(/^It reads "\[redacted\]".\nand goes on.\n/);
});
