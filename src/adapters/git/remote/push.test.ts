import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Remote } from '../../../ports/remote.ts';
import { isAlive, type Repository, repository } from '../test-rig.ts';
import { type GitRemoteOptions, gitRemote } from './git-remote.ts';

const BRANCH = 'feat/demo';

let repo: Repository;
let bare: string;
beforeEach(async () => {
  repo = await repository();
  bare = join(repo.beside, 'origin.git');
  await repo.sh('init', '--quiet', '--bare', bare);
  await repo.sh('remote', 'add', 'origin', bare);
});
afterEach(() => repo.cleanup());

function remote(options: Partial<GitRemoteOptions> = {}): Remote {
  return gitRemote({ root: repo.tree.dir, env: repo.env, name: 'origin', ...options });
}

const there = (ref: string) => repo.sh('-C', bare, 'for-each-ref', '--format=%(objectname) %(refname)', ref);

async function hookThere(name: string, script: string): Promise<void> {
  await writeFile(join(bare, 'hooks', name), `#!/bin/sh\n${script}\n`);
  await chmod(join(bare, 'hooks', name), 0o755);
}

test('the local branch follows the one it was pushed to, unless it follows another one already (R-PR-1)', async () => {
  await remote().push(BRANCH, repo.first);
  expect(await repo.sh('rev-parse', '--abbrev-ref', '@{upstream}')).toBe('origin/feat/demo');
  await repo.sh('branch', '--quiet', '--set-upstream-to', 'main');
  await remote().push(BRANCH, repo.first);
  expect(await repo.sh('rev-parse', '--abbrev-ref', '@{upstream}')).toBe('main');
  await repo.sh('config', `branch.${BRANCH}.remote`, 'origin');
  await repo.sh('config', `branch.${BRANCH}.merge`, 'refs/heads/base');
  await remote().push(BRANCH, repo.first);
  expect(await repo.sh('config', `branch.${BRANCH}.merge`)).toBe('refs/heads/base');
});

test('a push that was cut off before the branch followed is made up for by the next one (R-PR-1)', async () => {
  await repo.sh('config', `branch.${BRANCH}.remote`, 'origin');
  await remote().push(BRANCH, repo.first);
  expect(await repo.sh('config', `branch.${BRANCH}.merge`)).toBe('refs/heads/feat/demo');
});

test('the branch alone is pushed, whatever the settings say (R-PR-1, R-PR-6)', async () => {
  await repo.sh('tag', '--annotate', 'v1', '--message', 'one');
  await repo.sh('-C', bare, 'fetch', '--quiet', '--no-tags', repo.tree.dir, 'main:refs/heads/keep');
  await repo.sh('config', 'push.followTags', 'true');
  await repo.sh('config', 'remote.origin.mirror', 'true');
  await repo.sh('config', 'remote.origin.push', '+refs/heads/*:refs/heads/*');
  expect(await remote().push(BRANCH, repo.first)).toMatchObject({ how: 'pushed' });
  expect((await there('refs')).split('\n')).toEqual([
    `${repo.first} refs/heads/feat/demo`,
    `${repo.first} refs/heads/keep`,
  ]);
});

test('a commit of a submodule that is nowhere but here is not left behind (R-PR-1)', async () => {
  const library = join(repo.beside, 'library');
  await repo.sh('init', '--quiet', library);
  await repo.sh('-C', library, 'commit', '--quiet', '--allow-empty', '--message', 'one');
  await repo.sh('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'library');
  await repo.sh('-C', 'library', 'commit', '--quiet', '--allow-empty', '--message', 'two');
  await repo.sh('add', '--all');
  await repo.sh('commit', '--quiet', '--message', 'library');
  const answer = await remote().push(BRANCH, await repo.sh('rev-parse', 'HEAD'));
  expect(answer).toEqual({ how: 'refused', cause: 'other', output: expect.stringContaining('library') });
  expect(await there('refs')).toBe('');
});

test('the pre-push hook runs with the environment of the user, and its no is a no (R-PR-6, R-ADV-5)', async () => {
  await repo.hook('pre-push', 'echo "$MINE $GIT_SEQUENCE_EDITOR" >pushed.log; cat >>pushed.log');
  const env = { ...repo.env, MINE: 'mine', GIT_SEQUENCE_EDITOR: 'ed' };
  expect(await remote({ env }).push(BRANCH, repo.first)).toMatchObject({ how: 'pushed' });
  expect(await repo.read('pushed.log')).toBe(
    `mine ed\n${repo.first} ${repo.first} refs/heads/feat/demo ${'0'.repeat(40)}\n`,
  );
  await repo.sh('commit', '--quiet', '--allow-empty', '--message', 'second');
  const second = await repo.sh('rev-parse', 'HEAD');
  await repo.hook('pre-push', 'echo "Permission denied by protected branch, fatal: 2 tests failed" >&2; exit 1');
  expect(await remote().push(BRANCH, second)).toEqual({
    how: 'refused',
    cause: 'hook',
    output: expect.stringContaining('2 tests failed'),
  });
  expect(await there('refs')).toBe(`${repo.first} refs/heads/feat/demo`);
});

test('what a pre-push hook prints like git is not taken for its answer (R-PR-6)', async () => {
  const line = `!\\t${repo.first}:refs/heads/other\\t[remote rejected] (protected branch hook declined)`;
  await repo.hook('pre-push', `printf '${line}\\n'; exit 1`);
  expect(await remote().push(BRANCH, repo.first)).toMatchObject({ cause: 'hook' });
});

test('a pre-push hook that has nothing to say about what is there already does not undo it (R-PR-6)', async () => {
  await remote().push(BRANCH, repo.first);
  await repo.hook('pre-push', 'exit 1');
  expect(await remote().push(BRANCH, repo.first)).toEqual({ how: 'pushed', isNew: false });
});

test('hooks come from where they were before the run, if that is asked for (R-VER-14)', async () => {
  await repo.hook('pre-push', 'exit 1');
  expect(await remote({ hooksPath: () => '/dev/null' }).push(BRANCH, repo.first)).toMatchObject({ how: 'pushed' });
});

test('a push that takes too long is ended with all it started (R-PR-6)', async () => {
  await repo.hook('pre-push', 'echo $$ >hook.pid; exec sleep 60');
  const answer = await remote({ timeouts: { pushMs: 2_000 } }).push(BRANCH, repo.first);
  expect(answer).toEqual({
    how: 'refused',
    cause: 'unreachable',
    output: 'git took longer than 2 s and was stopped.',
  });
  const pid = Number(await readFile(join(repo.tree.dir, 'hook.pid'), 'utf8'));
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test('a push ends when the run is stopped (R-DEL-6)', async () => {
  await repo.hook('pre-push', 'exec sleep 60');
  const answer = await remote({ signal: AbortSignal.timeout(500) }).push(BRANCH, repo.first);
  expect(answer).toEqual({ how: 'refused', cause: 'other', output: 'git was stopped before its end.' });
});

test('a connection that ends after the commit was taken is a push all the same (R-PR-6)', async () => {
  await hookThere('post-receive', 'kill -9 $PPID');
  expect(await remote().push(BRANCH, repo.first)).toEqual({ how: 'pushed', isNew: true });
});

test('a connection that ends before it is no push (R-PR-6)', async () => {
  await hookThere('pre-receive', 'kill -9 $PPID');
  expect(await remote().push(BRANCH, repo.first)).toMatchObject({ how: 'refused', cause: 'unreachable' });
});

test('a branch that is checked out there is refused for a reason of its own (R-PR-6)', async () => {
  const open = join(repo.beside, 'open');
  await repo.sh('clone', '--quiet', repo.tree.dir, open);
  await repo.sh('remote', 'set-url', 'origin', open);
  await repo.sh('commit', '--quiet', '--allow-empty', '--message', 'second');
  const answer = await remote().push(BRANCH, await repo.sh('rev-parse', 'HEAD'));
  expect(answer).toEqual({ how: 'refused', cause: 'other', output: expect.stringContaining('checked out') });
});

/** What ssh is called with. */
async function callOfSsh(setting: 'variable' | 'config' | 'none'): Promise<string> {
  const log = join(repo.beside, 'ssh.log');
  const ssh = join(repo.beside, 'ssh');
  await writeFile(ssh, `#!/bin/sh\necho "$GIT_TERMINAL_PROMPT $*" >>'${log}'\nexit 255\n`);
  await chmod(ssh, 0o755);
  await repo.sh('remote', 'set-url', 'origin', 'git@forge.invalid:owner/name.git');
  if (setting === 'config') await repo.sh('config', 'core.sshCommand', `'${ssh}' -i mine`);
  const env = { ...repo.env, PATH: `${repo.beside}:${repo.env.PATH}` };
  await remote({ env: setting === 'variable' ? { ...env, GIT_SSH_COMMAND: `'${ssh}' -i mine` } : env }).push(
    BRANCH,
    repo.first,
  );
  return readFile(log, 'utf8');
}

test.each(['variable', 'config'] as const)(
  'ssh is called as the user set it (%s), and no one is asked (R-PR-7)',
  async (setting) => {
    const call = await callOfSsh(setting);
    expect(call).toMatch(/^0 -i mine /m);
    expect(call).not.toContain('BatchMode');
  },
);

test('where the user set nothing, ssh asks no one (R-PR-7)', async () => {
  expect(await callOfSsh('none')).toMatch(/^0 -o BatchMode=yes /m);
});
