import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Result, type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
});
afterEach(() => shop.remove());

const at = (path: string) => join(shop.dir, path);
const read = (path: string) => readFileSync(at(path), 'utf8');
const recorded = () => {
  const names = readdirSync(at('.git/.specloop'), { recursive: true, encoding: 'utf8' });
  const name = names.find((one) => one.endsWith('/watch.json'));
  return name === undefined ? 'none' : at(join('.git/.specloop', name));
};

/** The agent of both runs: it does this once, and only the first time it waits to be killed with its coordinator. */
function agent(does: string): readonly string[] {
  const script = `cat > /dev/null; cd ${shop.dir}; [ -f ../ready ] || { ${does}; touch ../ready; sleep 60; }; echo x > a.txt; echo TASK_COMPLETE`;
  return ['implement', 'demo', '--review', 'off', '--agent-command', JSON.stringify(['bash', '-c', script])];
}

async function kill(does: string): Promise<void> {
  const run = shop.start(...agent(does));
  const ended = once(run, 'exit');
  await expect.poll(() => existsSync(at('../ready')), { timeout: 60_000 }).toBe(true);
  run.kill('SIGKILL');
  await ended;
}

const resume = (): Result => shop.run(...agent('exit 1'));

/** A user's hook, stash entry, branch and hidden file. */
function possessions(): void {
  writeFileSync(at('.git/hooks/pre-commit'), '#!/bin/sh\nexit 0\n');
  chmodSync(at('.git/hooks/pre-commit'), 0o755);
  shop.git('branch', 'precious', 'main');
  shop.write('specs/demo/tasks.md', `${read('specs/demo/tasks.md')}\n`);
  shop.git('stash', '--quiet');
}

test('what an agent did to settings, hooks, refs and the stash before its coordinator was killed is put back (R-VER-14)', async () => {
  possessions();
  await kill(
    `git config core.hooksPath /dev/null; git config core.worktree /nowhere; git config --unset user.name
     printf '#!/bin/sh\\nexit 1\\n' > .git/hooks/pre-commit; echo a.txt >> .git/info/exclude
     unset GIT_DIR; git config --unset core.worktree; git update-index --skip-worktree specs/demo/tasks.md
     git stash drop -q; git branch -qD precious; git config core.worktree /nowhere`,
  );
  expect(recorded()).not.toBe('none');
  const { code, stdout, stderr } = resume();
  expect([code, stdout]).toEqual([0, 'ALL_TASKS_COMPLETE\n']);
  expect(stderr).toMatch(/Run \S+ of demo was killed while an agent or a command was at work/);
  for (const said of [
    'The git setting core.hookspath was added in .git/config; it was put back.',
    'The git setting core.worktree was added in .git/config; it was put back.',
    'The git setting user.name was removed in .git/config; it was put back.',
    'The hook .git/hooks/pre-commit was changed; it was put back.',
    '.git/info/exclude was changed; it was put back.',
    'The branch precious was removed; it was put back.',
    'An entry of the stash was removed: "WIP on feat/demo',
    'Changes of specs/demo/tasks.md were hidden from git (skip-worktree); it was put back.',
    'What was replaced is kept in ',
  ])
    expect(stderr).toContain(said);
  expect(shop.git('config', 'user.name')).toBe('Test\n');
  expect(shop.git('config', '--list')).not.toMatch(/hookspath|core\.worktree/);
  expect(read('.git/hooks/pre-commit')).toContain('exit 0');
  expect(shop.git('stash', 'list')).toContain('WIP on feat/demo');
  expect(shop.git('rev-parse', 'precious')).toBe(shop.git('rev-parse', 'main'));
  expect(shop.git('ls-files', '-v', 'specs/demo/tasks.md')).toMatch(/^H/);
  expect(shop.git('status', '--short')).toBe('');
  // The next work of the run told it too, and an end of its own leaves no record.
  expect(
    shop.run('logs', 'demo', '--task', '1.1').stdout + shop.run('status', 'demo', '--task', '1.1').stdout,
  ).toContain('The branch precious was removed');
  expect(recorded()).toBe('none');
});

test('settings that git cannot read any more are put back before git is asked anything (R-VER-14)', async () => {
  await kill(`echo '[broken' >> .git/config`);
  expect(resume().code).toBe(0);
  expect(read('.git/config')).not.toContain('broken');
});

test('settings of ours that a killed agent wrote do not hold for the next start (R-VER-14)', async () => {
  await kill(`echo 'admissions: [zzz]' > specloop.config.yaml`);
  const { code, stderr } = resume();
  expect([code, existsSync(at('specloop.config.yaml'))]).toEqual([0, false]);
  expect(stderr).toContain('The settings file specloop.config.yaml was added; it was put back.');
});

test('a ref that moved or came after the kill may be work of a person: it is named, and stays (R-VER-14)', async () => {
  possessions();
  await kill('true');
  const moved = shop.git('commit-tree', '-m', 'mine', 'HEAD^{tree}').trim();
  shop.git('branch', '--force', 'precious', moved);
  shop.git('branch', 'idea');
  const { code, stderr } = resume();
  expect(code).toBe(0);
  expect(stderr).toContain(`The branch precious was moved to ${moved.slice(0, 8)}; it was not undone`);
  expect(stderr).toContain('The branch idea was created.');
  expect(shop.git('rev-parse', 'precious').trim()).toBe(moved);
});

test('hooks that appeared before the kill stay, and do not run in commits of ours (R-VER-14, R-ADV-1)', async () => {
  await kill(`printf '#!/bin/sh\\nexit 1\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`);
  const { code, stderr } = resume();
  expect([code, statSync(at('.git/hooks/pre-commit')).isFile()]).toEqual([0, true]);
  expect(stderr).toContain('The hook .git/hooks/pre-commit was added.');
});

test('a damaged record of what was watched is reported, and the run goes on (R-VER-14)', async () => {
  await kill('true');
  writeFileSync(recorded(), '{"before": 1}');
  const { code, stderr } = resume();
  expect(code).toBe(0);
  expect(stderr).toContain('is damaged, so they could not be compared.');
  expect(recorded()).toBe('none');
});

test('a dry run after a kill puts nothing back (R-START-8, R-VER-14)', async () => {
  await kill('git config alias.x y; git config user.email other@example.invalid');
  shop.run(...agent('exit 1'), '--dry-run');
  expect(shop.git('config', 'user.email')).toBe('other@example.invalid\n');
  expect(recorded()).not.toBe('none');
});
