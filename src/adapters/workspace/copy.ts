import { constants } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, readdir, readlink, symlink, utimes } from 'node:fs/promises';
import { codeOf } from './fault.ts';

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

/**
 * Copies a path of one tree to the same path of the other, a folder with all that is in it but the paths to `omit`.
 * What is there already stays. Links are copied as links and none is followed, in neither tree; what is neither file,
 * folder nor link is left out. Blocks are shared where the file system can do that. Throws what the file system throws.
 */
export async function copyPath(trees: Trees, path: string, omit: ReadonlySet<string> = NONE): Promise<Extent> {
  const parts = path.replace(/\/$/, '').split('/');
  for (let n = 1; n < parts.length; n++) {
    if (!(await makeFolder(within(trees.to, Buffer.from(parts.slice(0, n).join('/')))))) return NOTHING;
  }
  return copyEntry(trees, Buffer.from(parts.join('/')), omit);
}

/** Copies all that is in the one folder into the other, as `copyPath` does. */
export async function copyContent(trees: Trees): Promise<Extent> {
  const names = await readdir(trees.from, { encoding: 'buffer' });
  return sum(await Promise.all(names.map((name) => copyEntry(trees, name, NONE))));
}

/** Makes a folder that is missing; `false` if something else is in its place, a link to a folder included. */
export async function makeFolder(path: string | Buffer): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return (await lstat(path)).isDirectory();
  }
}

/** Names are bytes: not every one of them is text. */
async function copyEntry(trees: Trees, path: Buffer, omit: ReadonlySet<string>): Promise<Extent> {
  if (omit.has(path.toString())) return NOTHING;
  const [from, to] = [within(trees.from, path), within(trees.to, path)];
  const stats = await lstat(from);
  if (stats.isDirectory()) return copyFolder(trees, path, { omit, mode: stats.mode });
  if (stats.isSymbolicLink()) {
    await unlessThere(symlink(await readlink(from, { encoding: 'buffer' }), to));
    return { files: 1, bytes: 0 };
  }
  if (!stats.isFile()) return NOTHING;
  const isNew = await unlessThere(copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE));
  if (isNew) await utimes(to, stats.atime, stats.mtime);
  return { files: 1, bytes: stats.size };
}

/** Folder by folder, so that of a large tree not everything is under way at once. */
async function copyFolder(
  trees: Trees,
  path: Buffer,
  { omit, mode }: { readonly omit: ReadonlySet<string>; readonly mode: number },
): Promise<Extent> {
  const to = within(trees.to, path);
  if (!(await makeFolder(to))) return NOTHING;
  const entries = await readdir(within(trees.from, path), { encoding: 'buffer', withFileTypes: true });
  const copyAll = (chosen: typeof entries) =>
    Promise.all(chosen.map(({ name }) => copyEntry(trees, within(path, name), omit)));
  const extents = [...(await copyAll(entries.filter((entry) => !entry.isDirectory())))];
  for (const folder of entries.filter((entry) => entry.isDirectory())) extents.push(...(await copyAll([folder])));
  await chmod(to, mode & 0o7777);
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

/** All of them together. */
export function sum(extents: readonly Extent[]): Extent {
  return extents.reduce(
    (total, { files, bytes }) => ({ files: total.files + files, bytes: total.bytes + bytes }),
    NOTHING,
  );
}
