import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { SeenFile } from '../../../core/watch/picture.ts';
import { isMissing } from '../git-folder.ts';

/** What is larger is only recognised, not put back. */
const KEPT_BYTES_MAX = 4 * 1024 * 1024;
const DIGEST = 'sha256:';

/** A file as it is now, through a symbolic link if it is one; `undefined` where there is none, or something else is. */
export function seeFile(path: string, keep: 'bytes' | 'digest'): SeenFile | undefined {
  try {
    const own = lstatSync(path);
    const link = own.isSymbolicLink() ? { link: readlinkSync(path) } : {};
    const found = 'link' in link ? statSync(path, { throwIfNoEntry: false }) : own;
    // A link that leads nowhere is something all the same.
    if (!found?.isFile()) return 'link' in link ? { bytes: '', mode: 0, ...link } : undefined;
    const bytes = readFileSync(path);
    const mode = found.mode & 0o777;
    const asDigest = keep === 'digest' || bytes.length > KEPT_BYTES_MAX;
    return { bytes: asDigest ? digestOf(bytes) : bytes.toString('latin1'), mode, ...link };
  } catch (error) {
    if (isMissing(error) || isUnreadable(error)) return undefined;
    throw error;
  }
}

/** Keeps what is at a path now as `copy`. Says whether anything was. */
export function keepFile(path: string, copy: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
  if (found.isDirectory()) renameSync(path, copy);
  else if (statSync(path, { throwIfNoEntry: false })?.isFile()) {
    copyFileSync(path, copy);
    chmodSync(copy, 0o600);
  }
  return true;
}

/** Puts a file back as it was seen; without `seen` there was none. Throws an error of the file system, or that its bytes are not known. */
export function putFileBack(path: string, seen: SeenFile | undefined): void {
  if (seen?.bytes.startsWith(DIGEST)) throw new Error('it is too large to be kept');
  const now = lstatSync(path, { throwIfNoEntry: false });
  if (seen === undefined || (now !== undefined && !now.isFile() && !isSameLink(path, seen))) {
    rmSync(path, { recursive: true, force: true });
  }
  if (seen === undefined) return;
  mkdirSync(dirname(path), { recursive: true });
  if (seen.link !== undefined && !isSameLink(path, seen)) {
    rmSync(path, { force: true });
    symlinkSync(seen.link, path);
  }
  if (seen.link === undefined) writeWhole(path, seen);
  else if (seen.mode !== 0) writeWhole(targetOf(path, seen.link), seen);
}

function isSameLink(path: string, { link }: SeenFile): boolean {
  return (
    link !== undefined &&
    lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true &&
    readlinkSync(path) === link
  );
}

function targetOf(path: string, link: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (isMissing(error)) return resolve(dirname(path), link);
    throw error;
  }
}

function writeWhole(path: string, { bytes, mode }: SeenFile): void {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, Buffer.from(bytes, 'latin1'), { flag: 'wx', mode });
    chmodSync(temporary, mode);
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function digestOf(bytes: Buffer): string {
  return `${DIGEST}${createHash('sha256').update(bytes).digest('hex')}`;
}

function isUnreadable(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EACCES' || code === 'EPERM' || code === 'ELOOP' || code === 'EISDIR';
}
