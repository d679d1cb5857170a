import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeIn } from './output.ts';
import { redaction } from './redaction.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'output-test-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const LAUNCH = { argv: ['true'], cwd: '/', env: {}, limits: { wallMs: 1 }, tailBytesMax: 10 } as const;

test('no chunk is taken before the one before it is in the log, so that a slow disk slows the program (R-DEL-6)', async () => {
  const logFile = join(dir, 'a.log');
  const sizes: number[] = [];
  const streams = {
    stdout: Readable.from(Array.from({ length: 5 }, () => Buffer.alloc(1000))),
    stderr: Readable.from([]),
  };
  const onActivity = () => sizes.push(existsSync(logFile) ? statSync(logFile).size : 0);
  await takeIn(streams, { ...LAUNCH, logFile }, { onActivity });
  expect(sizes).toEqual([0, 1000, 2000, 3000, 4000]);
});

test('a stream that is taken away has just ended', async () => {
  const stdout = new Readable({ read: () => undefined });
  stdout.push('some');
  const taken = takeIn({ stdout, stderr: Readable.from([]) }, LAUNCH, { onActivity: () => stdout.destroy() });
  expect((await taken).stdout).toEqual({ text: 'some', truncated: false, bytes: 4 });
});

test('neither log nor tail holds a secret that was split over two writes, but the reader of lines gets it (R-SEC-2)', async () => {
  const logFile = join(dir, 'a.log');
  const lines: string[] = [];
  const streams = {
    stdout: Readable.from([Buffer.from('a correct-ho'), Buffer.from('rse b\n')]),
    stderr: Readable.from([Buffer.from('correct-horse')]),
  };
  const launch = { ...LAUNCH, logFile, tailBytesMax: 100, onLine: (line: string) => lines.push(line) };
  const redact = redaction(['correct-horse']);
  const { stdout, stderr } = await takeIn(streams, launch, { onActivity: () => undefined, redact });
  expect([stdout.text, stderr.text]).toEqual(['a [redacted] b\n', '[redacted]']);
  expect(
    readFileSync(logFile, 'utf8')
      .split(/(?<=\n)/)
      .sort(),
  ).toEqual(['[redacted]', 'a [redacted] b\n'].sort());
  expect(lines).toEqual(['a correct-horse b']);
});
