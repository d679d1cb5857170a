import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findProgram } from './find-program.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'find-program-'));
  for (const dir of ['first', 'second']) mkdirSync(join(cwd, dir));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function put(path: string, mode: number): string {
  const full = join(cwd, path);
  writeFileSync(full, '#!/bin/sh\n');
  chmodSync(full, mode);
  return full;
}

const path = (...dirs: readonly string[]) => dirs.map((dir) => join(cwd, dir)).join(delimiter);

test('a name is found in the first folder of the PATH that has an executable of it (R-START-1)', async () => {
  put('first/agent', 0o644);
  const agent = put('second/agent', 0o755);
  expect(await findProgram('agent', { path: path('missing', 'first', 'second'), cwd })).toBe(agent);
});

test('a folder is no program (R-START-1)', async () => {
  mkdirSync(join(cwd, 'first/agent'));
  expect(await findProgram('agent', { path: path('first'), cwd })).toBeUndefined();
});

test('a name with a slash is a path, and the PATH has no say in it (R-START-1)', async () => {
  const agent = put('first/agent', 0o755);
  expect(await findProgram('./first/agent', { path: '', cwd })).toBe(agent);
  expect(await findProgram(agent, { path: '', cwd: '/' })).toBe(agent);
  expect(await findProgram('./agent', { path: path('first'), cwd })).toBeUndefined();
});

test('an empty or relative entry of the PATH counts from the working directory, as it does for the system', async () => {
  const agent = put('agent', 0o755);
  expect(await findProgram('agent', { path: delimiter, cwd })).toBe(agent);
  expect(await findProgram('agent', { path: 'first/..', cwd })).toBe(agent);
});
