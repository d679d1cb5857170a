import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
  shop.git('switch', '--quiet', 'main');
  shop.git('branch', '--quiet', '--delete', 'feat/demo');
});
afterEach(() => shop.remove());

const WAITS = 'echo half > a.txt; touch ../begun; while test ! -f ../go; do sleep 0.05; done; echo TASK_COMPLETE';
const worktree = (...path: readonly string[]) => join(`${shop.dir}-demo`, ...path);

function implement(...options: readonly string[]): readonly string[] {
  const agent = ['--agent-command', JSON.stringify(['bash', '-c', WAITS])];
  return ['implement', 'demo', '--review', 'off', ...agent, ...options];
}

test('a killed run in a worktree is refused elsewhere, and the same command resumes it there (R-ADV-2, R-FILE-6)', async () => {
  const run = shop.start(...implement('--worktree'));
  await vi.waitUntil(() => existsSync(join(shop.dir, '../begun')), 60_000);
  const status = JSON.parse(shop.run('status', 'demo', '--json').stdout);
  expect(status).toMatchObject({ running: { pid: run.pid }, worktree: worktree(), lastRun: { result: 'running' } });
  expect(shop.run(...implement('--worktree')).stderr).toContain(
    `Another coordinator is working on the spec demo: process ${run.pid}`,
  );
  expect(shop.run(...implement()).stderr).toContain(
    `Another coordinator is working on the spec demo: process ${run.pid}`,
  );
  const ended = once(run, 'exit');
  run.kill('SIGKILL');
  await ended;
  expect(shop.run('status', 'demo').stdout).toContain(`\nIn the worktree ${worktree()}\n`);
  expect(shop.run(...implement()).stderr).toContain(`The unfinished run of demo uses the worktree ${worktree()}`);
  writeFileSync(join(shop.dir, '../go'), '');
  const resumed = shop.run(...implement('--worktree'));
  expect([resumed.code, resumed.stdout]).toEqual([0, 'ALL_TASKS_COMPLETE\n']);
  expect(resumed.stderr).toContain(`Working in the worktree ${worktree()}, on the branch feat/demo.\n`);
  expect(readFileSync(worktree('a.txt'), 'utf8')).toBe('half\n');
  expect(shop.git('status', '--porcelain')).toBe('');
  expect(shop.git('log', '--format=%s', 'main..feat/demo').trim().split('\n')).toContain('feat: add the file');
});

test('cancel stops a run that works in its worktree, and says how it goes on (R-DEL-6)', async () => {
  const run = shop.start(...implement('--worktree'));
  const ended = once(run, 'exit');
  await vi.waitUntil(() => existsSync(join(shop.dir, '../begun')), 60_000);
  expect(shop.run('cancel', 'demo').stderr).toMatch(
    /\nStopped\. To resume, run "specloop implement demo --worktree"\.\n$/,
  );
  expect(await ended).toEqual([143, null]);
});
