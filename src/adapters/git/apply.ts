import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Applied, Tree } from '../../ports/git.ts';
import { type GitCalls, revision } from './calls.ts';
import { faultOf } from './fault.ts';
import { foldersAbove, removeFiles, rewriteFiles } from './files.ts';
import { gitFolderOf } from './git-folder.ts';
import { inspect } from './inspect.ts';
import { pathsOfList } from './path-bytes.ts';
import { nameOf, type PathKind, pathKinds } from './path-kinds.ts';
import type { GitAnswer } from './program.ts';
import { ignoredAmong } from './staging.ts';

/** See `Git.apply`. A copy of the index is kept next to it until it is clear that the change fits. */
export async function apply(
  calls: GitCalls,
  tree: Tree,
  { commit, guarded }: { readonly commit: string; readonly guarded: readonly string[] },
): Promise<Applied> {
  const ignored = await ignoredInTheWay(calls, tree, guarded);
  if (ignored.length > 0) return { how: 'conflict', paths: ignored };
  const folder = await gitFolderOf(tree);
  const saved = join(folder, `specloop-index-${randomBytes(8).toString('hex')}`);
  await copyFile(join(folder, 'index'), saved);
  try {
    const answer = await picked(calls, tree, revision(commit));
    if (answer.code === 0) return { how: 'applied', ...(await submodulesMoved(calls, tree)) };
    if (answer.code !== 1) return { how: 'conflict', paths: await inTheWay(calls, tree, { commit, answer }) };
    const after = await entries(calls, tree);
    await rename(saved, join(folder, 'index'));
    await putBack(calls, tree, after);
    return { how: 'conflict', paths: unmerged(after) };
  } finally {
    await Promise.all(
      [saved, join(folder, 'MERGE_MSG'), join(folder, 'AUTO_MERGE')].map((path) => rm(path, { force: true })),
    );
  }
}

/**
 * Git overwrites an ignored file, or a whole folder of them, without a word. What no commit holds stays, whatever it is
 * (R-PAR-3): a file, a file where a folder is to be, all that is in a folder where a file is to be.
 */
async function ignoredInTheWay(calls: GitCalls, tree: Tree, paths: readonly string[]): Promise<readonly string[]> {
  const found = [...pathKinds(tree, paths)];
  const at = (wanted: PathKind) => found.flatMap(([path, kind]) => (kind === wanted ? [nameOf(path)] : []));
  const above = new Set(at('hidden').flatMap(foldersAbove));
  const outermost = [...pathKinds(tree, [...above])].flatMap(([path, kind]) => (kind === 'file' ? [path] : []));
  const ignored = await ignoredAmong(calls, tree, [...at('file'), ...outermost]);
  return [...ignored, ...(await untrackedIn(calls, tree, [...at('other'), ...at('repository')]))];
}

/** What is in these folders, or is one of them, and not in the index; a folder of which that is true as a whole ends in `/`. */
async function untrackedIn(calls: GitCalls, tree: Tree, folders: readonly string[]): Promise<readonly string[]> {
  if (folders.length === 0) return [];
  const output = await calls.ask(tree, ['ls-files', '--others', '--directory', '--no-empty-directory', '-z']);
  const isIn = (path: string, folder: string) => path.startsWith(`${folder}/`) || `${folder}/`.startsWith(path);
  return pathsOfList(output).filter((path) => folders.some((folder) => isIn(path, folder)));
}

/** Git changes the commit of a submodule in the index, and leaves its folder to the user. */
async function submodulesMoved(calls: GitCalls, tree: Tree): Promise<{ readonly submodules?: readonly string[] }> {
  if (!existsSync(join(tree.dir, '.gitmodules'))) return {};
  const output = await calls.ask(tree, ['diff', '--cached', '--raw', '-z', '--no-renames', '--no-ext-diff']);
  const fields = pathsOfList(output);
  const submodules = fields.filter((_, at) => /^:(?:\d+ 160000|160000 \d+) /.test(fields[at - 1] ?? ''));
  return submodules.length === 0 ? {} : { submodules };
}

/** What a merge changed is what it changed against its first parent. */
async function picked(calls: GitCalls, tree: Tree, commit: string): Promise<GitAnswer> {
  const answer = await calls.run(tree, ['cherry-pick', '--no-commit', commit], { effort: 'work' });
  if (!answer.stderr.includes('is a merge but no -m option')) return answer;
  return calls.run(tree, ['cherry-pick', '--no-commit', '--mainline', '1', commit], { effort: 'work' });
}

/** Git changes nothing when it would overwrite what is not committed; any other failure is a fault. */
async function inTheWay(
  calls: GitCalls,
  tree: Tree,
  { commit, answer }: { readonly commit: string; readonly answer: GitAnswer },
): Promise<readonly string[]> {
  if (!answer.stderr.includes('would be overwritten')) throw faultOf('cherry-pick', answer);
  const output = await calls.ask(tree, [
    'diff',
    '--name-only',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    `${commit}^1`,
    commit,
    '--',
  ]);
  const touched = new Set(pathsOfList(output));
  const { changes } = await inspect(calls, tree);
  return changes.map(({ path }) => path).filter((path) => touched.has(path));
}

/** The index differs from what it was where, and only where, the change was written to the files. */
async function putBack(calls: GitCalls, tree: Tree, after: readonly string[]): Promise<void> {
  const before = await entries(calls, tree);
  const [was, is] = [new Set(before), new Set(after)];
  const written = [...before.filter((entry) => !is.has(entry)), ...after.filter((entry) => !was.has(entry))].map(
    pathOfEntry,
  );
  const tracked = new Set(before.map(pathOfEntry));
  const touched = [...new Set(written)];
  await removeFiles(
    tree,
    touched.filter((path) => !tracked.has(path)),
  );
  await rewriteFiles(
    calls,
    tree,
    touched.filter((path) => tracked.has(path)),
  );
}

/** Entries of the index as `mode id stage<TAB>path`. */
async function entries(calls: GitCalls, tree: Tree): Promise<readonly string[]> {
  return pathsOfList(await calls.ask(tree, ['ls-files', '--stage', '-z']));
}

function unmerged(list: readonly string[]): readonly string[] {
  return [...new Set(list.filter((entry) => !/^\d+ [0-9a-f]+ 0\t/.test(entry)).map(pathOfEntry))];
}

function pathOfEntry(entry: string): string {
  return entry.slice(entry.indexOf('\t') + 1);
}
