import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Git } from '../../ports/git.ts';
import { gitCli } from './git-cli.ts';
import { findRepository, ignoredPaths, readFacts } from './repository.ts';
import { type Repository, repository } from './test-rig.ts';

const ORDER = {
  message: 'feat: x',
  trailers: { 'Specloop-Task': '1.1' },
  paths: 'everything',
  keepsStaged: false,
} as const;

let repo: Repository;
beforeEach(async () => {
  repo = await repository();
});
afterEach(() => repo.cleanup());

describe('programs that a repository names do not run behind our back (R-SEC-1)', () => {
  const HOOKS = [
    'post-checkout',
    'reference-transaction',
    'post-index-change',
    'post-rewrite',
    'post-merge',
    'pre-rebase',
    'applypatch-msg',
  ];

  /** Each leaves its name in a file beside the repository when it runs. */
  const plant = async (): Promise<void> => {
    const trap = join(repo.tree.dir, '.git/trap');
    await writeFile(trap, `#!/bin/sh\necho "$0 $*" >> "${repo.beside}/ran"\n`);
    await chmod(trap, 0o755);
    await mkdir(join(repo.tree.dir, '.git/hooks'), { recursive: true });
    await Promise.all(HOOKS.map((name) => symlink(trap, join(repo.tree.dir, '.git/hooks', name))));
    await repo.write('.git/info/attributes', '* diff=trap\n');
    const settings = {
      'core.fsmonitor': trap,
      'core.pager': trap,
      'diff.external': trap,
      'diff.trap.textconv': trap,
      'diff.trap.command': trap,
      'core.editor': trap,
      'gpg.program': trap,
      'log.showSignature': 'true',
      'core.sshCommand': trap,
    };
    for (const [key, value] of Object.entries(settings)) await repo.sh('config', key, value);
  };
  const ran = (): Promise<string> => readFile(join(repo.beside, 'ran'), 'utf8').catch(() => '');

  test('the traps of this test do bite', async () => {
    await plant();
    await repo.write('README.md', 'changed\n');
    await repo.sh('status');
    await repo.sh('diff');
    await repo.sh('switch', '--quiet', '--create', 'other');
    expect(await ran()).toMatch(/trap|post-checkout/);
    expect(await ran()).toContain('post-checkout');
    expect(await ran()).toContain('reference-transaction');
  });

  /** Who shows a signature has it checked by a program that the settings name. */
  const signedCommit = async (): Promise<void> => {
    const signer =
      '#!/bin/sh\ncat > /dev/null\nprintf "\\n[GNUPG:] SIG_CREATED x\\n" >&2\nprintf -- "-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n"\n';
    await writeFile(join(repo.beside, 'signer'), signer, { mode: 0o755 });
    await repo.sh(
      '-c',
      `gpg.program=${join(repo.beside, 'signer')}`,
      'commit',
      '--quiet',
      '--gpg-sign',
      '--message',
      'by the agent',
    );
  };

  const base = (): string => repo.first;
  const calls: Readonly<Record<string, (git: Git) => Promise<unknown>>> = {
    inspect: (git) => git.inspect(repo.tree),
    changedSince: (git) => git.changedSince(repo.tree, base()),
    changedBetween: (git) => git.changedBetween(repo.tree, base(), base()),
    diffSince: (git) => git.diffSince(repo.tree, base(), { bytesMax: 10_000, paths: ['README.md', 'new.txt'] }),
    fileAt: (git) => git.fileAt(repo.tree, base(), 'README.md'),
    findRecord: (git) => git.findRecord(repo.tree, { since: base(), trailers: ORDER.trailers }),
    snapshot: (git) =>
      git.snapshot(repo.tree, { ref: 'refs/specloop/kept/x/1', base: base(), message: 'm', exclude: [] }),
    setRef: (git) => git.setRef('refs/specloop/x', base()),
    unwind: (git) => git.unwind(repo.tree, base()),
    restore: (git) => git.restore(repo.tree, { branch: 'feat/demo', commit: base(), exclude: [] }),
    "restore around the user's files": (git) =>
      git.restore(repo.tree, { branch: 'feat/demo', commit: base(), exclude: ['new.txt'] }),
    switchToNewBranch: (git) => git.switchToNewBranch(repo.tree, 'feat/new'),
    addWorktree: (git) => git.addWorktree(join(repo.beside, 'worktree'), { branch: 'own/1', commit: base() }),
    apply: (git) => git.apply(repo.tree, base()),
    findRepository: () => findRepository(repo.tree.dir, repo.env),
    readFacts: () =>
      readFacts(
        { root: repo.tree.dir, commonDir: join(repo.tree.dir, '.git'), gitDir: join(repo.tree.dir, '.git') },
        repo.env,
      ),
    ignoredPaths: () => ignoredPaths({ root: repo.tree.dir }, repo.env, ['a.log']),
  };
  test.each(Object.keys(calls))('not in %s', async (name) => {
    await repo.write('src/b.ts', 'b\n');
    await repo.sh('add', '--all');
    await signedCommit();
    await plant();
    await repo.write('README.md', 'changed\n');
    await repo.write('new.txt', 'x\n');
    await calls[name]?.(repo.git);
    expect(await ran()).toBe('');
  });
});

describe('what we are started with leads git nowhere else (R-SEC-1)', () => {
  test('variables that name another repository, index or setting are not passed on', async () => {
    const lead = {
      GIT_DIR: '/nowhere',
      GIT_WORK_TREE: '/nowhere',
      GIT_INDEX_FILE: '/nowhere',
      GIT_OBJECT_DIRECTORY: '/nowhere',
      GIT_CONFIG_PARAMETERS: "'core.bare=true'",
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.bare',
      GIT_CONFIG_VALUE_0: 'true',
      GIT_TRACE: '1',
    };
    const git = gitCli({ root: repo.tree.dir, env: { ...repo.env, ...lead } });
    await repo.write('a.txt', 'x\n');
    expect((await git.commit(repo.tree, ORDER)).how).toBe('committed');
    expect(await repo.sh('show', 'HEAD:a.txt')).toBe('x');
  });

  test('who commits is kept', async () => {
    const git = gitCli({
      root: repo.tree.dir,
      env: { ...repo.env, GIT_AUTHOR_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'bot@example.invalid' },
    });
    await repo.write('a.txt', 'x\n');
    await git.commit(repo.tree, ORDER);
    expect(await repo.sh('log', '-1', '--format=%an %ce')).toBe('Ada bot@example.invalid');
  });

  test.each(['gone', 'an empty folder'])(
    'a tree whose .git is %s is not taken for the repository around it',
    async (how) => {
      const inner = await repo.git.addWorktree(join(repo.tree.dir, 'build/worktree'), {
        branch: 'own/2',
        commit: repo.first,
      });
      await repo.remove('build/worktree/.git');
      if (how !== 'gone') await mkdir(join(inner.dir, '.git'));
      await repo.write('precious.txt', 'mine\n');
      const order = { branch: undefined, commit: repo.first, exclude: [] };
      await expect(repo.git.restore(inner, order)).rejects.toThrow(/not a (working tree|git repository)/);
      await expect(repo.git.inspect(inner)).rejects.toThrow(/not a (working tree|git repository)/);
      expect(await repo.read('precious.txt')).toBe('mine\n');
      expect(await repo.sh('branch', '--show-current')).toBe('feat/demo');
    },
  );

  test('without git it says so', async () => {
    const git = gitCli({ root: repo.tree.dir, env: { ...repo.env, PATH: repo.beside } });
    await expect(git.inspect(repo.tree)).rejects.toThrow(/git was not found/);
  });
});

describe('the ordinary case costs no more processes than it must', () => {
  /** Counts the starts of git by standing before it on the PATH. */
  const counted = async (): Promise<{ git: Git; started(): Promise<readonly string[]> }> => {
    const real = (await promisify(execFile)('sh', ['-c', 'command -v git'])).stdout.trim();
    await writeFile(join(repo.beside, 'git'), `#!/bin/sh\necho "$*" >> "${repo.beside}/started"\nexec ${real} "$@"\n`);
    await chmod(join(repo.beside, 'git'), 0o755);
    const git = gitCli({ root: repo.tree.dir, env: { ...repo.env, PATH: `${repo.beside}:${repo.env.PATH}` } });
    return {
      git,
      started: async () =>
        (await readFile(join(repo.beside, 'started'), 'utf8').catch(() => '')).split('\n').slice(0, -1),
    };
  };

  test('one to inspect, one to compare with HEAD, none to read a ref', async () => {
    const { git, started } = await counted();
    await repo.write('a.txt', 'x\n');
    await git.inspect(repo.tree);
    expect(await started()).toHaveLength(1);
    await git.changedSince(repo.tree, repo.first);
    expect(await started()).toHaveLength(2);
    await git.readRef('refs/heads/feat/demo');
    expect(await started()).toHaveLength(2);
  });

  test('two to commit everything, once the settings are known, one to find that all is as it should be', async () => {
    const { git, started } = await counted();
    await repo.write('a.txt', 'w\n');
    await git.commit(repo.tree, ORDER);
    const before = (await started()).length;
    await repo.write('a.txt', 'x\n');
    await repo.write('README.md', 'changed\n');
    const done = await git.commit(repo.tree, ORDER);
    expect(await started()).toHaveLength(before + 2);
    await git.restore(repo.tree, {
      branch: 'feat/demo',
      commit: done.how === 'committed' ? done.commit : '',
      exclude: [],
    });
    expect(await started()).toHaveLength(before + 3);
  });
});
