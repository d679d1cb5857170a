import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Change, Inspection, Tree } from '../../ports/git.ts';
import type { GitCalls } from './calls.ts';
import { foldersAbove, removeEmptyFolders } from './files.ts';
import { gitFolderOf } from './git-folder.ts';
import { pathsOfList } from './path-bytes.ts';
import { fileOf, standings } from './standing.ts';

/** How long the names may be that one call of git takes as arguments, in characters. */
const NAMES_MAX = 32_768;
/** How much is copied: nothing else happens meanwhile. */
const BYTES_MAX = 64 << 20;

export interface Ways {
  readonly from: Tree;
  readonly to: Tree;
  /** How `to` stood a moment ago. */
  readonly known: Inspection;
}

/**
 * Copies changed files from one tree to another that holds the same of them before the change: no merge could come to
 * anything else. False, with nothing touched, where that is not certain. Nothing is waited for between the last look at
 * the user's files and the copy, so that no change of his gets lost in between.
 */
export async function carriedOver(calls: GitCalls, files: readonly Change[], ways: Ways): Promise<boolean> {
  const { from, to, known } = ways;
  const paths = files.map(({ path }) => path);
  if (isChanged(known, paths) || (await isSparse(to)) || hasRepositories(to, paths)) return false;
  if (!rulesAgree(from, to, paths)) return false;
  const before = stampsOf(to, paths);
  const tracked = files.filter(({ kind }) => kind !== 'untracked').map(({ path }) => path);
  if (!(await isUnchanged(calls, { from, to }, tracked))) return false;
  if (stampsOf(to, paths) !== before || !isAsSeen(files, ways) || sizeOf(from, files) > BYTES_MAX) return false;
  carry(files, ways);
  return true;
}

/** Whether the other tree has changes of its own where the paths are, or a repository around one of them. */
function isChanged({ changes }: Inspection, paths: readonly string[]): boolean {
  const changed = new Set(changes.map(({ path }) => path));
  return paths.some((path) => changed.has(path) || foldersAbove(path).some((folder) => changed.has(`${folder}/`)));
}

/** In a sparse tree a file that is not there may be in the commit all the same. */
async function isSparse(tree: Tree): Promise<boolean> {
  return existsSync(join(await gitFolderOf(tree), 'info/sparse-checkout'));
}

/** Whether one of the paths may be inside a submodule. */
function hasRepositories(tree: Tree, paths: readonly string[]): boolean {
  const folders = new Set(paths.flatMap(foldersAbove));
  return (
    existsSync(fileOf(tree, '.gitmodules')) || [...folders].some((folder) => existsSync(fileOf(tree, `${folder}/.git`)))
  );
}

/** Whether git takes the paths in both trees alike: what is ignored, and how contents are converted. */
function rulesAgree(from: Tree, to: Tree, paths: readonly string[]): boolean {
  const folders = new Set(paths.flatMap((path) => ['', ...foldersAbove(path).map((folder) => `${folder}/`)]));
  const files = [...folders].flatMap((folder) => [`${folder}.gitattributes`, `${folder}.gitignore`]);
  const [theirs, ours] = [standings(from, files), standings(to, files)];
  return files.every((file) => {
    if (theirs.get(file) === 'absent' || theirs.get(file) === 'hidden') return ours.get(file) === theirs.get(file);
    return theirs.get(file) === 'file' && ours.get(file) === 'file' && contentOf(from, file) === contentOf(to, file);
  });
}

/** A text of its own for what cannot be read. */
function contentOf(tree: Tree, path: string): string {
  try {
    return readFileSync(fileOf(tree, path), 'latin1');
  } catch {
    return `unreadable in ${tree.dir}`;
  }
}

/** Tells one state of the files from any other. */
function stampsOf(tree: Tree, paths: readonly string[]): string {
  const stamps = paths.map((path) => {
    const stats = lstatSync(fileOf(tree, path), { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? '-' : `${stats.ino} ${stats.size} ${stats.mode} ${stats.mtimeNs} ${stats.ctimeNs}`;
  });
  return stamps.join('\n');
}

/**
 * Whether both indexes hold the same of the paths, and the files of `to` too. A file that git was told to overlook in one
 * of them is not the same; one that differs from the index is listed twice.
 */
async function isUnchanged(
  calls: GitCalls,
  { from, to }: Pick<Ways, 'from' | 'to'>,
  paths: readonly string[],
): Promise<boolean> {
  if (paths.length === 0) return true;
  if (paths.join(' ').length > NAMES_MAX) return false;
  const list = async (tree: Tree, ...flags: readonly string[]): Promise<readonly string[]> =>
    pathsOfList(await calls.ask(tree, ['ls-files', '--stage', ...flags, '-v', '-z', '--', ...paths]));
  const [theirs, ours] = await Promise.all([list(from), list(to, '--modified')]);
  const same = new Set(theirs);
  return ours.length === paths.length && ours.every((entry) => same.has(entry));
}

function isAsSeen(files: readonly Change[], { from, to }: Ways): boolean {
  const paths = files.map(({ path }) => path);
  const [theirs, ours] = [standings(from, paths), standings(to, paths)];
  return files.every(
    ({ path, kind }) =>
      theirs.get(path) === (kind === 'deleted' ? 'absent' : 'file') &&
      ours.get(path) === (kind === 'untracked' ? 'absent' : 'file'),
  );
}

function sizeOf(tree: Tree, files: readonly Change[]): number {
  const there = files.filter(({ kind }) => kind !== 'deleted');
  return there.reduce((total, { path }) => total + lstatSync(fileOf(tree, path)).size, 0);
}

/** Each file is read before the one in its place goes. */
function carry(files: readonly Change[], { from, to }: Ways): void {
  const gone = files.filter(({ kind }) => kind === 'deleted').map(({ path }) => path);
  for (const path of gone) rmSync(fileOf(to, path));
  removeEmptyFolders(to, gone);
  for (const { path } of files.filter(({ kind }) => kind !== 'deleted')) {
    const write = read(fileOf(from, path));
    const folder = foldersAbove(path).at(-1);
    if (folder !== undefined) mkdirSync(fileOf(to, folder), { recursive: true });
    rmSync(fileOf(to, path), { force: true });
    write(fileOf(to, path));
  }
}

/** Git knows of a file whether it can be run, and of a link where it leads. */
function read(source: Buffer): (target: Buffer) => void {
  const stats = lstatSync(source);
  if (stats.isSymbolicLink()) {
    const leadsTo = readlinkSync(source, { encoding: 'buffer' });
    return (target) => symlinkSync(leadsTo, target);
  }
  const content = readFileSync(source);
  const mode = stats.mode & 0o100 ? 0o777 : 0o666;
  return (target) => writeFileSync(target, content, { flag: 'wx', mode });
}
