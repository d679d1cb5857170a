import { createHash } from 'node:crypto';
import { type BigIntStats, createReadStream, lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { FileMark, Fingerprint } from '../../core/verify/fingerprint.ts';
import type { Tree } from '../../ports/git.ts';
import { branchRefIn, commonFolderOf, gitFolderOf, isMissing } from './git-folder.ts';
import { fileOf, nameOf, pathKinds } from './path-kinds.ts';

/** Larger files are read in parts, and not at once. */
const AT_ONCE_BYTES_MAX = 1 << 20;
/** How coarse the clock of a file system may be: a file that was written this shortly before it was read may be written again unseen. */
const CLOCK_MS = 50;

/** See `Git.fingerprint`. No process is started; a file that `known` shows to be untouched is not read again. */
export async function fingerprint(
  tree: Tree,
  paths: readonly string[],
  known: Fingerprint = new Map(),
): Promise<Fingerprint> {
  const marks = new Map<string, FileMark>();
  for (const [path, kind] of pathKinds(tree, paths)) {
    if (kind === 'file') marks.set(path, await markOf(tree, path, known.get(path)));
    else if (kind === 'repository') marks.set(path, await repositoryMark(tree, path));
    else marks.set(path, kind === 'other' ? other : absent);
  }
  return marks;
}

const absent: FileMark = { is: 'absent', content: '', stamp: '', changedMs: 0 };
const other: FileMark = { is: 'other', content: '', stamp: '', changedMs: 0 };

async function markOf(tree: Tree, path: string, known: FileMark | undefined): Promise<FileMark> {
  const file = fileOf(tree, nameOf(path));
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return absent;
  if (stats.isSymbolicLink()) return linkMark(tree, path, file);
  const stamp = stampOf(stats);
  const changedMs = Number(stats.ctimeMs);
  if (known?.stamp === stamp && stamp !== '') return known;
  try {
    const mode = stats.mode & 0o100n ? 'x' : '-';
    return { is: 'file', content: `${mode} ${await hashOf(file, stats)}`, stamp, changedMs };
  } catch (error) {
    if (isMissing(error)) return absent;
    // Unreadable is a content of its own: git will say what it makes of it.
    return { is: 'file', content: `unreadable ${(error as NodeJS.ErrnoException).code ?? ''}`, stamp: '', changedMs };
  }
}

/** Nothing where the file was written so shortly ago that its times do not tell whether it is written once more. */
function stampOf({ ino, size, mode, mtimeNs, ctimeNs, ctimeMs }: BigIntStats): string {
  if (Number(ctimeMs) + CLOCK_MS > Date.now()) return '';
  return `${ino} ${size} ${mode} ${mtimeNs} ${ctimeNs}`;
}

async function hashOf(file: Buffer, { size }: BigIntStats): Promise<string> {
  const hash = createHash('sha256');
  if (size <= AT_ONCE_BYTES_MAX) hash.update(readFileSync(file));
  else for await (const part of createReadStream(file)) hash.update(part);
  return hash.digest('hex');
}

function linkMark(tree: Tree, path: string, file: Buffer): FileMark {
  const leadsTo = readlinkSync(file, { encoding: 'buffer' });
  const is = leadsOut(tree, path, leadsTo) ? 'outward-link' : 'link';
  return { is, content: leadsTo.toString('latin1'), stamp: '', changedMs: 0 };
}

/** By its text, and by where it, or as much of the way as there is, really ends. The git folder is no part of the tree. */
function leadsOut({ dir }: Tree, path: string, leadsTo: Buffer): boolean {
  const root = realpathSync(dir);
  const from = dirname(join(root, nameOf(path)));
  const target = leadsTo.toString();
  if (!isWithin(root, resolve(from, target))) return true;
  return !isWithin(root, realEnd(isAbsolute(target) ? target : `${from}/${target}`));
}

function realEnd(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return dirname(path) === path ? path : realEnd(dirname(path));
  }
}

function isWithin(root: string, path: string): boolean {
  if (path === root) return true;
  return path.startsWith(`${root}${sep}`) && !path.startsWith(join(root, '.git') + sep) && path !== join(root, '.git');
}

/** A repository inside the tree is to git the commit of its HEAD. */
async function repositoryMark(tree: Tree, path: string): Promise<FileMark> {
  const dir = join(tree.dir, nameOf(path));
  try {
    const folder = await gitFolderOf({ dir });
    const head = readFileSync(join(folder, 'HEAD'), 'utf8');
    const branch = await branchRefIn(folder);
    const ref = branch === undefined ? '' : readFileSync(join(await commonFolderOf(folder), branch), 'utf8');
    return { is: 'repository', content: `${head}${ref}`, stamp: '', changedMs: 0 };
  } catch {
    return { is: 'repository', content: '', stamp: '', changedMs: 0 };
  }
}
