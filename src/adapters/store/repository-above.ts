import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readText } from './read-text.ts';

/** Where a repository is, as git would say: its working tree, and the folder that all its worktrees share. */
export interface RepositoryAbove {
  readonly root: string;
  readonly commonDir: string;
}

const LINK_BYTES_MAX = 16 * 1024;

/**
 * The repository that a folder is in, found without git by looking for `.git` upward: a hook may need no other program
 * (R-SES-5). `dir` is absolute, with links resolved. Throws what reading throws.
 */
export function repositoryAbove(dir: string): RepositoryAbove | undefined {
  const git = join(dir, '.git');
  const found = statSync(git, { throwIfNoEntry: false });
  if (found === undefined) return dirname(dir) === dir ? undefined : repositoryAbove(dirname(dir));
  const gitDir = found.isDirectory() ? git : linkedFrom(git, dir);
  return gitDir === undefined ? undefined : { root: dir, commonDir: commonOf(realpathSync.native(gitDir)) };
}

/** The file `.git` of a linked worktree or a submodule names a folder. */
function linkedFrom(file: string, dir: string): string | undefined {
  const path = /^gitdir: (.+)$/m.exec(readText(file, LINK_BYTES_MAX) ?? '')?.[1];
  return path === undefined ? undefined : resolve(dir, path.trimEnd());
}

function commonOf(gitDir: string): string {
  const file = join(gitDir, 'commondir');
  if (!existsSync(file)) return gitDir;
  return realpathSync.native(resolve(gitDir, (readText(file, LINK_BYTES_MAX) ?? '').trim()));
}
