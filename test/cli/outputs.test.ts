import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PROGRAM, type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
});
afterEach(() => shop.remove());

const DONE = JSON.stringify(['bash', '-c', 'cat >/dev/null; echo x > a.txt; echo TASK_COMPLETE']);
const IMPLEMENT = ['implement', 'demo', '--review', 'off', '--agent-command'];

describe.skipIf(!existsSync('/dev/full'))('an output on a full disk', () => {
  test('for people is written no more, and the run goes on to its end (R-UX-4)', () => {
    const { status, stdout } = spawnSync(process.execPath, [PROGRAM, ...IMPLEMENT, DONE], {
      cwd: shop.dir,
      env: shop.env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', openSync('/dev/full', 'w')],
    });
    expect([status, stdout]).toEqual([0, 'ALL_TASKS_COMPLETE\n']);
  });

  test('for people leaves the run able to answer a signal (R-UX-3)', async () => {
    const waits = JSON.stringify(['bash', '-c', 'cat >/dev/null; touch begun; sleep 300']);
    const child = spawn(process.execPath, [PROGRAM, ...IMPLEMENT, waits], {
      cwd: shop.dir,
      env: shop.env,
      stdio: ['ignore', 'ignore', openSync('/dev/full', 'w')],
    });
    const ended = once(child, 'exit');
    while (!existsSync(join(shop.dir, 'begun'))) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
  });

  test.each([['status', 'demo'], ['logs', '1.1', 'demo'], ['list']])(
    'of "%s" ends with 1, and is told once',
    (...command) => {
      shop.run(...IMPLEMENT, DONE);
      const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...command], {
        cwd: shop.dir,
        env: { ...shop.env },
        encoding: 'utf8',
        stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      });
      expect(status).toBe(1);
      expect(stderr.match(/Cannot write the output: .*ENOSPC/g)).toHaveLength(1);
    },
  );
});
