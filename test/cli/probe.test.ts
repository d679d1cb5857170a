import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROGRAM, type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
  const tasks = [
    ['1.1', 'test -f a.txt'],
    ['1.2', 'true'],
    ['1.3', 'no-such-program --check'],
    ['1.4', 'if then'],
  ].map(([id, command]) => `- [ ] ${id} Task\n  - **Verify**: \`${command}\`\n`);
  shop.write('specs/demo/tasks.md', `# Tasks\n\n${tasks.join('')}`);
});
afterEach(() => shop.remove());

test('validate --probe tells what each open Verify says before the work, and changes nothing (R-PROBE-1)', () => {
  const before = shop.git('status', '--porcelain', '--ignored');
  const { code, stdout, stderr } = shop.run('validate', 'demo', '--probe');
  expect(code, stderr).toBe(1);
  expect(stdout).toContain('1.1  probe: fails before the work, as wanted (exit code 1');
  expect(stdout).toContain('Verify of task 1.2 passes before any work, so it proves nothing.');
  expect(stdout).toContain('Verify of task 1.3 cannot run: no-such-program was not found');
  expect(shop.git('status', '--porcelain', '--ignored')).toBe(before);
  const json = JSON.parse(shop.run('validate', 'demo', '--probe', '--json').stdout);
  expect(json.probed.map(({ result }: { result: string }) => result)).toEqual([
    ...['as-wanted', 'passes-already', 'not-found', 'bad-syntax'],
  ]);
  const codes = json.problems.map(({ code: name }: { code: string }) => name);
  expect(codes).toEqual(expect.arrayContaining(['probe-passes', 'probe-not-found', 'verify-syntax']));
  expect(codes).not.toContain('probe-syntax');
});

test('no command is tried in a workspace that is not trusted, nor of a plain file (R-PROBE-1, R-SEC-1)', () => {
  const { SPECLOOP_TRUST: _trust, ...env } = shop.env;
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'validate', 'demo', '--probe'], {
    cwd: shop.dir,
    env,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([2, expect.stringContaining('no-such-program')]);
  expect(shop.run('validate', 'specs/demo/tasks.md', '--probe')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--probe needs a spec'),
  });
});
