import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Repository, repository } from './test-rig.ts';

let repo: Repository;

beforeEach(async () => {
  repo = await repository();
});
afterEach(() => repo.cleanup());

async function asked(missing: readonly string[], paths: readonly string[] = []) {
  const { git, tree } = repo;
  return await git.unrecordable(tree, { work: await git.fingerprint(tree, paths), missing });
}

const at = (path: string) => join(repo.tree.dir, path);

test('a link to what git ignores holds nothing of it, whether the work is the link or lies below it (R-VER-13)', async () => {
  await repo.write('build/out.js', 'x\n');
  await symlink('../build/out.js', at('src/out.js'));
  await symlink('build', at('lib'));

  expect(await asked([], ['src/out.js'])).toEqual([{ path: 'src/out.js', why: 'link-to-ignored', by: 'build/out.js' }]);
  expect(await asked(['lib/out.js'])).toEqual([{ path: 'lib/out.js', why: 'link-to-ignored', by: 'build/out.js' }]);
});

test('a link to what is in git, or is a new file, or leads nowhere, is recorded as every link', async () => {
  await repo.write('new.txt', 'x\n');
  await symlink('README.md', at('known'));
  await symlink('new.txt', at('fresh'));
  await symlink('gone', at('nowhere'));
  await symlink('src', at('folder'));

  expect(await asked(['folder/a.ts'], ['known', 'fresh', 'nowhere', 'folder'])).toEqual([]);
});

test('an empty folder and a pipe are in no commit (R-VER-13)', async () => {
  await mkdir(at('out/deep'), { recursive: true });
  execFileSync('mkfifo', [at('src/pipe')]);

  expect(await asked(['out/', 'src/pipe', 'src/'])).toEqual([
    { path: 'out/', why: 'empty-folder', by: 'out' },
    { path: 'src/pipe', why: 'special-file', by: 'src/pipe' },
  ]);
  await writeFile(at('out/deep/file'), '');
  expect(await asked(['out/'])).toEqual([]);
});

test('a submodule that the attempt itself put in place of a folder of Files holds the work in no commit here (R-VER-13)', async () => {
  await repo.sh('init', '--quiet', 'lib');
  await repo.write('lib/index.js', 'x\n');
  await repo.write('.gitmodules', '[submodule "lib"]\n\tpath = lib\n\turl = ../lib\n');

  expect(await asked(['lib/index.js'], ['.gitmodules', 'lib/'])).toEqual([
    { path: 'lib/index.js', why: 'repository', by: 'lib' },
  ]);
  expect(await asked(['lib'], ['.gitmodules', 'lib/'])).toEqual([]);
  expect(await asked(['lib/index.js'])).toEqual([]);
});

test('a repository is reported once, not for each entry of Files that lies in it', async () => {
  await repo.sh('init', '--quiet', 'app');
  await repo.write('app/index.js', 'x\n');

  expect(await asked(['app/index.js'], ['app/'])).toEqual([{ path: 'app', why: 'repository', by: 'app' }]);
});
