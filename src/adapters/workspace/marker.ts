import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync } from 'node:fs';
import { writeDurably } from './durable-file.ts';
import { ifThere } from './fault.ts';

/** What a ready worktree was made of. */
export interface MadeOf {
  /** The commit it was made at. */
  readonly base: string;
  /** The spec's texts as they were in it at first, by path: the hash of each. */
  readonly copied: Readonly<Record<string, string>>;
}

/** Writes down that a worktree is ready, in one step and durably: work in a tree without the marker is not looked for. */
export async function writeMarker(path: string, made: MadeOf): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  await writeDurably(temporary, JSON.stringify(made));
  renameSync(temporary, path);
}

/** What a marker says; `undefined` if the worktree never became ready, or is being removed. */
export async function readMarker(path: string): Promise<MadeOf | undefined> {
  return ifThere(() => JSON.parse(readFileSync(path, 'utf8')));
}
