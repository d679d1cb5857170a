import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
});
afterEach(() => shop.remove());

const at = (path: string) => join(shop.dir, path);
const lines = (path: string) => readFileSync(at(path), 'utf8').trim().split('\n').length;
const subjects = () => shop.git('log', '--format=%s', 'main..').trim().split('\n').reverse();

/** Each run of the agent leaves a line in `../runs`. */
function implement(does = 'echo x > a.txt; echo TASK_COMPLETE', ...options: readonly string[]): readonly string[] {
  const script = `cat > /dev/null; echo run >> ${shop.dir}/../runs; n=$(wc -l < ${shop.dir}/../runs); ${does}`;
  const agent = ['--agent-command', JSON.stringify(['bash', '-c', script])];
  return ['implement', 'demo', '--review', 'off', ...agent, ...options];
}

function program(path: string, script: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

test('a hook that refuses our own messages stops the run once; with messages that it takes the run goes on (R-ADV-5)', () => {
  program('.git/hooks/commit-msg', 'grep -qE "^(feat|docs): " "$1" || { echo "bad subject" >&2; exit 1; }');
  shop.write('specs/demo/design.md', 'The design.\n');
  const refused = shop.run(...implement());
  expect([refused.code, existsSync(at('../runs'))]).toEqual([3, false]);
  expect(refused.stderr).toContain('bad subject');
  expect(refused.stderr).toContain('set a message that it accepts under "commits" in specloop.config.yaml');
  const commits = { spec: 'docs: spec of {spec}', final: 'docs: progress of {spec}', progress: 'docs: notes' };
  shop.write('specloop.config.json', JSON.stringify({ commits }));
  shop.git('add', 'specloop.config.json');
  shop.git('commit', '--quiet', '--message', 'docs: settings');
  expect(shop.run(...implement())).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
  expect(subjects()).toEqual(['docs: settings', 'docs: spec of demo', 'feat: add the file', 'docs: progress of demo']);
  expect(lines('../runs')).toBe(1);
});

test('what hooks leave at commits of the plan is in no commit, and the tree is clean at the end (R-ADV-5, R-VER-13)', () => {
  program('.git/hooks/pre-commit', 'echo seen >> report.txt');
  const does = 'test $n = 1 && exit 1; echo x > a.txt; echo TASK_COMPLETE';
  const { code, stderr } = shop.run(...implement(does, '--recovery-mode'));
  expect(code).toBe(0);
  expect(stderr).toContain('1.1: a commit hook changed report.txt and did not commit it; put back, kept under refs/');
  expect(shop.git('log', '--format=', '--name-only', 'main..')).not.toContain('report.txt');
  expect(shop.git('status', '--porcelain')).toBe('');
});

test('also where the run ends before all is done, so that the next one can begin (R-ADV-5)', () => {
  program('.git/hooks/pre-commit', 'echo seen >> report.txt');
  const stuck = shop.run(...implement('exit 1', '--max-task-iterations', '1'));
  expect([stuck.code, shop.git('status', '--porcelain')]).toEqual([1, '']);
  expect(shop.run(...implement()).code).toBe(0);
});

test('hooks that a relative core.hooksPath leads to run in a worktree as well, and that is said (R-ADV-5)', () => {
  shop.write('.gitignore', '.husky/_/\n');
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'ignore');
  program('.husky/_/pre-commit', `git diff --cached --name-only >> ${shop.dir}/../staged`);
  shop.git('config', 'core.hooksPath', '.husky/_');
  shop.git('switch', '--quiet', 'main');
  shop.git('merge', '--quiet', 'feat/demo');
  shop.git('branch', '--quiet', '--delete', 'feat/demo');
  const { code, stderr } = shop.run(...implement(undefined, '--worktree'));
  expect(code).toBe(0);
  expect(stderr).toContain('Copied the hooks in .husky/_ (core.hooksPath) to the worktree');
  expect(readFileSync(at('../staged'), 'utf8')).toContain('a.txt');
});

test.each(['hook', 'signing'])(
  'a stop while a commit hangs is answered at once; nothing is lost, and no agent runs again: %s (R-UX-3, R-ADV-5)',
  async (what) => {
    const hangs = 'test -f a.txt || exit 0; touch ../hangs; sleep 600';
    if (what === 'hook') program('.git/hooks/pre-commit', hangs);
    else {
      program('.git/sign', hangs);
      shop.git('config', 'gpg.program', at('.git/sign'));
      shop.git('config', 'commit.gpgSign', 'true');
    }
    const run = shop.start(...implement());
    const ended = once(run, 'exit');
    await expect.poll(() => existsSync(at('../hangs')), { timeout: 60_000 }).toBe(true);
    const began = Date.now();
    run.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
    expect(Date.now() - began).toBeLessThan(30_000);
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('x\n');
    rmSync(at('.git/hooks/pre-commit'), { force: true });
    shop.git('config', 'commit.gpgSign', 'false');
    expect(shop.run(...implement())).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
    expect([lines('../runs'), subjects().filter((subject) => subject === 'feat: add the file').length]).toEqual([1, 1]);
  },
);
