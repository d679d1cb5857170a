import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commitText } from './commit.ts';
import { gitCli } from './git-cli.ts';
import { isAlive, type Repository, repository, rigOf } from './test-rig.ts';

const ORDER = {
  message: 'feat(x): do it',
  trailers: { 'Specloop-Task': '1.1' },
  paths: 'everything',
  keepsStaged: false,
} as const;

let repo: Repository;
beforeEach(async () => {
  repo = await repository();
});
afterEach(() => repo.cleanup());

test('the text of a commit is the message as it is, an empty line, and a line for each trailer (R-ADV-1)', () => {
  expect(commitText('feat: x\n\n# no comment\n  kept  \n', { A: '1', B: '2' })).toBe(
    'feat: x\n\n# no comment\n  kept  \n\nA: 1\nB: 2\n',
  );
  expect(commitText('feat: x', {})).toBe('feat: x\n');
  expect(commitText('feat: x', { A: 'one\r\nB: forged' })).toBe('feat: x\n\nA: one B: forged\n');
});

test('git stores the message without a change (R-ADV-1)', async () => {
  await repo.write('a.txt', 'x\n');
  const message = '-m "quoted" $(x) `y`\n\n# a line with a hash\n\n\n  indented\n';
  await repo.git.commit(repo.tree, { ...ORDER, message });
  expect(await repo.sh('log', '-1', '--format=%B')).toBe(`${message}\nSpecloop-Task: 1.1\n`);
});

describe("the user's hooks are run and never bypassed (R-ADV-1)", () => {
  test.each(['pre-commit', 'commit-msg', 'prepare-commit-msg'])(
    'a %s that fails refuses the commit, with its words',
    async (name) => {
      await repo.hook(name, 'echo "lint: bad $((40 + 2))"; echo "also here" >&2; exit 1');
      await repo.write('a.txt', 'x\n');
      await repo.write('README.md', 'changed\n');
      const done = await repo.git.commit(repo.tree, ORDER);
      expect(done).toMatchObject({ how: 'refused', output: expect.stringMatching(/lint: bad 42[\s\S]*also here/) });
      expect(await repo.sh('rev-parse', 'HEAD')).toBe(repo.first);
      expect(await repo.sh('diff', '--cached', '--name-only')).toBe('');
      expect([await repo.read('a.txt'), await repo.read('README.md')]).toEqual(['x\n', 'changed\n']);
    },
  );

  test('a refusal leaves what else is staged as it was (R-START-2)', async () => {
    await repo.hook('pre-commit', 'exit 1');
    await repo.write('mine.txt', 'staged\n');
    await repo.sh('add', 'mine.txt');
    await repo.write('a.txt', 'x\n');
    await repo.write('README.md', 'changed\n');
    const done = await repo.git.commit(repo.tree, { ...ORDER, paths: ['a.txt', 'README.md'], keepsStaged: true });
    expect(done).toEqual({ how: 'refused', by: 'work', output: '' });
    expect(await repo.sh('status', '--porcelain')).toBe(' M README.md\nA  mine.txt\n?? a.txt');
  });

  test.each([false, true])(
    'a hook may improve files and stage them again; the tree is clean then (something staged of other paths: %s)',
    async (keepsStaged) => {
      await repo.hook('pre-commit', 'echo formatted > a.txt && git add a.txt');
      if (keepsStaged) {
        await repo.write('mine.txt', 'staged\n');
        await repo.sh('add', 'mine.txt');
      }
      await repo.write('a.txt', 'raw\n');
      await repo.git.commit(repo.tree, { ...ORDER, paths: ['a.txt'], keepsStaged });
      expect(await repo.sh('show', 'HEAD:a.txt')).toBe('formatted');
      expect(await repo.sh('status', '--porcelain')).toBe(keepsStaged ? 'A  mine.txt' : '');
    },
  );

  test('a paragraph that a hook adds does not hide the record (R-ADV-2)', async () => {
    await repo.hook('commit-msg', 'printf "\\n[skip ci]\\n" >> "$1"');
    await repo.write('a.txt', 'x\n');
    const done = await repo.git.commit(repo.tree, ORDER);
    expect(await repo.sh('log', '-1', '--format=%B')).toContain('[skip ci]');
    const found = await repo.git.findRecord(repo.tree, { since: repo.first, trailers: ORDER.trailers });
    expect(done).toEqual({ how: 'committed', commit: found });
  });

  test('a signing program that fails refuses the commit, with what git says of it', async () => {
    await repo.hook('no-key', 'echo "no key for you" >&2; exit 1');
    await repo.sh('config', 'commit.gpgSign', 'true');
    await repo.sh('config', 'gpg.program', join(repo.tree.dir, '.git/hooks/no-key'));
    await repo.write('a.txt', 'x\n');
    expect(await repo.git.commit(repo.tree, ORDER)).toMatchObject({
      how: 'refused',
      by: 'signing',
      output: expect.stringContaining('failed to sign'),
    });
    expect(await repo.sh('rev-parse', 'HEAD')).toBe(repo.first);
  });

  test('what a hook leaves running holds nothing up', { timeout: 30_000 }, async () => {
    await repo.hook('post-commit', 'sleep 600 & echo $! > child.log');
    await repo.write('a.txt', 'x\n');
    expect((await repo.git.commit(repo.tree, ORDER)).how).toBe('committed');
    process.kill(Number(await repo.read('child.log')));
  });

  test("a hook speaks the user's character set, and is asked nothing", async () => {
    await repo.hook('pre-commit', 'locale charmap > charmap.log; test ! -t 0 && ! (: < /dev/tty) 2> /dev/null');
    await repo.write('a.txt', 'x\n');
    expect((await repo.git.commit(repo.tree, ORDER)).how).toBe('committed');
    expect(await repo.read('charmap.log')).toBe('UTF-8\n');
  });
});

describe('what refused a commit is reported (R-ADV-5)', () => {
  test.each([
    ['pre-commit', 'work'],
    ['prepare-commit-msg', 'message'],
    ['commit-msg', 'message'],
  ])('%s: %s', async (name, by) => {
    await repo.hook(name, 'exit 1');
    await repo.write('a.txt', 'x\n');
    expect(await repo.git.commit(repo.tree, ORDER)).toMatchObject({ how: 'refused', by });
    // Where a message was written down by an earlier commit, too.
    await repo.sh('commit', '--quiet', '--no-verify', '--allow-empty', '--message', 'by hand').catch(() => undefined);
    expect(await repo.git.commit(repo.tree, ORDER)).toMatchObject({ how: 'refused', by });
  });

  test('reference-transaction: the branch may not move', async () => {
    await repo.hook('reference-transaction', 'test "$1" != prepared || ! grep -q refs/heads/feat/demo');
    await repo.write('a.txt', 'x\n');
    expect(await repo.git.commit(repo.tree, ORDER)).toMatchObject({ how: 'refused', by: 'reference' });
  });

  test('a hook that unstages all before it says no has refused: there was something to commit', async () => {
    await repo.hook('pre-commit', 'git reset -q; exit 1');
    await repo.write('a.txt', 'x\n');
    expect(await repo.git.commit(repo.tree, ORDER)).toMatchObject({ how: 'refused', by: 'work' });
  });
});

describe('what a hook changed before it said no is reported (R-ADV-5)', () => {
  test.each([
    ['only in the files', 'sed -i "s/ *$//" a.txt; echo z > other.txt; exit 1'],
    ['and staged', 'sed -i "s/ *$//" a.txt; git add -A; exit 1'],
  ])('%s', async (_, script) => {
    await repo.hook('pre-commit', script);
    await repo.write('a.txt', 'x  \n');
    await repo.write('b.txt', 'x\n');
    const done = await repo.git.commit(repo.tree, { ...ORDER, paths: ['a.txt', 'b.txt'] });
    expect(done).toMatchObject({ how: 'refused', repaired: ['a.txt'] });
    expect(await repo.sh('diff', '--cached', '--name-only')).toBe('');
  });

  test('beside what else is staged, and not where it changed nothing', async () => {
    await repo.write('mine.txt', 'staged\n');
    await repo.sh('add', 'mine.txt');
    await repo.write('mine.txt', 'changed since\n');
    await repo.write('a.txt', 'x  \n');
    const order = { ...ORDER, paths: ['a.txt'], keepsStaged: true };
    await repo.hook('pre-commit', 'exit 1');
    expect(await repo.git.commit(repo.tree, order)).toEqual({ how: 'refused', by: 'work', output: '' });
    await repo.hook('pre-commit', 'sed -i "s/ *$//" a.txt; exit 1');
    expect(await repo.git.commit(repo.tree, order)).toMatchObject({ how: 'refused', repaired: ['a.txt'] });
    expect(await repo.sh('status', '--porcelain')).toBe('AM mine.txt\n?? a.txt');
  });
});

describe("hooks, filters and signing have the user's own environment (R-ADV-5)", () => {
  const seen = async (): Promise<string> => {
    const lines = (await readFile(join(repo.beside, 'env'), 'utf8')).split('\n');
    // Git's own, which differ from commit to commit.
    return lines
      .filter((line) => !/^(GIT_(AUTHOR_DATE|INDEX_FILE|EDITOR)|_|PWD|OLDPWD|SHLVL)=/.test(line))
      .sort()
      .join('\n');
  };

  test.each(['pre-commit', 'filter', 'signing'])('%s', async (kind) => {
    const dump = `env > "${repo.beside}/env"`;
    await repo.hook('dump', `${dump}; ${kind === 'signing' ? 'exit 1' : 'cat'}`);
    const program = join(repo.tree.dir, '.git/hooks/dump');
    if (kind === 'pre-commit') await repo.hook('pre-commit', dump);
    if (kind === 'filter') {
      await repo.sh('config', 'filter.x.clean', program);
      await repo.write('.git/info/attributes', '*.txt filter=x\n');
    }
    if (kind === 'signing') {
      await repo.sh('config', 'commit.gpgSign', 'true');
      await repo.sh('config', 'gpg.program', program);
    }
    await repo.write('a.txt', 'x\n');
    const env = { ...repo.env, GIT_SSH_COMMAND: 'ssh -x', DEPLOY: 'one', SPECLOOP_TRUST: '1', GIT_DIR: '/elsewhere' };
    const git = gitCli({ root: repo.tree.dir, env });
    await git.commit(repo.tree, { ...ORDER, paths: ['a.txt'] });
    const ours = await seen();
    await git.unwind(repo.tree, repo.first);
    await repo.sh('reset', '--quiet');
    const byHand = { ...repo.env, GIT_SSH_COMMAND: 'ssh -x', DEPLOY: 'one' };
    const rig = rigOf({ dir: repo.tree.dir, env: byHand });
    await rig.sh('add', 'a.txt');
    if (kind !== 'filter') await rig.sh('commit', '--quiet', '--message', 'by hand').catch(() => undefined);
    expect(ours).toBe(await seen());
  });

  test('a bare repository of their own is read as by hand', async () => {
    const script =
      'unset GIT_DIR GIT_INDEX_FILE; git init -q --bare "$D/r.git" && cd "$D/r.git" && git rev-parse --git-dir';
    await repo.hook('pre-commit', script.replaceAll('$D', repo.beside));
    await repo.write('a.txt', 'x\n');
    expect((await repo.git.commit(repo.tree, ORDER)).how).toBe('committed');
  });

  test('only messages are in English where the user speaks another language', async () => {
    await repo.hook('pre-commit', `env > "${repo.beside}/env"`);
    await repo.write('a.txt', 'x\n');
    const git = gitCli({ root: repo.tree.dir, env: { ...repo.env, LC_ALL: 'de_DE.UTF-8', LANGUAGE: 'de' } });
    await git.commit(repo.tree, ORDER);
    const lines = await seen();
    expect(lines).toMatch(/^LC_COLLATE=de_DE.UTF-8$/m);
    expect(lines).toMatch(/^LC_MESSAGES=C$/m);
    expect(lines).not.toMatch(/^(LC_ALL|LANGUAGE)=/m);
  });

  test('where messages of commits are in another encoding, ours are stored in UTF-8', async () => {
    await repo.sh('config', 'i18n.commitEncoding', 'ISO-8859-1');
    await repo.write('a.txt', 'x\n');
    await repo.git.commit(repo.tree, { ...ORDER, message: 'feat: größer' });
    expect(await repo.sh('cat-file', 'commit', 'HEAD')).not.toContain('encoding');
  });

  test('no program that watches files is started', async () => {
    await repo.hook('watcher', `echo ran >> "${repo.beside}/ran"; exit 1`);
    await repo.sh('config', 'core.fsmonitor', join(repo.tree.dir, '.git/hooks/watcher'));
    await repo.write('a.txt', 'x\n');
    await repo.git.commit(repo.tree, ORDER);
    expect(existsSync(join(repo.beside, 'ran'))).toBe(false);
  });
});

describe('what git cannot take is reported, and nothing is staged (R-ADV-6)', () => {
  const ENCODING = '*.txt16 text working-tree-encoding=UTF-16\n';
  test.each(['everything', 'paths'])('%s', async (kind) => {
    await repo.write('.git/info/attributes', ENCODING);
    await repo.write('n.txt16', 'plain\n');
    await repo.write('a.txt', 'x\n');
    const paths = kind === 'everything' ? kind : (['a.txt', 'n.txt16'] as const);
    const done = await repo.git.commit(repo.tree, { ...ORDER, paths });
    expect(done).toMatchObject({ how: 'unfit', output: expect.stringMatching(/n\.txt16.*UTF-16/) });
    expect(await repo.sh('status', '--porcelain')).toBe('?? a.txt\n?? n.txt16');
  });

  test.each([
    [
      'a filter that is required and fails',
      '*.bin filter=x\n',
      { 'filter.x.clean': 'false', 'filter.x.required': 'true' },
    ],
    [
      'a filter that is required and missing',
      '*.bin filter=x\n',
      { 'filter.x.clean': '/no/such', 'filter.x.required': 'true' },
    ],
    ['line ends that would not come back', '*.bin text eol=lf\n', { 'core.safecrlf': 'true' }],
  ])('%s', async (_, attributes, settings) => {
    await repo.write('.git/info/attributes', attributes);
    for (const [key, value] of Object.entries(settings)) await repo.sh('config', key, value);
    await repo.write('f.bin', 'x\r\n');
    const done = await repo.git.commit(repo.tree, { ...ORDER, paths: ['f.bin'] });
    expect(done).toMatchObject({ how: 'unfit', output: expect.stringContaining('f.bin') });
  });

  test('and it is kept all the same, byte for byte (R-RETRY-4)', async () => {
    await repo.write('.git/info/attributes', ENCODING);
    await repo.write('n.txt16', 'plain\n');
    await repo.write('a.txt', 'x\n');
    const order = { ref: 'refs/specloop/kept/x/1', base: repo.first, message: 'm', exclude: [] };
    const { commit } = (await repo.git.snapshot(repo.tree, order)) ?? { commit: '' };
    expect(await repo.sh('show', `${commit}:n.txt16`)).toBe('plain');
    expect(await repo.sh('show', `${commit}:a.txt`)).toBe('x');
  });
});

test('a stop ends hooks and commit at once, and leaves the paths unstaged (R-UX-3)', async () => {
  await repo.hook('pre-commit', 'touch begun.log; sleep 600');
  await repo.write('a.txt', 'x\n');
  const stopping = new AbortController();
  const commit = repo.git.commit(repo.tree, { ...ORDER, signal: stopping.signal });
  await expect.poll(() => existsSync(join(repo.tree.dir, 'begun.log'))).toBe(true);
  stopping.abort();
  expect(await commit).toEqual({ how: 'stopped' });
  expect(await repo.sh('status', '--porcelain')).toBe('?? a.txt');
  expect(await repo.sh('rev-parse', 'HEAD')).toBe(repo.first);
});

test('a git that gets no path stages and unstages nothing: what a person staged outlasts a kill (R-START-2)', async () => {
  // Such a git finds its stdin at its end, as after a kill of the coordinator before it wrote the list of paths there.
  const real = (await promisify(execFile)('sh', ['-c', 'command -v git'])).stdout.trim();
  await repo.write(
    '../beside/git',
    `#!/bin/sh\ncase "$*" in *add*|*reset*|*update-index*) exec < /dev/null ;; esac\nexec ${real} "$@"\n`,
  );
  await chmod(join(repo.beside, 'git'), 0o755);
  const git = gitCli({ root: repo.tree.dir, env: { ...repo.env, PATH: `${repo.beside}:${process.env.PATH}` } });
  await repo.write('README.md', 'staged\n');
  await repo.sh('add', 'README.md');
  await repo.write('README.md', 'working\n');
  await repo.write('untracked', 'u\n');
  await repo.write('a.txt', 'x\n');
  await repo.hook('pre-commit', 'exit 1');
  await git.commit(repo.tree, { ...ORDER, paths: ['a.txt'], keepsStaged: true });
  expect(await repo.sh('status', '--porcelain')).toBe('MM README.md\n?? a.txt\n?? untracked');
  expect(await repo.sh('show', ':README.md')).toBe('staged');
});

describe('a hook that hangs is ended with all it started', () => {
  let slow: Repository;
  beforeEach(async () => {
    slow = await repository({ workMs: 3_000 });
  });
  afterEach(() => slow.cleanup());
  const hang = 'echo "waiting for a server"; (sleep 600; touch late) & echo $! > child.log; sleep 600';

  test('before the commit: refused, with its words', async () => {
    await slow.hook('pre-commit', hang);
    await slow.write('a.txt', 'x\n');
    const done = await slow.git.commit(slow.tree, ORDER);
    expect(done).toMatchObject({
      how: 'refused',
      output: expect.stringMatching(/waiting for a server[\s\S]*too long/),
    });
    expect(done).toMatchObject({ by: 'work', output: expect.stringContaining('longer than 3 s') });
    const child = Number(await slow.read('child.log'));
    await expect.poll(() => isAlive(child)).toBe(false);
    expect(existsSync(join(slow.tree.dir, '.git/index.lock'))).toBe(false);
    expect(await slow.sh('status', '--porcelain')).toBe('?? a.txt');
  });

  test('signing that hangs is named', async () => {
    await slow.hook('gpg', 'sleep 600');
    await slow.sh('config', 'commit.gpgSign', 'true');
    await slow.sh('config', 'gpg.program', join(slow.tree.dir, '.git/hooks/gpg'));
    await slow.write('a.txt', 'x\n');
    expect(await slow.git.commit(slow.tree, ORDER)).toMatchObject({
      how: 'refused',
      by: 'signing',
      output: expect.stringMatching(/^Signing this commit took too long/m),
    });
  });

  test('after the commit: the commit is there, and counts', async () => {
    await slow.hook('post-commit', hang);
    await slow.write('a.txt', 'x\n');
    const done = await slow.git.commit(slow.tree, ORDER);
    expect(done).toEqual({ how: 'committed', commit: await slow.sh('rev-parse', 'HEAD') });
    expect(await slow.sh('show', 'HEAD:a.txt')).toBe('x');
  });
});

test('a name that is not UTF-8 is reported, committed and removed like any other (R-SEC-1)', async () => {
  const name = Buffer.concat([Buffer.from(`${repo.tree.dir}/odd-`), Buffer.of(0xff, 0xfe)]);
  await writeFile(name, 'odd\n');
  const { changes } = await repo.git.inspect(repo.tree);
  expect(changes).toEqual([{ path: 'odd-\udcff\udcfe', kind: 'untracked' }]);
  expect((await repo.git.commit(repo.tree, { ...ORDER, paths: changes.map(({ path }) => path) })).how).toBe(
    'committed',
  );
  expect((await repo.git.inspect(repo.tree)).changes).toEqual([]);
  await repo.git.unwind(repo.tree, repo.first);
  await repo.git.restore(repo.tree, { branch: 'feat/demo', commit: repo.first, exclude: ['none'] });
  expect((await repo.git.inspect(repo.tree)).changes).toEqual([]);
  await expect(readFile(name)).rejects.toThrow();
});

test('a repository inside the tree is committed as its commit; one without a commit is left out (R-START-6)', async () => {
  for (const inner of ['full', 'empty']) await repo.sh('init', '--quiet', inner);
  await repo.write('full/f.txt', 'x\n');
  await repo.sh('-C', 'full', 'add', '--all');
  await repo.sh('-C', 'full', 'commit', '--quiet', '--message', 'inner');
  await repo.write('a.txt', 'x\n');
  expect((await repo.git.commit(repo.tree, ORDER)).how).toBe('committed');
  expect(await repo.sh('ls-tree', '--name-only', 'HEAD')).toBe('.gitignore\nREADME.md\na.txt\nfull\nsrc');
  expect((await repo.git.inspect(repo.tree)).changes).toEqual([{ path: 'empty/', kind: 'untracked' }]);
});

test("what lies behind a link that took a folder's place is gone, not followed (R-SEC-1)", async () => {
  await repo.write('../beside/a.ts', 'not ours\n');
  await repo.remove('src');
  await symlink(repo.beside, join(repo.tree.dir, 'src'));
  expect((await repo.git.commit(repo.tree, { ...ORDER, paths: ['src/a.ts', 'src'] })).how).toBe('committed');
  expect(await repo.sh('ls-tree', 'HEAD', 'src')).toMatch(/^120000 blob/);
  expect((await repo.git.inspect(repo.tree)).changes).toEqual([]);
});

test('files outside of a sparse checkout are committed when they are named, and none is lost', async () => {
  await repo.sh('sparse-checkout', 'set', 'src');
  await repo.write('docs/new.md', 'new\n');
  expect((await repo.git.commit(repo.tree, { ...ORDER, paths: ['docs/new.md'] })).how).toBe('committed');
  await repo.write('docs/more.md', 'more\n');
  expect((await repo.git.commit(repo.tree, ORDER)).how).toBe('committed');
  expect(await repo.sh('ls-tree', '-r', '--name-only', 'HEAD')).toBe(
    '.gitignore\nREADME.md\ndocs/more.md\ndocs/new.md\nsrc/a.ts',
  );
});

test('the first commit of a repository', async () => {
  await repo.sh('switch', '--quiet', '--orphan', 'fresh');
  await repo.write('a.txt', 'x\n');
  const done = await repo.git.commit(repo.tree, { ...ORDER, paths: ['a.txt'] });
  expect(done).toEqual({ how: 'committed', commit: await repo.sh('rev-parse', 'HEAD') });
});
