import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git, GitListing } from '../../ports/git.ts';
import type { Ended, Processes } from '../../ports/process.ts';
import { nothingIfMissing } from './fault.ts';
import { type SetupCache, setupKey } from './setup-cache.ts';

/** The command that makes a fresh worktree ready. No shell reads it. */
export interface SetupCommand {
  readonly argv: readonly [string, ...string[]];
  readonly timeoutMs: number;
  /** All that the command gets to see. */
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute path of a log for what it prints, from the name of the workspace. */
  readonly logPath: (name: string) => string;
}

/** A worktree that is to be set up. */
export interface SetupOrder {
  readonly name: string;
  /** Absolute path, links resolved. */
  readonly tree: string;
  /** The commit it is at. */
  readonly base: string;
  /** Paths that were copied into it before: they come from the user's tree each time. */
  readonly copied: readonly string[];
  readonly signal: AbortSignal;
}

/** `kept`: the cache has the result. `problem` is a sentence for people and what the command printed last. */
export type SetUp =
  | { readonly how: 'done'; readonly kept: boolean }
  | { readonly how: 'failed'; readonly problem: string }
  | { readonly how: 'cancelled' };

const TAIL_BYTES_MAX = 4 * 1024;

export interface SetupOptions {
  readonly git: Git;
  readonly listing: GitListing;
  readonly processes: Processes;
  readonly command: SetupCommand;
  readonly cache: SetupCache;
}

/**
 * Sets worktrees up. Where lock files tell what the result depends on, the command runs once for all worktrees that share
 * them, and the others get a copy of what it made and git ignores.
 */
export class Setup {
  readonly #options: SetupOptions;
  readonly #running = new Map<string, Promise<SetUp>>();

  constructor(options: SetupOptions) {
    this.#options = options;
  }

  async run(order: SetupOrder): Promise<SetUp> {
    const { cache, command, listing } = this.#options;
    const key = setupKey(command.argv, await listing.filesOf(order.base));
    if (key === undefined) return this.#runCommand(order);
    while (!order.signal.aborted) {
      if (await cache.restore(key, order.tree)) return { how: 'done', kept: true };
      const other = this.#running.get(key);
      if (other === undefined) return this.#runFirst(key, order);
      const outcome = await other;
      if (outcome.how === 'failed') return outcome;
      if (outcome.how === 'done' && !outcome.kept) return this.#runCommand(order);
    }
    return { how: 'cancelled' };
  }

  /** While it runs, those with the same key wait for it. */
  async #runFirst(key: string, order: SetupOrder): Promise<SetUp> {
    const running = this.#runAndKeep(key, order);
    this.#running.set(key, running);
    try {
      return await running;
    } finally {
      this.#running.delete(key);
    }
  }

  async #runAndKeep(key: string, order: SetupOrder): Promise<SetUp> {
    const before = await stampsOf(order);
    const outcome = await this.#runCommand(order);
    if (outcome.how !== 'done') return outcome;
    const isApart = (await stampsOf(order)) === before && (await this.#leftTreeClean(order));
    return { how: 'done', kept: isApart && (await this.#keep(key, order)) };
  }

  async #keep(key: string, { tree, copied }: SetupOrder): Promise<boolean> {
    const paths = await this.#options.listing.ignoredIn({ dir: tree });
    return this.#options.cache.publish(key, tree, { paths, omit: new Set(copied) });
  }

  /** A copy of the ignored files alone would not be what the command made. */
  async #leftTreeClean({ tree, copied }: SetupOrder): Promise<boolean> {
    const { changes } = await this.#options.git.inspect({ dir: tree });
    return changes.every(({ path }) => copied.includes(path));
  }

  async #runCommand({ name, tree, signal }: SetupOrder): Promise<SetUp> {
    const { processes, command } = this.#options;
    const { argv, environment, timeoutMs, logPath } = command;
    const logFile = logPath(name);
    const limits = { wallMs: timeoutMs };
    const ended = await processes.run({
      argv,
      cwd: tree,
      env: environment,
      limits,
      tailBytesMax: TAIL_BYTES_MAX,
      logFile,
      signal,
    });
    if (ended.how === 'exited' && ended.code === 0) return { how: 'done', kept: false };
    if (signal.aborted) return { how: 'cancelled' };
    return { how: 'failed', problem: problemOf(ended, { argv, timeoutMs, logFile }) };
  }
}

/** What tells whether the copied files were changed since. */
async function stampsOf({ tree, copied }: SetupOrder): Promise<string> {
  const stamps = copied.map(async (path) => {
    const stats = await lstat(join(tree, path)).catch(nothingIfMissing);
    return [stats?.ino, stats?.size, stats?.mtimeMs];
  });
  return JSON.stringify(await Promise.all(stamps));
}

function problemOf(
  ended: Ended,
  {
    argv,
    timeoutMs,
    logFile,
  }: { readonly argv: readonly string[]; readonly timeoutMs: number; readonly logFile: string },
): string {
  const said = [ended.stdout.text, ended.stderr.text].map((text) => text.trim()).filter((text) => text !== '');
  const printed = said.length === 0 ? 'It printed nothing.' : `It printed:\n${said.join('\n')}`;
  return `The setup command "${argv.join(' ')}" ${failure(ended, timeoutMs)}. Its log is ${logFile}. ${printed}`;
}

function failure(ended: Ended, timeoutMs: number): string {
  switch (ended.how) {
    case 'exited':
      return `failed with exit code ${ended.code}`;
    case 'not-started':
      return `could not be started: ${ended.message.replace(/\.$/, '')}`;
    case 'killed':
      return ended.by === 'wall-timeout' ? `took longer than ${timeoutMs / 1000} s` : `was killed (${ended.by})`;
  }
}
