import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLog } from './log.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'log-test-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function write(path: string, bytesMax: number, chunks: readonly Uint8Array[]) {
  const log = openLog(path, bytesMax);
  for (const chunk of chunks) void log.write(Buffer.from(chunk));
  return log.close();
}

test('a log holds the raw bytes, for nobody else to read, and replaces an earlier one', async () => {
  const path = join(dir, 'deep', 'er', 'a.log');
  expect(await write(path, 1000, [Buffer.from('earlier and longer')])).toBeUndefined();
  expect(await write(path, 1000, [Buffer.from([0xff, 0x1b, 0x00]), Buffer.from('✓\n')])).toBeUndefined();
  expect(readFileSync(path)).toEqual(Buffer.from([0xff, 0x1b, 0x00, 0xe2, 0x9c, 0x93, 0x0a]));
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a log that grows too long keeps its beginning and its end, and says what is missing (R-DEL-6)', async () => {
  const path = join(dir, 'a.log');
  const ascii = fc.string({ unit: fc.constantFrom(...'abcdefgh\n'), maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(fc.array(ascii), async (parts) => {
      await write(
        path,
        100,
        parts.map((part) => Buffer.from(part)),
      );
      const all = parts.join('');
      const missing = `\n[... ${all.length - 100} bytes left out ...]\n`;
      const wanted = all.length <= 100 ? all : all.slice(0, 10) + missing + all.slice(-90);
      expect(readFileSync(path, 'utf8')).toBe(wanted);
      expect(readdirSync(dir)).toEqual(['a.log']);
    }),
    { numRuns: 50 },
  );
});

test('a log that cannot be written is given up, and closing it says why', async () => {
  writeFileSync(join(dir, 'file'), '');
  const failure = await write(join(dir, 'file', 'a.log'), 1000, [Buffer.from('x')]);
  expect(failure).toMatch(/^The log .*a\.log is incomplete: .*\.$/);
});

test('a log that could not be opened says so, also if nothing is ever written', async () => {
  writeFileSync(join(dir, 'file'), '');
  const log = openLog(join(dir, 'file', 'a.log'), 1000);
  // The same failure again takes at least as long; afterwards an unhandled one would have ended us.
  await expect(mkdir(join(dir, 'file', 'deep'), { recursive: true })).rejects.toThrow();
  await setImmediate();
  expect(await log.close()).toMatch(/incomplete/);
});

test('a write is over when the bytes are in the file, so that who waits never piles them up (R-DEL-6)', async () => {
  const path = join(dir, 'a.log');
  const log = openLog(path, 1 << 20);
  for (let written = 1000; written <= 10_000; written += 1000) {
    await log.write(Buffer.alloc(1000));
    expect(statSync(path).size).toBe(written);
  }
  await log.close();
});

test('a log is not written through a symbolic link', async () => {
  mkdirSync(join(dir, 'logs'));
  writeFileSync(join(dir, 'precious'), 'precious');
  symlinkSync(join(dir, 'precious'), join(dir, 'logs', 'a.log'));
  expect(await write(join(dir, 'logs', 'a.log'), 1000, [Buffer.from('x')])).toMatch(/incomplete/);
  expect(readFileSync(join(dir, 'precious'), 'utf8')).toBe('precious');
});
