import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Tree } from '../../ports/git.ts';
import type { GitCalls } from './calls.ts';
import { gitFolderOf } from './git-folder.ts';
import { pathsOfList } from './path-bytes.ts';

/**
 * Checks out in a fresh worktree the submodules that are checked out in the main tree, each from the main tree's clone and
 * without the network (R-PAR-3). One for which that is not possible is left empty, as git leaves it: the setting
 * `worktree.setup` may fill it.
 */
export async function fillSubmodules(calls: GitCalls, main: Tree, worktree: Tree): Promise<void> {
  if (!existsSync(join(worktree.dir, '.gitmodules'))) return;
  const names = await namesByPath(calls, worktree);
  for (const [path, name] of names) {
    const source = { dir: join(main.dir, path) };
    if (!existsSync(join(source.dir, '.git'))) continue;
    const settings = [`submodule.${name}.url=${await gitFolderOf(source)}`, 'protocol.file.allow=always'];
    const flags = settings.flatMap((setting) => ['-c', setting]);
    await calls.run(worktree, [...flags, 'submodule', '--quiet', 'update', '--init', '--checkout', '--', path], {
      effort: 'work',
    });
  }
}

/** The submodules' names by their paths, as the worktree's own `.gitmodules` has them. */
async function namesByPath(calls: GitCalls, tree: Tree): Promise<ReadonlyMap<string, string>> {
  const asked = ['config', '-z', '--file', '.gitmodules', '--get-regexp', '^submodule\\..+\\.path$'];
  const { stdout } = await calls.run(tree, asked);
  return new Map(
    pathsOfList(stdout).flatMap((entry) => {
      const [, name, path] = /^submodule\.(.+)\.path\n(.+)$/s.exec(entry) ?? [];
      const isPlain = name !== undefined && path !== undefined && !/(^|\/)\.\.(\/|$)|^[/-]/.test(path);
      return isPlain ? [[path, name]] : [];
    }),
  );
}
