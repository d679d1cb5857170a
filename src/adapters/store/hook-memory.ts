import { join } from 'node:path';
import { writeAtomically } from './atomic-write.ts';
import { makePrivateFolder, PRIVATE_FILE_MODE } from './private-folder.ts';
import { readText } from './read-text.ts';

/** What hooks have to know of earlier calls, for one spec. By the id of the session; one without an id has the empty text. */
export interface HookMemory {
  /** The session that a run without one in its journal belongs to. */
  readonly owner?: { readonly session: string; readonly run: string };
  /** Those that were told something last come last. */
  readonly sessions: Readonly<Record<string, RememberedSession>>;
}

/** What one session was told. */
export interface RememberedSession {
  /** Where the spec stood when the session was last kept from ending. */
  readonly mark?: string;
  readonly isCorruptTold?: boolean;
}

const BYTES_MAX = 1024 * 1024;
const SESSIONS_MAX = 20;

/** What is remembered in the private folder of a spec; nothing if no such file can be read: a hook answers without it too. */
export function readHookMemory(specPrivateDir: string): HookMemory {
  try {
    const value: unknown = JSON.parse(readText(fileIn(specPrivateDir), BYTES_MAX) ?? '');
    return isMemory(value) ? value : { sessions: {} };
  } catch {
    return { sessions: {} };
  }
}

/** Replaces what is remembered; sessions that were told something long ago are forgotten. Throws `StorageFault`. */
export function writeHookMemory(specPrivateDir: string, { sessions, ...rest }: HookMemory): void {
  const newest = Object.fromEntries(Object.entries(sessions).slice(-SESSIONS_MAX));
  makePrivateFolder(specPrivateDir, 'crash');
  writeAtomically(fileIn(specPrivateDir), `${JSON.stringify({ ...rest, sessions: newest })}\n`, {
    mode: PRIVATE_FILE_MODE,
    survives: 'crash',
  });
}

function fileIn(specPrivateDir: string): string {
  return join(specPrivateDir, 'hooks.json');
}

function isMemory(value: unknown): value is HookMemory {
  const { owner, sessions } = (value ?? {}) as { readonly [key in keyof HookMemory]?: unknown };
  const { session, run } = (owner ?? {}) as { readonly session?: unknown; readonly run?: unknown };
  if (owner !== undefined && (typeof session !== 'string' || typeof run !== 'string')) return false;
  return isObject(sessions) && Object.values(sessions).every(isObject);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
