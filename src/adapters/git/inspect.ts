import type { Inspection, Tree } from '../../ports/git.ts';
import { type GitCalls, revision } from './calls.ts';
import { faultOf } from './fault.ts';
import { gitFolderOf, operationIn } from './git-folder.ts';
import { listOfPaths, pathsOfList } from './path-bytes.ts';
import { readStatus, STATUS, type Status } from './status.ts';
import { writeTree } from './temporary-index.ts';

/** One call of git, and a look into its folder. */
export async function inspect(calls: GitCalls, tree: Tree): Promise<Inspection> {
  const [operation, output] = await Promise.all([gitFolderOf(tree).then(operationIn), calls.ask(tree, STATUS)]);
  return { ...readStatus(output), operation };
}

/** No more than `inspect` while HEAD is that commit. */
export async function changedSince(calls: GitCalls, tree: Tree, commit: string): Promise<readonly string[]> {
  return changedFrom(calls, tree, { commit, status: readStatus(await calls.ask(tree, STATUS)) });
}

/** The same, where the status was read already. */
export async function changedFrom(
  calls: GitCalls,
  tree: Tree,
  { commit, status: { head, changes } }: { readonly commit: string; readonly status: Status },
): Promise<readonly string[]> {
  if (head === commit) return changes.map(({ path }) => path);
  const diff = [
    'diff',
    '--name-only',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    '--ignore-submodules=dirty',
    revision(commit),
    '--',
  ];
  const tracked = pathsOfList(await calls.ask(tree, diff));
  const untracked = changes.filter(({ kind }) => kind === 'untracked').map(({ path }) => path);
  return [...new Set([...tracked, ...untracked])];
}

/** See `Git.changedBetween`. */
export async function changedBetween(
  calls: GitCalls,
  tree: Tree,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly string[]> {
  const plain = ['-r', '--name-only', '-z', '--no-renames', '--no-ext-diff'];
  return pathsOfList(await calls.ask(tree, ['diff-tree', ...plain, revision(from), revision(to), '--']));
}

/** The files are written to the object store, so that untracked ones and those with odd names show like all others. */
export async function diffSince(calls: GitCalls, tree: Tree, { commit, bytesMax, paths }: DiffOrder): Promise<string> {
  if (paths.length === 0) return '';
  const now = await writeTree(calls, tree, { from: revision(commit), paths });
  const plain = ['--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', '--src-prefix=a/', '--dst-prefix=b/'];
  const answer = await calls.run(tree, ['diff-tree', '-r', '-p', ...plain, commit, now], { bytesMax });
  if (answer.stopped === 'too-much') return answer.stdout.subarray(0, answer.stdout.lastIndexOf('\n') + 1).toString();
  if (answer.code !== 0) throw faultOf('diff-tree', answer);
  return answer.stdout.toString();
}

/** By `--batch`, which answers for a file that is not there instead of failing. */
export async function fileAt(
  calls: GitCalls,
  tree: Tree,
  { commit, path }: { readonly commit: string; readonly path: string },
): Promise<string | undefined> {
  const output = await calls.ask(tree, ['cat-file', '--batch', '-z'], { stdin: listOfPaths([`${commit}:${path}`]) });
  const size = /^[0-9a-f]+ blob (\d+)\n/.exec(output.toString('latin1', 0, 128));
  return size === null ? undefined : output.toString('utf8', size[0].length, size[0].length + Number(size[1]));
}

interface DiffOrder {
  readonly commit: string;
  readonly bytesMax: number;
  readonly paths: readonly string[];
}
