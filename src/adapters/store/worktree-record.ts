import { join } from 'node:path';
import { writeAtomically } from './atomic-write.ts';
import { makePrivateFolder, PRIVATE_FILE_MODE } from './private-folder.ts';
import { readText } from './read-text.ts';

/** The worktree that was made for a spec, and how far that came. Written before each step, so that a crash is seen. */
export interface WorktreeRecord {
  /** Absolute path, links resolved. */
  readonly dir: string;
  readonly branch: string;
  /** The commit at which its branch began, if it was made with it; absent for a branch that was there. */
  readonly at?: string;
  /** `adding`: git makes it. `added`: it is there. `filled`: it has the spec's documents. `ready`: its setup has run. */
  readonly stage: 'adding' | 'added' | 'filled' | 'ready';
}

const RECORD_BYTES_MAX = 64 * 1024;
const STAGES: readonly unknown[] = ['adding', 'added', 'filled', 'ready'] satisfies WorktreeRecord['stage'][];

/** What was written down in the private folder of a spec; `undefined` if nothing that can be read is there. Throws `StorageFault`. */
export function readWorktreeRecord(specPrivateDir: string): WorktreeRecord | undefined {
  const text = readText(fileIn(specPrivateDir), RECORD_BYTES_MAX);
  try {
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // It only helps to go on after a crash: without it, git says what is there.
  }
}

/** Replaces the record, durably; the caller holds the spec's lock. Throws `StorageFault`. */
export function writeWorktreeRecord(specPrivateDir: string, record: WorktreeRecord): void {
  makePrivateFolder(specPrivateDir);
  writeAtomically(fileIn(specPrivateDir), `${JSON.stringify(record)}\n`, { mode: PRIVATE_FILE_MODE });
}

function fileIn(specPrivateDir: string): string {
  return join(specPrivateDir, 'worktree.json');
}

function isRecord(value: unknown): value is WorktreeRecord {
  const found = value as { readonly [key in keyof WorktreeRecord]?: unknown } | null | undefined;
  if (typeof found?.dir !== 'string' || typeof found.branch !== 'string') return false;
  return (found.at === undefined || typeof found.at === 'string') && STAGES.includes(found.stage);
}
