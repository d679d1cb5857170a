import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkSandbox } from './machine.ts';

const { PATH = '' } = process.env;
let bin: string;

beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), 'doctor-test-'));
  process.env.PATH = `${bin}${delimiter}${PATH}`;
});
afterEach(() => {
  process.env.PATH = PATH;
  rmSync(bin, { recursive: true });
});

function bubblewrap(script: string): void {
  writeFileSync(join(bin, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

test.each([
  ['off', 'ok'],
  ['auto', 'warn'],
  ['strict', 'fail'],
] as const)('a sandbox that does not work is told as it matters: %s (R-SEC-3)', async (wanted, level) => {
  bubblewrap('echo "bwrap: No permissions" >&2; exit 1');
  const finding = await checkSandbox(wanted, { env: {} });
  expect(finding).toMatchObject({ level, about: 'sandbox', message: expect.stringContaining('bwrap: No permissions') });
});

test('one that works is reported, and how to turn it on (R-SEC-3)', async () => {
  bubblewrap('exit 0');
  expect(await checkSandbox('strict', { env: {} })).toMatchObject({ level: 'ok', message: 'It works.' });
  expect((await checkSandbox('off', { env: {} })).message).toContain('--sandbox strict');
});
