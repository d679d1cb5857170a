import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { repositoryAbove } from './repository-above.ts';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'above-')));
});
afterEach(() => rmSync(dir, { recursive: true }));

function git(cwd: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];
  const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** What git says of a folder. */
function asGit(cwd: string) {
  const ask = (what: string) => git(cwd, 'rev-parse', '--path-format=absolute', what);
  return { root: ask('--show-toplevel'), commonDir: ask('--git-common-dir') };
}

test('a repository is found as git finds it: a tree, a folder below, a linked worktree, a git folder elsewhere (R-SES-5)', () => {
  const tree = join(dir, 'tree');
  mkdirSync(join(tree, 'a/b'), { recursive: true });
  git(tree, 'init', '--quiet');
  git(tree, 'commit', '--quiet', '--allow-empty', '--message', 'init');
  git(tree, 'worktree', 'add', '--quiet', join(dir, 'linked'));
  git(dir, 'init', '--quiet', '--separate-git-dir', join(dir, 'elsewhere'), join(dir, 'separate'));
  for (const place of ['tree', 'tree/a/b', 'linked', 'separate'])
    expect(repositoryAbove(join(dir, place)), place).toEqual(asGit(join(dir, place)));
  expect(repositoryAbove(dir)).toBeUndefined();
});
