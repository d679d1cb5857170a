import { constants, lstatSync, type Stats } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, readdir, readlink, symlink, utimes } from 'node:fs/promises';
import { codeOf, ifThere, nothingIfMissing } from './fault.ts';

/** Two folders that are trees of the same paths. Both are absolute. */
export interface Trees {
  readonly from: string;
  readonly to: string;
}

/** What was there to copy. */
export interface Extent {
  readonly files: number;
  readonly bytes: number;
}

const NOTHING: Extent = { files: 0, bytes: 0 };
const NONE: ReadonlySet<string> = new Set();

/** How many copies are under way at once. */
const AT_ONCE = 64;

/**
 * Copies paths of one tree to the same paths of the other, folders with all that is in them but the paths to `omit`.
 * What is there already stays. Links are copied as links and none is followed, in neither tree; what is neither file,
 * folder nor link is left out, and what is gone. Blocks are shared where the file system can do that. Throws what the
 * file system throws.
 */
export async function copyPaths(
  trees: Trees,
  paths: readonly string[],
  omit: ReadonlySet<string> = NONE,
): Promise<Extent> {
  const folders = new Map<string, Promise<boolean>>([['', Promise.resolve(true)]]);
  const folderReady = (path: string): Promise<boolean> => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const made = folderReady(parentOf(path)).then(
      async (isReady) => isReady && (await makeFolder(`${trees.to}/${path}`)) !== 'blocked',
    );
    folders.set(path, made);
    return made;
  };
  const copyOne = async (path: string): Promise<Extent> =>
    (await folderReady(parentOf(path))) ? copyEntry(trees, Buffer.from(path), omit) : NOTHING;
  const names = paths.map((path) => path.replace(/\/$/, ''));
  const extents: Extent[] = [];
  for (let n = 0; n < names.length; n += AT_ONCE)
    extents.push(...(await Promise.all(names.slice(n, n + AT_ONCE).map(copyOne))));
  return sum(extents);
}

/** The folder that holds a path; the empty text for the tree itself. */
function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Copies all that is in the one folder into the other, as `copyPaths` does. */
export async function copyContent(trees: Trees): Promise<void> {
  await copyPaths(trees, await readdir(trees.from));
}

/** What is in a folder. */
export async function extentOf(dir: string | Buffer): Promise<Extent> {
  const entries = await readdir(dir, { encoding: 'buffer', withFileTypes: true });
  const extents = await Promise.all(
    entries.map(async (entry) => {
      const path = within(dir, entry.name);
      if (entry.isDirectory()) return extentOf(path);
      return { files: 1, bytes: entry.isFile() ? (await lstat(path)).size : 0 };
    }),
  );
  return sum(extents);
}

/**
 * Makes a folder that is missing. `blocked`: something else is in its place, a link to a folder included. Looks first, and
 * at once: most are there, and a failure costs more than a look.
 */
export async function makeFolder(path: string | Buffer): Promise<'made' | 'there' | 'blocked'> {
  const found = lookAt(path);
  if (found !== undefined) return found.isDirectory() ? 'there' : 'blocked';
  return (await unlessThere(mkdir(path))) ? 'made' : makeFolder(path);
}

/** That a folder on the way is none throws, where that nothing is there does not. */
function lookAt(path: string | Buffer): Stats | undefined {
  return ifThere(() => lstatSync(path, { throwIfNoEntry: false }));
}

/** Names are bytes: not every one of them is text. */
async function copyEntry(trees: Trees, path: Buffer, omit: ReadonlySet<string>): Promise<Extent> {
  if (omit.has(path.toString())) return NOTHING;
  const stats = lookAt(within(trees.from, path));
  if (stats?.isDirectory()) return copyFolder(trees, path, { omit, mode: stats.mode });
  if (stats?.isSymbolicLink()) return copyLink(trees, path);
  return stats?.isFile() ? copyContentOf(trees, path, stats) : NOTHING;
}

async function copyLink(trees: Trees, path: Buffer): Promise<Extent> {
  const target = await readlink(within(trees.from, path), { encoding: 'buffer' }).catch(nothingIfMissing);
  if (target === undefined) return NOTHING;
  await unlessThere(symlink(target, within(trees.to, path)));
  return { files: 1, bytes: 0 };
}

/** Times are copied as well: builds go by them. */
async function copyContentOf(trees: Trees, path: Buffer, { size, atime, mtime }: Stats): Promise<Extent> {
  const to = within(trees.to, path);
  if (lookAt(to) !== undefined) return { files: 1, bytes: size };
  const copying = copyFile(within(trees.from, path), to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const isNew = await unlessThere(copying).catch(nothingIfMissing);
  if (isNew === undefined) return NOTHING;
  if (isNew) await utimes(to, atime, mtime);
  return { files: 1, bytes: size };
}

/** Folder by folder, so that of a large tree not everything is under way at once. */
async function copyFolder(
  trees: Trees,
  path: Buffer,
  { omit, mode }: { readonly omit: ReadonlySet<string>; readonly mode: number },
): Promise<Extent> {
  const to = within(trees.to, path);
  const folder = await makeFolder(to);
  if (folder === 'blocked') return NOTHING;
  const entries = await readdir(within(trees.from, path), { encoding: 'buffer', withFileTypes: true });
  const copyOne = ({ name }: (typeof entries)[number]) => copyEntry(trees, within(path, name), omit);
  const extents = await Promise.all(entries.filter((entry) => !entry.isDirectory()).map(copyOne));
  for (const folder of entries.filter((entry) => entry.isDirectory())) extents.push(await copyOne(folder));
  if (folder === 'made') await chmod(to, mode & 0o7777);
  return sum(extents);
}

function within(folder: string | Buffer, path: Buffer): Buffer {
  return Buffer.concat([Buffer.from(folder), Buffer.from('/'), path]);
}

/** Whether the deed was done. */
async function unlessThere(deed: Promise<void>): Promise<boolean> {
  try {
    await deed;
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return false;
  }
}

function sum(extents: readonly Extent[]): Extent {
  return extents.reduce(
    (total, { files, bytes }) => ({ files: total.files + files, bytes: total.bytes + bytes }),
    NOTHING,
  );
}
