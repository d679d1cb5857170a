import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { ifThere, isMissing } from './fault.ts';

/** Caches hold copies of the user's code, for the user alone (R-SEC-2). */
const PRIVATE_MODE = 0o700;
const TRIES_MAX = 10;

/** The folder in which one worktree lives, with what we have to know of it next to it, where no agent works. */
export interface WorktreeFolder {
  readonly dir: string;
  readonly run: string;
  /** Name of the workspace as it is in paths and refs. */
  readonly segment: string;
  /** The working tree. */
  readonly tree: string;
  /** There while the worktree is ready to be worked in, and holds what it was made of. */
  readonly marker: string;
}

/** Where caches are: the setting, if there is one; else `$XDG_CACHE_HOME`, if it is absolute; else `~/.cache`. */
export function cacheFolder({
  root,
  env,
  home,
}: {
  readonly root?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}): string {
  if (root !== undefined) return root;
  const named = env.XDG_CACHE_HOME;
  return named !== undefined && isAbsolute(named) ? named : join(home, '.cache');
}

/** A short name that unlike texts do not share. */
export function hashOf(...texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16);
}

/** Where the worktrees of one spec of a repository are. */
export function worktreesFolder(cacheDir: string, commonDir: string, specPath: string): string {
  return join(cacheDir, 'specloop', 'worktrees', hashOf(commonDir, specPath));
}

/** Where those of them go that no repository can keep or remove, in a folder for each run. */
export function setAsideFolder(worktrees: string): string {
  return join(dirname(dirname(worktrees)), 'set-aside', basename(worktrees));
}

/** Whether a path lies in a folder, or is that folder; by segments. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * A name as one segment of a path and of a ref: unlike names have unlike segments, and tools that work in the folder
 * find no character in it that they would trip over.
 */
export function segmentOf(name: string): string {
  if (name === '') return '_';
  const encoded = name
    .replace(/[^A-Za-z0-9.-]+/g, (others) => Array.from(Buffer.from(others), codeOfByte).join(''))
    .replace(/^\.|\.(?=\.|$|lock$)/g, '_2E');
  return encoded.length > 80 ? `${encoded.slice(0, 60)}_${hashOf(name)}` : encoded;
}

function codeOfByte(byte: number): string {
  return `_${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** The worktrees of one spec: `<location>/<run>/<name>.<random>/<name of the repository>`. */
export class Location {
  /** Absolute path; links in it are not resolved, and it may be missing. */
  readonly dir: string;
  readonly #treeName: string;

  /** `treeName` is what the worktrees' own folders are called: tools take the name of a project from it. */
  constructor(dir: string, treeName: string) {
    this.dir = dir;
    this.#treeName = treeName === '' ? 'tree' : treeName;
  }

  /** The homes in which worktrees are or were to be; the folders of none are made. */
  async homes(): Promise<readonly WorktreeFolder[]> {
    const dir = ifThere(() => realpathSync.native(this.dir));
    if (dir === undefined) return [];
    return namesIn(dir).flatMap((run) => this.#homesIn(dir, run));
  }

  /** Those of one name in one run: one, but for what a crash may have left. */
  async homesOf(run: string, name: string): Promise<readonly WorktreeFolder[]> {
    const dir = ifThere(() => realpathSync.native(this.dir));
    const segment = segmentOf(name);
    return dir === undefined ? [] : this.#homesIn(dir, run, `${segment}.`).filter((home) => home.segment === segment);
  }

  /** Makes a home that no other call has been given. */
  newHome(run: string, name: string): WorktreeFolder {
    for (let tries = 1; ; tries++) {
      try {
        mkdirSync(join(this.dir, run), { recursive: true, mode: PRIVATE_MODE });
        const dir = mkdtempSync(join(realpathSync.native(this.dir), run, `${segmentOf(name)}.`));
        return this.#homeIn(dir, segmentOf(name));
      } catch (error) {
        // Who removes another home removes the folders that are empty then.
        if (!isMissing(error) || tries === TRIES_MAX) throw error;
      }
    }
  }

  /** Where a home goes that this repository can neither keep nor remove: out of the way of every run. */
  asideOf({ run, dir }: WorktreeFolder): string {
    return join(setAsideFolder(this.dir), run, basename(dir));
  }

  /** The home of a worktree that git knows of and whose folder may be gone. */
  homeOfTree(tree: string): WorktreeFolder | undefined {
    return this.#home(dirname(tree));
  }

  #homesIn(dir: string, run: string, beginning = ''): readonly WorktreeFolder[] {
    const names = namesIn(join(dir, run)).filter((folder) => folder.startsWith(beginning));
    return names.flatMap((folder) => this.#home(join(dir, run, folder)) ?? []);
  }

  #home(dir: string): WorktreeFolder | undefined {
    const segment = /^(.+)\.[^.]{6}$/.exec(basename(dir))?.[1];
    return segment === undefined ? undefined : this.#homeIn(dir, segment);
  }

  #homeIn(dir: string, segment: string): WorktreeFolder {
    const run = basename(dirname(dir));
    return { dir, run, segment, tree: join(dir, this.#treeName), marker: join(dir, 'ready.json') };
  }
}

function namesIn(dir: string): readonly string[] {
  return ifThere(() => readdirSync(dir)) ?? [];
}
