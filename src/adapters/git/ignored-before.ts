import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Tree } from '../../ports/git.ts';
import { type GitCalls, revision } from './calls.ts';
import { faultOf } from './fault.ts';
import { gitFolderOf } from './git-folder.ts';
import { fileAt } from './inspect.ts';
import { listOfPaths, pathsOfList } from './path-bytes.ts';

/** See `Git.ignoredBefore`. Git looks at a folder that holds nothing but the ignore lists of the commit. */
export async function ignoredBefore(
  calls: GitCalls,
  tree: Tree,
  { commit, paths }: { readonly commit: string; readonly paths: readonly string[] },
): Promise<readonly string[]> {
  const held = pathsOfList(
    await calls.ask(tree, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', revision(commit)]),
  );
  const known = new Set(held);
  const asked = paths.filter((path) => !known.has(path));
  if (asked.length === 0) return [];
  const gitFolder = await gitFolderOf(tree);
  const dir = join(gitFolder, `specloop-rules-${randomBytes(8).toString('hex')}`);
  try {
    await mkdir(dir);
    for (const path of held.filter((name) => /(^|\/)\.gitignore$/.test(name))) {
      await mkdir(join(dir, dirname(path)), { recursive: true });
      await writeFile(join(dir, path), (await fileAt(calls, tree, { commit, path })) ?? '');
    }
    const answer = await calls.run({ dir }, ['check-ignore', '--no-index', '-z', '--stdin'], {
      stdin: listOfPaths(asked.map((path) => `./${path}`)),
      plainPaths: true,
      env: { GIT_DIR: gitFolder, GIT_WORK_TREE: dir },
    });
    if (answer.code !== 0 && answer.code !== 1) throw faultOf('check-ignore', answer);
    return pathsOfList(answer.stdout).map((path) => path.slice(2));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
