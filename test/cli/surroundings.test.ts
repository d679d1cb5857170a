import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PROGRAM, type Result, type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
});
afterEach(() => shop.remove());

/** Runs the built program with other variables; one that is `undefined` is not set. */
function runWith(variables: Readonly<Record<string, string | undefined>>, ...args: readonly string[]): Result {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: shop.dir,
    env: { ...shop.env, ...variables },
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

/** Arguments that run the plan with an agent that does this in a shell. */
function implement(does: string): readonly string[] {
  const agent = JSON.stringify(['bash', '-c', `cat >/dev/null; ${does}`]);
  return ['implement', 'demo', '--review', 'off', '--agent-command', agent];
}

const WORKS = 'echo x > a.txt; echo TASK_COMPLETE';
const beside = (name: string) => join(dirname(shop.dir), name);
const privateFolder = () => join(shop.dir, '.git/.specloop');

describe('a folder for temporary files that cannot be used', () => {
  test('refuses a run before the first task, and nothing is made (R-UX-4, R-START-1)', () => {
    const { code, stderr } = runWith({ TMPDIR: '/nonexistent' }, ...implement(WORKS));
    expect([code, stderr]).toEqual([
      2,
      'Cannot create temporary files in /nonexistent (TMPDIR): the folder does not exist. Set TMPDIR to a folder that you can write, then run the command again.\n',
    ]);
    expect(existsSync(privateFolder())).toBe(false);
  });

  test('stops a run at work at once, resumable (R-ADV-6, R-DEL-7)', () => {
    mkdirSync(beside('tmp'));
    const TMPDIR = realpathSync(beside('tmp'));
    const { code, stderr } = runWith({ TMPDIR }, ...implement('rm -rf "$TMPDIR"; exit 1'));
    expect(code).toBe(1);
    expect(stderr).toContain(`Cannot create temporary files in ${TMPDIR} (TMPDIR): the folder does not exist.`);
    expect(stderr).not.toContain('attempt 3 begins');
    mkdirSync(TMPDIR);
    expect(runWith({ TMPDIR }, ...implement(WORKS))).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
    expect(readdirSync(TMPDIR)).toEqual([]);
  });
});

test('a run whose lock and record were removed stops, and is taken up again (R-FILE-6)', () => {
  const { code, stderr } = shop.run(...implement(`rm -r .git/.specloop/branches; ${WORKS}`));
  expect(code).toBe(1);
  expect(stderr).toMatch(/The lock of the branch feat\/demo in .* was removed, so another coordinator could start/);
  expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^Hint: .*run the command again to continue\.$/);
  expect(shop.run(...implement(WORKS))).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
});

test('a home folder that is not absolute counts as unset: no trust comes from the repository (R-SEC-1)', () => {
  const none = { HOME: '', XDG_STATE_HOME: 'state', GIT_CONFIG_GLOBAL: '/dev/null' };
  runWith(none, 'trust', 'demo', '--list');
  expect(shop.git('status', '--porcelain')).toBe('');
  expect(existsSync(join(shop.dir, '.local'))).toBe(false);
});

test.each([
  ['--pass-env', 'A B'],
  ['--pass-env', 'A=B'],
  ['--jobs', '9'.repeat(400)],
])('%s %s is refused (R-UX-1)', (flag, value) => {
  const { code, stderr } = shop.run(...implement(WORKS), flag, value);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(new RegExp(`^${flag} takes .*, not .*${value.slice(0, 3)}`)),
  ]);
});

test('a trust that could be meant either way is refused, and nothing is made (R-UX-1, R-SEC-1)', () => {
  const { code, stderr } = runWith({ SPECLOOP_TRUST: 'maybe' }, ...implement(WORKS));
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^SPECLOOP_TRUST must be 1 or 0, not "maybe"\.\n/)]);
  expect(existsSync(privateFolder())).toBe(false);
});

test('what is no folder of specs is reported by its path on every command (R-UX-4)', () => {
  shop.git('mv', 'specs', 'other');
  shop.write('specs', 'no folder');
  for (const command of ['status', 'tasks', 'implement', 'switch', 'cancel']) {
    const { code, stderr } = shop.run(command, 'demo');
    expect([code, stderr]).toEqual([2, 'specs is a file, not a folder.\nHint: Move it away, or name another spec.\n']);
  }
});
