import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PullRequestRecord, Scenario } from '../../scripts/github/github.mjs';
import { NO_GH } from '../github/rig.ts';
import { PROGRAM, type Result, type Workshop, workshop } from './rig.ts';

const SERVE = fileURLToPath(new URL('../../scripts/github/serve.mjs', import.meta.url));
const AGENT = ['bash', '-c', 'prompt=$(cat); env > ../agent.env; echo x >> a.txt; echo TASK_COMPLETE'];
const GREEN = { 'CI / build': { state: 'passed' } } as const;

interface Hub {
  run(...args: readonly string[]): Result;
  /** Ends the scripted GitHub; what was done there. */
  end(): Promise<{ readonly pulls: readonly PullRequestRecord[]; readonly requests: readonly string[] }>;
}

let shop: Workshop;
let server: ChildProcess | undefined;
beforeEach(() => {
  shop = workshop();
  shop.write('specloop.config.yaml', 'pr:\n  interval: 1s\n  noChecks: accept\n');
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'Configure');
});
afterEach(() => {
  server?.kill('SIGKILL');
  shop.remove();
});

/** A bare repository as the remote of the workshop, and a GitHub for it that plays a scenario. */
async function hubOf(scenario: Scenario): Promise<Hub> {
  const [bare, folder] = [join(shop.dir, '../app.git'), join(shop.dir, '../hub')];
  mkdirSync(folder);
  shop.git('init', '--quiet', '--bare', '--initial-branch', 'main', bare);
  shop.git('remote', 'add', 'origin', bare);
  shop.git('push', '--quiet', 'origin', 'main');
  writeFileSync(join(folder, 'scenario.json'), JSON.stringify(scenario));
  const started = spawn(process.execPath, [SERVE, bare, folder, join(folder, 'scenario.json')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  server = started;
  const [line] = await once(createInterface({ input: started.stdout }), 'line');
  const env = { ...shop.env, ...(JSON.parse(String(line)) as Record<string, string>) };
  return {
    run(...args) {
      const options = { cwd: shop.dir, env, encoding: 'utf8' } as const;
      const { status: code, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], options);
      return { code, stdout, stderr };
    },
    async end() {
      started.kill('SIGTERM');
      await once(started, 'exit');
      return JSON.parse(readFileSync(join(folder, 'record.json'), 'utf8'));
    },
  };
}

const IMPLEMENT = ['implement', 'demo', '--pr', '--review', 'off', '--agent-command', JSON.stringify(AGENT)];
const remoteHead = () =>
  spawnSync('git', ['-C', '../app.git', 'rev-parse', 'feat/demo'], { cwd: shop.dir, encoding: 'utf8' });

describe.skipIf(NO_GH)('a pull request on GitHub, by the real gh', () => {
  test('is opened and brought to green checks; a job that was cancelled is run again, and no agent gets the token (R-PR-7, R-PR-10)', async () => {
    const cancelled = { 'CI / build': { state: 'cut-off', rerun: 'passed' } } as const;
    const hub = await hubOf({ checks: GREEN, steps: [{ afterPush: 1, checks: cancelled }] });
    const { code, stdout, stderr } = hub.run(...IMPLEMENT);
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: expect.stringContaining('ALL_TASKS_COMPLETE') });
    const { pulls, requests } = await hub.end();
    expect(pulls).toMatchObject([{ branch: 'feat/demo', base: 'main', state: 'OPEN' }]);
    expect(pulls[0]?.head).toBe(shop.git('rev-parse', 'HEAD').trim());
    expect(requests.filter((request) => request.endsWith('/rerun'))).toHaveLength(1);
    expect(readFileSync(join(shop.dir, '../agent.env'), 'utf8')).not.toMatch(/^GH_/m);
  });

  test('is refused before the first task without rights or a login, with the command that helps (R-PR-7)', async () => {
    const hub = await hubOf({ steps: [{ afterPush: 0, permission: 'read' }] });
    expect(hub.run(...IMPLEMENT)).toMatchObject({ code: 2, stderr: expect.stringContaining('gh auth login') });
    await hub.end();
    expect(remoteHead().status).not.toBe(0);
    expect(shop.git('log', '--oneline', 'main..').split('\n').filter(Boolean)).toHaveLength(1);
  });

  test('that a person closes ends the run with exit code 3, and no commit is lost (R-PR-11)', async () => {
    const closed = { afterPush: 1, afterLooks: 1, change: { state: 'CLOSED' } } as const;
    const pending = { 'CI / build': { state: 'passed', pendingLooks: 2 } } as const;
    const hub = await hubOf({ checks: pending, steps: [closed] });
    expect(hub.run(...IMPLEMENT)).toMatchObject({ code: 3, stderr: expect.stringContaining('closed') });
    shop.git('merge-base', '--is-ancestor', remoteHead().stdout.trim(), 'HEAD');
    expect(shop.git('status', '--porcelain')).toBe('');
  });
});
