import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Family } from './family.ts';
import { newMark } from './node.ts';
import { isAlive, until } from './test-rig.ts';

let dir: string;
let leader: ChildProcess | undefined;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'family-test-'));
});
afterEach(() => {
  leader?.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

/** Starts a script that leads a session, and waits until it has written `begun` into its file. */
async function start(script: string) {
  const file = join(dir, 'words');
  const value = newMark();
  leader = spawn('bash', ['-c', script], {
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env.PATH, MARK: value, file },
  });
  const words = () => readFileSync(file, { encoding: 'utf8', flag: 'a+' });
  await until('the script has begun', () => words().includes('begun'));
  return { words, mark: `MARK=${value}`, pid: leader.pid ?? 0 };
}

test('a leader that only wraps the program is not asked, but the program is (R-DEL-6)', async () => {
  const { words, mark, pid } = await start(`
    (trap 'echo asked >>$file; exit' TERM; echo begun >>$file; while :; do sleep 0.05; done) &
    trap 'echo wrapper asked >>$file' TERM
    wait $!`);
  const steps = [{ signal: 'SIGTERM', graceMs: 30_000 }] as const;
  const ended = await new Family({ mark, leader: pid, leaderWraps: true }).end(steps);
  expect(words()).toBe('begun\nasked\n');
  expect(ended).toContain(pid);
  expect(isAlive(pid)).toBe(false);
});

test('one that keeps starting others is ended with them all', async () => {
  const { mark } = await start(`
    trap '' TERM
    echo begun >>$file
    while :; do setsid bash -c 'sleep 300' & sleep 0.01; done`);
  await new Family({ mark }).end([{ signal: 'SIGTERM', graceMs: 200 }]);
  expect(new Family({ mark }).look()).toEqual([]);
});

test('where nobody is there is nobody to end', async () => {
  expect(await new Family({ mark: `MARK=${newMark()}` }).end([{ signal: 'SIGTERM', graceMs: 30_000 }])).toEqual([]);
});
