import { accessSync, constants, lstatSync, mkdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeAtomically } from '../../adapters/store/atomic-write.ts';
import { readText } from '../../adapters/store/read-text.ts';
import { storageFault } from '../../adapters/store/storage-fault.ts';
import type { AnchoredPath } from './agents.ts';

/** A file with the text that it is to have; `undefined` removes it. */
export interface FileChange {
  readonly at: AnchoredPath;
  readonly text: string | undefined;
}

const BYTES_MAX = 4 * 1024 * 1024;

/** The text of a file; `undefined` if there is none. A link or anything else in its place is refused. Throws `StorageFault` or `UserError`. */
export function textAt({ anchor, path }: AnchoredPath): string | undefined {
  refuseLinks({ anchor, path });
  return readText(join(anchor, path), BYTES_MAX);
}

/**
 * Makes all changes in their order, or none: it looks first whether it may, and when one fails, what was done before it is undone
 * (R-SES-8). Folders that are empty then are removed. Throws `StorageFault`.
 */
export function makeChanges(changes: readonly FileChange[]): void {
  const before = changes.map(({ at }) => ({ at, text: textAt(at) }));
  for (const { at } of changes) refuseUnwritable(at);
  let done = 0;
  try {
    for (const change of changes) {
      done++;
      makeChange(change);
    }
  } catch (error) {
    for (const change of before.slice(0, done).reverse()) undo(change);
    throw error;
  }
}

function makeChange({ at, text }: FileChange): void {
  const file = join(at.anchor, at.path);
  try {
    if (text === undefined) {
      unlinkSync(file);
      removeEmptyFolders(at);
      return;
    }
    mkdirSync(dirname(file), { recursive: true });
  } catch (error) {
    throw storageFault(error, text === undefined ? 'remove' : 'write', file);
  }
  writeAtomically(file, text);
}

function undo(change: FileChange): void {
  try {
    makeChange(change);
  } catch {
    // Only the first fault is reported, which is why changes are undone.
  }
}

/** From the file's folder upward; the anchor itself stays. */
function removeEmptyFolders({ anchor, path }: AnchoredPath): void {
  for (let at = dirname(path); at !== '.'; at = dirname(at)) {
    try {
      rmdirSync(join(anchor, at));
    } catch {
      return; // Something is in it.
    }
  }
}

/** A link on the way would lead the change to files that are not the agent's (R-SEC-1). */
function refuseLinks({ anchor, path }: AnchoredPath): void {
  const parts = path.split('/');
  for (const [depth] of parts.entries()) {
    const part = join(anchor, ...parts.slice(0, depth + 1));
    const found = lookAt(part);
    if (found === undefined) return;
    if (found.isSymbolicLink()) throw storageFault(Object.assign(new Error(), { code: 'ELOOP' }), 'write', part);
    if (depth < parts.length - 1 && !found.isDirectory())
      throw storageFault(Object.assign(new Error(), { code: 'ENOTDIR' }), 'write', part);
  }
}

function refuseUnwritable({ anchor, path }: AnchoredPath): void {
  const file = join(anchor, path);
  let there = dirname(file);
  while (lookAt(there) === undefined && there !== dirname(there)) there = dirname(there);
  try {
    accessSync(there, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw storageFault(error, 'write', file);
  }
}

function lookAt(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw storageFault(error, 'read', path);
  }
}
