import { statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { type SpecLayout, specKey } from '../../core/spec-files.ts';
import type { Git, GitListing } from '../../ports/git.ts';
import type { Processes } from '../../ports/process.ts';
import type { SpecFiles } from '../../ports/store.ts';
import type { Workspace, WorkspaceOrder, WorkspaceProblem, Workspaces } from '../../ports/workspace.ts';
import { branchFolder, branchOf } from './branches.ts';
import { copyIgnored, copySpec } from './chosen-files.ts';
import { type Clearing, clearAll, keepCommits, keepFiles, removeHome } from './clear-away.ts';
import { faultIn } from './fault.ts';
import { hashOf, isWithin, Location, type WorktreeFolder, worktreesFolder } from './location.ts';
import { readMarker, writeMarker } from './marker.ts';
import { Semaphore } from './semaphore.ts';
import { Setup, type SetupCommand } from './setup.ts';
import { SetupCache } from './setup-cache.ts';

export interface GitWorkspacesOptions {
  readonly git: Git;
  readonly listing: GitListing;
  readonly processes: Processes;
  /** Absolute path of the main working tree. */
  readonly repositoryRoot: string;
  /** Absolute path of the folder that all worktrees share. */
  readonly commonDir: string;
  readonly spec: SpecLayout & { readonly name: string };
  /** Id of the run. */
  readonly run: string;
  /** What the worktrees are for, where that is no run: then they are apart from those of the spec's runs. */
  readonly purpose?: string;
  /** Absolute path of the folder for caches; see `cacheFolder`. */
  readonly cacheDir: string;
  /** Ignored files that a fresh worktree gets a copy of, as lines of a `.gitignore`. */
  readonly copy: readonly string[];
  /** Makes a fresh worktree ready; only for a workspace that the user has trusted (R-SEC-1). */
  readonly setup?: SetupCommand;
  /** The files of a spec, from the absolute path of its folder. */
  readonly specFilesOf: (specDir: string, options: { readonly heldIn: string }) => SpecFiles;
  /** Free space, in bytes, below which no worktree is made. Default 200 MiB. */
  readonly freeBytesMin?: number;
  /** Free space, in bytes, where a folder is. Default: what the system says. */
  readonly freeBytesAt?: (dir: string) => Promise<number>;
}

const MEBIBYTE = 1024 * 1024;
const CANCELLED = 'The worktree was not created because the run is stopping.';

/** Worktrees in the user's cache folder (R-PAR-3). Every method throws `GitFault` and `StorageFault`. */
export function gitWorkspaces(options: GitWorkspacesOptions): Workspaces {
  return new GitWorkspaces(options);
}

class GitWorkspaces implements Workspaces {
  readonly #options: GitWorkspacesOptions;
  readonly #location: Location;
  readonly #setup: Setup | undefined;
  /** More at once than there are processors only make the first agent wait for the last checkout. */
  readonly #checkouts = new Semaphore(Math.max(2, availableParallelism()));
  /** The last thing that was begun with the worktree of each name. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(options: GitWorkspacesOptions) {
    const { cacheDir, commonDir, repositoryRoot, setup } = options;
    const ours = join(cacheDir, 'specloop');
    this.#options = options;
    this.#location = new Location(worktreesFolder(cacheDir, commonDir, ownerOf(options)), basename(repositoryRoot));
    const cache = new SetupCache(join(ours, 'setup', hashOf(commonDir)));
    this.#setup = setup && new Setup({ ...options, command: setup, cache });
  }

  open(order: WorkspaceOrder): Promise<Workspace | WorkspaceProblem> {
    return this.#inTurn(order.name, async () => (await this.#found(order.name)) ?? this.#make(order));
  }

  find(name: string): Promise<Workspace | undefined> {
    return this.#inTurn(name, () => this.#found(name));
  }

  salvage(name: string): ReturnType<Workspaces['salvage']> {
    return this.#inTurn(name, async () => {
      for (const home of await this.#homesOf(name)) {
        const kept = await keepFiles(this.#clearing, home);
        if (kept !== undefined) return kept;
      }
      return undefined;
    });
  }

  close(name: string): Promise<void> {
    return this.#inTurn(name, async () => {
      for (const home of await this.#homesOf(name)) {
        await keepCommits(this.#clearing, home);
        await removeHome(this.#clearing, home);
      }
    });
  }

  async prune(): Promise<readonly string[]> {
    await Promise.all(this.#turns.values());
    return this.#withFaults(() => clearAll(this.#clearing));
  }

  get #clearing(): Clearing {
    const { git, listing, spec } = this.#options;
    return { git, listing, location: this.#location, spec: spec.name, branches: branchFolder(ownerOf(this.#options)) };
  }

  /** A worktree that is ready and whole. */
  async #found(name: string): Promise<Workspace | undefined> {
    for (const home of await this.#homesOf(name)) {
      const isReady = (await readMarker(home.marker)) !== undefined;
      if (isReady && (await this.#options.listing.worktreeAt(home.tree))) return this.#workspaceIn(home);
    }
    return undefined;
  }

  async #make(order: WorkspaceOrder): Promise<Workspace | WorkspaceProblem> {
    const { cacheDir, repositoryRoot, run } = this.#options;
    if (isWithin(repositoryRoot, cacheDir)) return { problem: insideTree(cacheDir, repositoryRoot) };
    for (const home of await this.#homesOf(order.name)) {
      if ((await readMarker(home.marker)) === undefined) await removeHome(this.#clearing, home);
    }
    const home = this.#location.newHome(run, order.name);
    let problem: string | undefined;
    try {
      problem = await this.#fill(home, order);
    } catch (error) {
      await removeHome(this.#clearing, home).catch(() => undefined); // The first failure is the one to tell.
      throw error;
    }
    if (problem === undefined) return this.#workspaceIn(home);
    await removeHome(this.#clearing, home);
    return { problem };
  }

  /** Adds the worktree and makes it ready; why not, if it cannot be. */
  async #fill(home: WorktreeFolder, { name, base, signal }: WorkspaceOrder): Promise<string | undefined> {
    const { git, listing, spec, repositoryRoot, copy } = this.#options;
    const { dir, tree, marker } = home;
    const lack = await this.#lackOfSpace(dir);
    if (lack !== undefined) return lack;
    const isMade = await this.#checkouts.run(async () => {
      if (!signal.aborted) await git.addWorktree(tree, { branch: this.#branchOf(home), commit: base });
      return !signal.aborted;
    });
    if (!isMade) return CANCELLED;
    const trees = { from: repositoryRoot, to: tree };
    const ignored = await copyIgnored(listing, trees, copy);
    const copied = await copySpec(trees, spec);
    if (copied === undefined) return `${spec.path} is not a folder in commit ${base}. Replace it with a real folder.`;
    const order = { name, tree, base, copied: [...ignored, ...Object.keys(copied)], signal };
    const outcome = await this.#setup?.run(order);
    if (outcome?.how === 'failed') return outcome.problem;
    if (signal.aborted) return CANCELLED;
    await writeMarker(marker, { base, copied });
    return undefined;
  }

  async #lackOfSpace(dir: string): Promise<string | undefined> {
    const { freeBytesMin = 200 * MEBIBYTE, freeBytesAt = freeSpace } = this.#options;
    const free = await freeBytesAt(dir);
    if (free >= freeBytesMin) return undefined;
    const [there, wanted] = [free, freeBytesMin].map((bytes) => Math.floor(bytes / MEBIBYTE));
    return `Only ${there} MiB are free in ${dir}, and a worktree needs ${wanted} MiB. Free some space, then run the command again.`;
  }

  #branchOf(home: WorktreeFolder): string {
    return branchOf(branchFolder(ownerOf(this.#options)), home);
  }

  #workspaceIn(home: WorktreeFolder): Workspace {
    const specDir = join(home.tree, this.#options.spec.path);
    return {
      tree: { dir: home.tree },
      branch: this.#branchOf(home),
      specDir,
      files: this.#options.specFilesOf(specDir, { heldIn: home.tree }),
    };
  }

  #homesOf(name: string): Promise<readonly WorktreeFolder[]> {
    return this.#location.homesOf(this.#options.run, name);
  }

  /** One thing after the other with the worktree of one name. */
  #inTurn<Answer>(name: string, act: () => Promise<Answer>): Promise<Answer> {
    const turn = (this.#turns.get(name) ?? Promise.resolve()).then(() => this.#withFaults(act));
    this.#turns.set(
      name,
      turn.catch(() => undefined),
    );
    return turn;
  }

  async #withFaults<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    try {
      return await act();
    } catch (error) {
      throw faultIn(this.#location.dir, error);
    }
  }
}

function insideTree(cacheDir: string, root: string): string {
  return `The folder for worktrees, ${cacheDir}, is in the repository ${root}, where each worktree would count as a change. Set XDG_CACHE_HOME to a folder outside it, or run with --jobs 1.`;
}

async function freeSpace(dir: string): Promise<number> {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize;
}

/** Whose worktrees they are. No path of a spec has this character after its end. */
function ownerOf({ spec, purpose }: Pick<GitWorkspacesOptions, 'spec' | 'purpose'>): string {
  return purpose === undefined ? specKey(spec) : `${specKey(spec)}#${purpose}`;
}
