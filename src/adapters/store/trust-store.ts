import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../../core/user-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HeldLock } from '../../ports/store.ts';
import { writeAtomically } from './atomic-write.ts';
import { acquireLock } from './lock.ts';
import { ownOwner } from './owner-record.ts';
import { makePrivateFolder, PRIVATE_FILE_MODE } from './private-folder.ts';
import { readText } from './read-text.ts';
import { userStateFolder } from './user-state-folder.ts';

/** The workspace that is trusted: absolute paths of the repository's root and of its git common directory. */
export interface TrustKey {
  readonly root: string;
  readonly commonDir: string;
}

/** Which commands the user lets run in which workspace (R-SEC-1). Lies with the user, never in a repository. */
export interface TrustStore {
  /** The commands that are not trusted yet, each once, in the order given. Throws `UserError` if the file is broken. */
  missingTrust(key: TrustKey, commands: readonly string[]): Promise<readonly string[]>;
  /**
   * Which of these settings, by key, differ from those that were trusted last, those that went included; `unknown` where
   * none were trusted yet. Throws as above.
   */
  changedSettings(key: TrustKey, settings: TrustedSettings): Promise<readonly string[] | 'unknown'>;
  /** Trusts these commands, and these settings in place of the earlier ones, in this workspace from now on. Throws `StorageFault` and as above. */
  addTrust(
    key: TrustKey,
    trusted: { readonly commands: readonly string[]; readonly settings: TrustedSettings },
  ): Promise<void>;
  /** All that is trusted in this workspace, as text; `undefined` for nothing, or where the file is broken (R-VER-14). */
  entryOf(key: TrustKey): string | undefined;
  /** Puts that back as it was. Throws as `addTrust`. */
  putEntry(key: TrustKey, entry: string | undefined): Promise<void>;
}

/** Settings of a repository's file by key, each as text. */
export type TrustedSettings = ReadonlyMap<string, string>;

/** What one workspace trusts: SHA-256 of each command, and since when; SHA-256 of each setting of its file. */
interface TrustedWorkspace extends TrustKey {
  readonly commands: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, string>>;
}

const FILE_BYTES_MAX = 64 * 1024 * 1024;
const LOCK_TRIES = 30;

/** Where the user's trust is kept. */
export function trustFile(variables: Readonly<Record<string, string | undefined>>, home: string): string {
  return join(userStateFolder(variables, home), 'trust.json');
}

/** The trust that is kept in this file, which need not be there. */
export function trustStore({ file, clock }: { readonly file: string; readonly clock: Clock }): TrustStore {
  return {
    async missingTrust(key, commands) {
      const trusted = workspaceOf(read(file), realKey(key)).commands;
      return [...new Set(commands)].filter((command) => !Object.hasOwn(trusted, hashOf(command)));
    },
    async changedSettings(key, settings) {
      const trusted = workspaceOf(read(file), realKey(key)).settings;
      if (trusted === undefined) return 'unknown';
      const keys = [...new Set([...settings.keys(), ...Object.keys(trusted)])];
      return keys.filter((name) => hashIn(settings, name) !== trusted[name]);
    },
    async addTrust(key, { commands, settings }) {
      await change(key, (workspace) => {
        const added = Object.fromEntries(commands.map((command) => [hashOf(command), clock.now()]));
        const hashes = Object.fromEntries([...settings].map(([name, value]) => [name, hashOf(value)]));
        return { ...workspace, commands: { ...added, ...workspace.commands }, settings: hashes };
      });
    },
    entryOf(key) {
      try {
        const real = realKey(key);
        const found = read(file).find((one) => isSame(one, real));
        return found && JSON.stringify(found);
      } catch {
        return undefined; // Putting it back fails with the reason.
      }
    },
    putEntry: (key, entry) => change(key, () => (entry === undefined ? undefined : JSON.parse(entry))),
  };

  async function change(
    key: TrustKey,
    make: (workspace: TrustedWorkspace) => TrustedWorkspace | undefined,
  ): Promise<void> {
    const lock = await lockOf(file, clock);
    try {
      const all = read(file);
      const workspace = workspaceOf(all, realKey(key));
      const made = make(workspace);
      write(file, [...all.filter((other) => !isSame(other, workspace)), ...(made === undefined ? [] : [made])]);
    } finally {
      lock.release();
    }
  }
}

function hashIn(settings: TrustedSettings, name: string): string | undefined {
  const value = settings.get(name);
  return value === undefined ? undefined : hashOf(value);
}

/** Two runs that ask at the same time must not forget each other's answer. */
async function lockOf(file: string, clock: Clock): Promise<HeldLock> {
  makePrivateFolder(dirname(file));
  for (let tried = 1; ; tried++) {
    const result = await acquireLock(`${file}.lock`, ownOwner(clock));
    if (result.ok) return result.lock;
    if (tried === LOCK_TRIES)
      throw new UserError(
        `${file} is in use by process ${result.holder?.pid ?? 'unknown'}.`,
        'Wait for it to end, then run the command again.',
      );
    await clock.sleepUntil(new Date(Date.parse(clock.now()) + 100).toISOString(), new AbortController().signal);
  }
}

function read(file: string): readonly TrustedWorkspace[] {
  const text = readText(file, FILE_BYTES_MAX);
  if (text === undefined) return [];
  const workspaces = workspacesIn(text);
  if (workspaces === undefined)
    throw new UserError(
      `${file} is damaged and cannot be read.`,
      'Remove the file; specloop then asks again what you trust.',
    );
  return workspaces;
}

function write(file: string, workspaces: readonly TrustedWorkspace[]): void {
  writeAtomically(file, `${JSON.stringify({ version: 1, workspaces }, undefined, 2)}\n`, { mode: PRIVATE_FILE_MODE });
}

function workspacesIn(text: string): readonly TrustedWorkspace[] | undefined {
  try {
    const value = JSON.parse(text) as { readonly version?: unknown; readonly workspaces?: unknown } | null;
    const workspaces: unknown = value?.version === 1 ? value.workspaces : undefined;
    return Array.isArray(workspaces) && workspaces.every(isWorkspace) ? workspaces : undefined;
  } catch {
    return undefined;
  }
}

function isWorkspace(value: unknown): value is TrustedWorkspace {
  const found = value as { readonly [key in keyof TrustedWorkspace]?: unknown } | null;
  if (typeof found?.root !== 'string' || typeof found.commonDir !== 'string') return false;
  return typeof found.commands === 'object' && found.commands !== null;
}

function workspaceOf(all: readonly TrustedWorkspace[], key: TrustKey): TrustedWorkspace {
  return all.find((workspace) => isSame(workspace, key)) ?? { ...key, commands: {} };
}

function isSame(a: TrustKey, b: TrustKey): boolean {
  return a.root === b.root && a.commonDir === b.commonDir;
}

/** A workspace that is reached by another path, as through a link, is the same one. */
function realKey({ root, commonDir }: TrustKey): TrustKey {
  return { root: realpathSync.native(root), commonDir: realpathSync.native(commonDir) };
}

function hashOf(command: string): string {
  return createHash('sha256').update(command).digest('hex');
}
