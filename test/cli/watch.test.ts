import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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

/** A plan of these tasks, each a line with its id and marks, committed. */
function plan(tasks: readonly { readonly id: string; readonly file: string; readonly verify: string }[]): void {
  const texts = tasks.map(
    ({ id, file, verify }) =>
      `- [ ] ${id} Add ${file}\n  - **Files**: ${file}\n  - **Verify**: \`${verify}\`\n  - **Commit**: \`feat: add ${file}\`\n`,
  );
  shop.write('specs/demo/tasks.md', `# Tasks\n\n${texts.join('\n')}`);
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'plan');
}

/** Runs the plan with an agent that does this in a shell; `$n` is the number of its attempt, `$repository` the user's tree. */
function implement(does: string, ...options: readonly string[]): Result {
  const script = `cat > /dev/null; n=$SPECLOOP_ATTEMPT; repository=${shop.dir}; ${does}`;
  const agent = ['--agent-command', JSON.stringify(['bash', '-c', script])];
  return shop.run('implement', 'demo', '--review', 'off', ...agent, ...options);
}

function hook(text: string): void {
  writeFileSync(at('.git/hooks/pre-commit'), text);
  chmodSync(at('.git/hooks/pre-commit'), 0o755);
}

test.each([
  ['leads git to another folder', 'git config core.worktree ../other', /core\.worktree was added/],
  ['makes settings that git cannot read', 'echo [broken >> .git/config', /was added in \.git\/config/],
  ['makes the repository a bare one', 'git config core.bare true', /core\.bare was changed/],
])(
  'a Verify command that %s: that is put back before git is asked anything, and rejects (R-VER-14, R-VER-13)',
  (_, deed, said) => {
    plan([{ id: '1.1', file: 'check.sh', verify: 'bash check.sh' }]);
    mkdirSync(at('../other'));
    writeFileSync(at('../other/README.md'), 'precious\n');
    const { code, stdout, stderr } = implement(
      `echo 'true' > check.sh; [ $n = 1 ] && echo '${deed}' > check.sh; echo TASK_COMPLETE`,
    );
    expect([code, stdout, stderr]).toEqual([0, 'ALL_TASKS_COMPLETE\n', expect.stringMatching(said)]);
    expect(stderr).toContain('it was put back');
    expect(shop.git('log', '--format=%b')).toMatch(/Specloop-Attempt: .*\/2/);
    expect(shop.git('config', '--list')).not.toMatch(/core\.worktree|core\.bare=true/);
    expect(readFileSync(at('../other/README.md'), 'utf8')).toBe('precious\n');
    expect(shop.git('status', '--short')).toBe('');
  },
);

test('core.bare, set by an agent, is put back, and the next attempt begins in a clean tree (R-VER-14)', () => {
  const { code, stdout } = implement(
    `[ $n = 2 ] && git status --short > ../status; echo x > a.txt; [ $n = 1 ] && git config core.bare true; echo TASK_COMPLETE`,
  );
  expect([code, stdout]).toEqual([0, 'ALL_TASKS_COMPLETE\n']);
  expect(readFileSync(at('../status'), 'utf8')).toBe('');
});

test('after an agent that reset the branch the next attempt begins with plan and index as they were (R-VER-3)', () => {
  plan([{ id: '1.1', file: 'a.txt', verify: 'test -f a.txt' }]);
  const { code, stdout } = implement(
    `[ $n = 2 ] && git status --short > ../status; echo x > a.txt; [ $n = 1 ] && git reset -q --hard HEAD~1; echo TASK_COMPLETE`,
  );
  expect([code, stdout]).toEqual([0, 'ALL_TASKS_COMPLETE\n']);
  expect(readFileSync(at('../status'), 'utf8')).toBe('');
  expect(shop.git('status', '--short')).toBe('');
});

const MEMBERS = [
  { id: '1.1 [P]', file: 'one.txt', verify: 'test -f one.txt' },
  { id: '1.2 [P]', file: 'two.txt', verify: 'test -f two.txt' },
];

test('what a member of a batch does to hooks, settings and the stash is put back, and reported to all at work (R-VER-14, R-PAR-3)', () => {
  plan(MEMBERS);
  hook('#!/bin/sh\nexit 0\n');
  shop.write('specs/demo/design.md', 'idea\n');
  shop.git('stash', '--quiet', '--include-untracked');
  const meet =
    'touch ../met-$SPECLOOP_TASK_ID; while [ ! -f $repository/../met-1.1 ] || [ ! -f $repository/../met-1.2 ]; do sleep 0.05; done';
  const { code, stdout, stderr } = implement(
    `cd "$repository"; ${meet}; cd "$SPECLOOP_WORKSPACE"
     if [ $SPECLOOP_TASK_ID = 1.1 ]; then echo x > one.txt; git stash drop -q; : > "$repository/.git/hooks/pre-commit"; git config core.hooksPath /dev/null
     else echo x > two.txt; while git config core.hooksPath > /dev/null; do sleep 0.05; done; sleep 0.2; fi; echo TASK_COMPLETE`,
    '--jobs',
    '2',
  );
  expect([code, stdout]).toEqual([0, 'ALL_TASKS_COMPLETE\n']);
  expect(shop.git('stash', 'list')).toContain('WIP on feat/demo');
  expect(read('.git/hooks/pre-commit')).toContain('exit 0');
  expect(shop.git('config', '--list')).not.toContain('hookspath');
  for (const said of ['An entry of the stash was removed', 'The hook .git/hooks/pre-commit was changed'])
    expect(stderr).toMatch(new RegExp(`worth a look: ${said}.*2 tasks were running`));
});

test('a member that changes the settings in its own tree is rejected alone (R-VER-14, R-PAR-3)', () => {
  shop.write('specloop.config.yaml', 'scope: warn\n');
  plan(MEMBERS);
  const { code, stdout, stderr } = implement(
    `if [ $SPECLOOP_TASK_ID = 1.1 ]; then echo x > one.txt; [ $n = 1 ] && echo 'review: "off"' > specloop.config.yaml
     else echo x > two.txt; fi; echo TASK_COMPLETE`,
    '--jobs',
    '2',
  );
  expect([code, stdout]).toEqual([0, 'ALL_TASKS_COMPLETE\n']);
  expect(stderr).toMatch(/1\.1: rejected at .*The settings file specloop\.config\.yaml was changed/);
  expect(stderr).not.toMatch(/1\.2: rejected/);
  expect(shop.git('show', 'HEAD:specloop.config.yaml')).toBe('scope: warn\n');
  expect(existsSync(at('one.txt'))).toBe(true);
});
