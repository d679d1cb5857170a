import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexFlag } from '../../../core/watch/picture.ts';
import { pathOfBytes } from '../path-bytes.ts';

const HEADER_BYTES = 12;
const STAT_BYTES = 40;
const ASSUME_UNCHANGED = 0x8000;
const EXTENDED = 0x4000;
const SKIP_WORKTREE = 0x4000;

const known = new Map<string, { readonly stamp: string; readonly flags: readonly IndexFlag[] | undefined }>();

/**
 * Which paths of an index git was told not to look at, from the file itself; an index that did not change is not read again.
 * `undefined` where only git can tell, as for a split index. `idBytes` is the length of an object id.
 */
export function indexFlags(gitFolder: string, idBytes: 20 | 32): readonly IndexFlag[] | undefined {
  const path = join(gitFolder, 'index');
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  if (stats === undefined) return [];
  const stamp = `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
  const last = known.get(path);
  if (last?.stamp === stamp) return last.flags;
  const flags = flagsIn(readFileSync(path), idBytes);
  known.set(path, { stamp, flags });
  return flags;
}

/** Reads the entries of an index of version 2, 3 or 4; `undefined` for any other, or one that is damaged. */
function flagsIn(index: Buffer, idBytes: 20 | 32): readonly IndexFlag[] | undefined {
  if (index.length < HEADER_BYTES || index.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const flags: IndexFlag[] = [];
  let at = HEADER_BYTES;
  let name: Buffer = Buffer.alloc(0);
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const entry = entryAt(index, at, { version, idBytes, before: name });
    if (entry === undefined) return undefined;
    ({ name, end: at } = entry);
    if (entry.bits === 0 && entry.more === 0) continue;
    const path = pathOfBytes(name);
    if (entry.bits !== 0) flags.push({ path, flag: 'assume-unchanged' });
    if (entry.more !== 0) flags.push({ path, flag: 'skip-worktree' });
  }
  // A split index holds only what differs from another file.
  return index.toString('latin1', at, at + 4) === 'link' ? undefined : flags;
}

interface Format {
  readonly version: number;
  readonly idBytes: number;
  /** Version 4 shortens a name by what it has in common with the one before. */
  readonly before: Buffer;
}

interface IndexEntry {
  readonly name: Buffer;
  readonly end: number;
  readonly bits: number;
  readonly more: number;
}

function entryAt(index: Buffer, start: number, { version, idBytes, before }: Format): IndexEntry | undefined {
  const flagsAt = start + STAT_BYTES + idBytes;
  if (flagsAt + 4 > index.length) return undefined;
  const flags = index.readUInt16BE(flagsAt);
  const isExtended = version >= 3 && (flags & EXTENDED) !== 0;
  const more = isExtended ? index.readUInt16BE(flagsAt + 2) & SKIP_WORKTREE : 0;
  let at = flagsAt + (isExtended ? 4 : 2);
  let kept: Buffer = Buffer.alloc(0);
  if (version === 4) {
    const { value, end } = varint(index, at);
    kept = before.subarray(0, before.length - value);
    at = end;
  }
  const nul = index.indexOf(0, at);
  if (nul < 0) return undefined;
  const name = kept.length === 0 ? index.subarray(at, nul) : Buffer.concat([kept, index.subarray(at, nul)]);
  // Before version 4 an entry is filled up with one to eight NULs to a multiple of eight bytes.
  const end = version === 4 ? nul + 1 : start + Math.ceil((nul + 1 - start) / 8) * 8;
  return { name, end, bits: flags & ASSUME_UNCHANGED, more };
}

/** Git's own encoding of a number, as in offsets of its packs. */
function varint(bytes: Buffer, start: number): { readonly value: number; readonly end: number } {
  let at = start;
  let byte = bytes[at++] ?? 0;
  let value = byte & 0x7f;
  while (byte & 0x80) {
    byte = bytes[at++] ?? 0;
    value = ((value + 1) << 7) | (byte & 0x7f);
  }
  return { value, end: at };
}
