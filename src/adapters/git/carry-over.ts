import {
  createReadStream,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Change, Inspection, Tree } from '../../ports/git.ts';
import type { GitCalls } from './calls.ts';
import { foldersAbove, removeFiles } from './files.ts';
import { gitFolderOf, isMissing } from './git-folder.ts';
import { pathsOfList } from './path-bytes.ts';
import { fileOf, standings } from './standing.ts';

/** How long the names may be that one call of git takes as arguments, in characters. */
const NAMES_MAX = 32_768;
/** Up to how many bytes a file is copied at once: it takes longer to wait for than to copy. */
const SMALL = 1 << 16;

export interface Ways {
  readonly from: Tree;
  readonly to: Tree;
  /** How `to` stood a moment ago. */
  readonly known: Inspection;
}

/**
 * Copies changed files from one tree to another that holds the same of them before the change: no merge could come to
 * anything else. False, with nothing touched, where that is not certain.
 */
export async function carriedOver(calls: GitCalls, files: readonly Change[], ways: Ways): Promise<boolean> {
  if (!(await fits(calls, files, ways))) return false;
  const { from, to } = ways;
  const isGone = ({ kind }: Change): boolean => kind === 'deleted';
  await removeFiles(
    to,
    files.filter(isGone).map(({ path }) => path),
  );
  const there = files.filter((file) => !isGone(file));
  const folders = new Set(there.flatMap(({ path }) => foldersAbove(path).at(-1) ?? []));
  for (const folder of folders) mkdirSync(fileOf(to, folder), { recursive: true });
  for (const { path, kind } of there) {
    if (kind === 'modified') rmSync(fileOf(to, path), { force: true });
    await copy(fileOf(from, path), fileOf(to, path));
  }
  return true;
}

async function fits(calls: GitCalls, files: readonly Change[], { from, to, known }: Ways): Promise<boolean> {
  const paths = files.map(({ path }) => path);
  if (isChanged(known, paths) || (await isSparse(to)) || !rulesAgree(from, to, paths)) return false;
  const [theirs, ours] = [standings(from, paths), standings(to, paths)];
  const isAsSeen = ({ path, kind }: Change): boolean =>
    theirs.get(path) === (kind === 'deleted' ? 'absent' : 'file') &&
    ours.get(path) === (kind === 'untracked' ? 'absent' : 'file');
  if (!files.every(isAsSeen)) return false;
  const tracked = files.filter(({ kind }) => kind !== 'untracked').map(({ path }) => path);
  return entriesAgree(calls, { from, to }, tracked);
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

/** Whether git takes the paths in both trees alike: what is ignored, and how contents are converted. */
function rulesAgree(from: Tree, to: Tree, paths: readonly string[]): boolean {
  const folders = new Set(paths.flatMap((path) => ['', ...foldersAbove(path).map((folder) => `${folder}/`)]));
  const files = [...folders].flatMap((folder) => [`${folder}.gitattributes`, `${folder}.gitignore`]);
  return files.every((file) => contentOf(from, file) === contentOf(to, file));
}

function contentOf(tree: Tree, path: string): string | undefined {
  try {
    return readFileSync(fileOf(tree, path), 'latin1');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether both indexes hold the same of the paths. A file that git was told to overlook in one of them is not the same. */
async function entriesAgree(
  calls: GitCalls,
  { from, to }: Pick<Ways, 'from' | 'to'>,
  paths: readonly string[],
): Promise<boolean> {
  if (paths.length === 0) return true;
  if (paths.join(' ').length > NAMES_MAX) return false;
  const list = async (tree: Tree): Promise<readonly string[]> =>
    pathsOfList(await calls.ask(tree, ['ls-files', '--stage', '-v', '-z', '--', ...paths]));
  const [theirs, ours] = await Promise.all([list(from), list(to)]);
  const same = new Set(theirs);
  return ours.length === paths.length && ours.every((entry) => same.has(entry));
}

/** To where nothing is. Git knows of a file whether it can be run, and of a link where it leads. */
async function copy(source: Buffer, target: Buffer): Promise<void> {
  const stats = lstatSync(source);
  if (stats.isSymbolicLink()) {
    symlinkSync(readlinkSync(source, { encoding: 'buffer' }), target);
    return;
  }
  const asNew = { flag: 'wx', mode: stats.mode & 0o100 ? 0o777 : 0o666 };
  if (stats.size > SMALL) await writeFile(target, createReadStream(source), asNew);
  else writeFileSync(target, readFileSync(source), asNew);
}
