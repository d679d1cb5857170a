import { createHash } from 'node:crypto';
import { accessSync, constants, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StorageFault } from '../../ports/store.ts';
import { codeOf, disk, syncFolder } from './disk.ts';
import { storageFault } from './storage-fault.ts';

/** Private files are for the user alone (R-SEC-2). */
export const PRIVATE_FOLDER_MODE = 0o700;
export const PRIVATE_FILE_MODE = 0o600;

const OUR_FOLDER = '.specloop';

/** The product's own folder of a repository: inside git's common directory, where neither commits nor `git clean` reach. */
export function privateFolder(commonDir: string): string {
  return join(commonDir, OUR_FOLDER);
}

/** The private folder of one spec. `specPath` is relative to the repository's root, with `/`. */
export function specPrivateFolder(commonDir: string, specPath: string): string {
  return join(privateFolder(commonDir), 'specs', segmentOf(specPath));
}

/** The private folders of all specs that had a run. Throws `StorageFault`. */
export function specPrivateFolders(commonDir: string): readonly string[] {
  const specs = join(privateFolder(commonDir), 'specs');
  try {
    return readdirSync(specs)
      .sort()
      .map((name) => join(specs, name));
  } catch (error) {
    // A file has its name: no run can have begun, and what has to write there reports it.
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw storageFault(error, 'read', specs);
  }
}

/** The private folder of one branch, where its lock is. */
export function branchPrivateFolder(commonDir: string, branch: string): string {
  return join(privateFolder(commonDir), 'branches', segmentOf(branch));
}

/**
 * One path segment that stands for any text: unlike texts have unlike segments, and none leads anywhere else.
 * Letters, digits, `.`, `_` and `-` stay, all else is percent-encoded; what is too long for a file name ends in its hash.
 */
export function segmentOf(text: string): string {
  const encoded = text.replace(/[^A-Za-z0-9._-]+/g, (others) => Array.from(Buffer.from(others), percentOf).join(''));
  if (encoded.length > 150)
    return `${encoded.slice(0, 100)}%~${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  return /^\.*$/.test(encoded) ? encoded.replaceAll('.', '%2E') || '%~' : encoded;
}

/** The text that a segment was made of; `undefined` for one that was too long to be kept whole. */
export function textOfSegment(segment: string): string | undefined {
  if (segment.includes('%~')) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined; // It was made by someone else.
  }
}

/**
 * Makes a private folder and what is missing above it. What survives only a `crash` may be lost in a power cut; that is
 * for folders of what can be made again. Refuses a symbolic link in its place, or in that of our folder above it (R-SEC-1).
 */
export function makePrivateFolder(dir: string, survives: 'crash' | 'power-cut' = 'power-cut'): void {
  try {
    const first = mkdirSync(dir, { recursive: true, mode: PRIVATE_FOLDER_MODE });
    const link = ourFoldersOn(dir).find((path) => lstatSync(path).isSymbolicLink());
    if (link !== undefined) throw storageFault(Object.assign(new Error(), { code: 'ELOOP' }), 'write', link);
    if (first !== undefined && survives === 'power-cut') syncChain(dirname(first), dir);
  } catch (error) {
    if (error instanceof StorageFault) throw error;
    throw storageFault(codeOf(error) === 'ENOENT' ? reasonIn(dir, error) : error, 'write', dir);
  }
}

/** What keeps a folder from being made: Node says no more than that it is not there. */
function reasonIn(dir: string, error: unknown): unknown {
  let there = dirname(dir);
  while (lstatSync(there, { throwIfNoEntry: false }) === undefined && there !== dirname(there)) there = dirname(there);
  try {
    accessSync(there, constants.W_OK);
    return error;
  } catch (reason) {
    return reason;
  }
}

/** The folder itself, and those above it up to the product's own. */
function ourFoldersOn(dir: string): readonly string[] {
  const folders = [dir];
  for (let at = dir; at !== dirname(at); at = dirname(at)) {
    if (at !== dir) folders.unshift(at);
    if (basename(at) === OUR_FOLDER) return folders;
  }
  return [dir];
}

/** Syncs `dir`'s ancestors up to and including `top`, so that each new folder's name is durable. */
function syncChain(top: string, dir: string): void {
  for (let at = dirname(dir); at.length >= top.length; at = dirname(at)) {
    syncFolder(at, disk);
    if (at === dirname(at)) return;
  }
}

function percentOf(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
