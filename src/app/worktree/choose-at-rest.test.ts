import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Chosen } from './choose.ts';
import { chooseAtRest } from './choose-at-rest.ts';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'at-rest-')));
  execFileSync('git', ['init', '--quiet', dir]);
});
afterEach(() => rmSync(dir, { recursive: true }));

const half: Chosen = { is: 'missing', dir: '/w', branch: 'feat/demo', forget: [], remove: ['/w'] };
const place = () => ({ commonDir: join(dir, '.git') });

/** A git that waits for its input until it is ended. */
async function gitAtWork() {
  const git = spawn('git', ['cat-file', '--batch'], { cwd: dir });
  await once(git, 'spawn');
  return async () => {
    git.stdin.end();
    await once(git, 'exit');
  };
}

test('what a killed start left half made is let be while its git goes on, and taken as it is then (R-ADV-2)', async () => {
  const end = await gitAtWork();
  const there: Chosen = { is: 'there', dir: '/w', branch: 'feat/demo', isReady: false };
  const answers = [half, half, there];
  const chosen = await chooseAtRest(async () => answers.shift() ?? half, place());
  await end();
  expect([chosen, answers]).toEqual([there, []]);
});

test('a git that does not end is reported, and nothing is removed', async () => {
  const end = await gitAtWork();
  await expect(chooseAtRest(async () => half, place(), 0)).rejects.toThrow('may still be creating the worktree /w');
  await end();
});

test('without a git at work there is nothing to wait for', async () => {
  expect(await chooseAtRest(async () => half, place(), 0)).toEqual(half);
});
