import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unplannedWorkshop } from './planning-rig.ts';
import type { Workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = unplannedWorkshop();
  shop.write('mine.txt', 'not committed\n');
});
afterEach(() => shop.remove());

const agent = () => ['--agent-command', JSON.stringify(['node', join(shop.dir, '../agent.mjs')])];
const draft = (...command: readonly string[]) => shop.run(...command, ...agent());
/** The worktree of the spec, or a file in it. */
const there = (...path: readonly string[]) => join(`${shop.dir}-login`, ...path);
/** All that planning in a worktree must not change in the user's tree. */
const userTree = () => [
  shop.git('status', '--porcelain', '--ignored'),
  shop.git('rev-parse', '--abbrev-ref', 'HEAD'),
  shop.git('rev-parse', 'HEAD'),
];
const whereLine = () => `In the worktree ${there()}:\n`;

test('new --worktree plans in a worktree, and each later command from the user’s tree works there and says so (R-START-2, R-PLAN-2)', () => {
  const before = userTree();
  const ahead = draft('new', 'login', 'Add login', '--worktree', '--dry-run');
  expect(ahead).toMatchObject({ code: 0, stdout: expect.stringContaining('research.md: researcher') });
  expect(ahead.stderr).toContain(`Would create the worktree ${there()}, on the new branch feat/login.`);
  expect(existsSync(there())).toBe(false);

  const made = draft('new', 'login', 'Add login', '--worktree');
  expect([made.code, made.stderr]).toEqual([3, expect.stringContaining(`Created the worktree ${there()}, on the new`)]);
  expect(readFileSync(there('specs/.current-spec'), 'utf8')).toBe('login\n');
  expect(JSON.parse(shop.run('status', 'login', '--json').stdout)).toMatchObject({
    gate: 'research',
    worktree: there(),
  });
  expect(shop.run('list').stdout).toBe(`  login  no plan  specs/login  research waits for approval  in ${there()}\n`);
  expect(shop.run('status')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/none is active\.\n.* Specs in other worktrees: login\.\n$/),
  });
  const taken = `There is already a spec "login" (specs/login in the worktree ${there()}): research.md.`;
  expect(draft('new', 'login', 'Add login')).toMatchObject({ code: 2, stderr: expect.stringContaining(taken) });

  expect(shop.run('approve', 'login').stderr).toMatch(
    new RegExp(`^${whereLine()}Approved research\\.md \\(content [0-9a-f]{12}\\)\\.\n$`),
  );
  const rejected = draft('reject', 'login', '--feedback', 'no OAuth');
  expect([rejected.code, rejected.stderr]).toEqual([3, expect.stringContaining(whereLine())]);
  expect(draft('requirements', 'login', '--gates', 'none')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`The work is on the branch feat/login, in ${there()}.\n`),
  });
  const done = draft('implement', 'login');
  expect([done.code, done.stderr]).toEqual([0, expect.stringContaining(`then \`git worktree remove ${there()}\`.`)]);
  expect(userTree()).toEqual(before);
  expect(shop.git('show', 'feat/login:specs/login/tasks.md')).toContain('- [x] 1.1');
});

test('--quick that fails leaves no spec in the worktree, and one that was killed goes on there (R-PLAN-3, R-FILE-7)', async () => {
  const before = userTree();
  shop.write('../deeds.json', JSON.stringify({ tasks: ['nothing', 'nothing', 'nothing', 'nothing', 'nothing'] }));
  const quick = ['new', 'login', 'Fix a typo', '--worktree', '--quick'];
  const failed = draft(...quick);
  expect([failed.code, failed.stderr]).toEqual([
    1,
    expect.stringContaining("`specloop new login 'Fix a typo' --quick --worktree`"),
  ]);
  expect(readdirSync(there())).toEqual(['.git', 'README.md']);
  const ref = /refs\/specloop\/kept\/\S+\/drafts/.exec(failed.stderr)?.[0] ?? '';
  expect(shop.git('show', `${ref}:specs/login/.progress.md`)).toContain('Fix a typo');
  expect(shop.run('status', 'login').code).toBe(2);

  const slow = ['--agent-command', JSON.stringify(['bash', '-c', 'touch "$0"; sleep 60', join(shop.dir, '../began')])];
  const killed = shop.start(...quick, ...slow);
  while (!existsSync(join(shop.dir, '../began'))) await pause(50);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  shop.write('../deeds.json', '{}');
  const went = draft('new', 'login', 'Fix a typo', '--quick');
  expect([went.code, went.stdout]).toEqual([0, 'ALL_TASKS_COMPLETE\n']);
  expect(went.stderr).toContain(whereLine());
  expect(shop.git('branch', '--list', 'feat/*').trim().split('\n')).toEqual(['* feat/demo', '+ feat/login']);
  expect(userTree()).toEqual(before);
});

test('a spec of the user’s tree is planned on in a worktree, as it is there; a session refuses that (R-START-6, R-SES-1)', () => {
  expect(draft('new', 'login', 'Add login', '--worktree', '--session', 'abc')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--session and --worktree cannot be combined'),
  });
  draft('new', 'login', 'Add login');
  shop.write('specs/login/research.md', `${readFileSync(join(shop.dir, 'specs/login/research.md'), 'utf8')}\nMine.\n`);
  shop.git('switch', '--quiet', '--create', 'elsewhere');
  const before = userTree();
  expect(draft('requirements', 'login', '--worktree')).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^Approved research\.md \(content [0-9a-f]{12}\)\.$/m),
  });
  expect(userTree()).toEqual(before);
  expect(readFileSync(there('specs/login/requirements.md'), 'utf8')).toContain('AC-1.1');
});
