import { createHash } from 'node:crypto';
import type { IndexFlag, StashEntry } from '../../src/core/watch/picture.ts';
import type { Operation, RefusedBy } from '../../src/ports/git.ts';
import { GitFault } from '../../src/ports/git.ts';
import type { TreeFiles } from './tree.ts';

/** A commit of the repository in memory. Never changed once it is made. */
export interface MemoryCommit {
  readonly id: string;
  readonly parent: string | undefined;
  /** The second parent of a merge. */
  readonly merged?: string;
  /** Message and trailers. */
  readonly text: string;
  readonly files: ReadonlyMap<string, string>;
}

/** One working tree of the repository in memory: what git and its user see of it. */
export interface MemoryTree {
  readonly files: TreeFiles;
  /** What is staged, by path; replaced whole. */
  index: ReadonlyMap<string, string>;
  head: { readonly branch: string } | { readonly commit: string };
  operation: Operation | undefined;
}

/** How a hook refuses a commit. */
export interface MemoryRefusal {
  readonly output: string;
  /** Default: a hook that looks at the work. */
  readonly by?: RefusedBy;
  /** Files that it changes before it says no, with their new texts. */
  readonly repairs?: Readonly<TreeTexts>;
}

/**
 * What a repository keeps, in memory: commits, refs and working trees. It outlives whoever works with it, so a test may
 * end a coordinator anywhere and start the next one on the same repository. Commit ids are all different.
 */
export class MemoryRepository {
  readonly commits = new Map<string, MemoryCommit>();
  /** Commit ids by full name, as `refs/heads/main`. */
  readonly refs = new Map<string, string>();
  /** Working trees by their absolute folder. */
  readonly trees = new Map<string, MemoryTree>();
  /** Patterns of `.git/info/exclude`. */
  readonly excludes = new Set<string>();
  /** Files of `.git` that a person or an agent wrote, as `.git/config`, by path. */
  readonly gitFiles = new Map<string, string>();
  /** Entries of the stash, newest first; replaced whole. */
  stash: readonly StashEntry[] = [];
  /** Flags in the index of a working tree, by its folder. They hide nothing here. */
  readonly flags = new Map<string, readonly IndexFlag[]>();
  /** A hook that looks at a commit before it is made: what it prints when it says no. */
  hook: ((commit: Pick<MemoryCommit, 'text' | 'files'>) => string | MemoryRefusal | undefined) | undefined;

  /** Makes the main working tree at `dir`, on a branch whose only commit holds `files`. */
  constructor(dir: string, { branch, files }: { readonly branch: string; readonly files: Readonly<TreeTexts> }) {
    const first = new Map(Object.entries(files));
    const { id } = this.add({ parent: undefined, text: 'first\n', files: first });
    this.refs.set(`refs/heads/${branch}`, id);
    this.trees.set(dir, { files: new Map(first), index: new Map(first), head: { branch }, operation: undefined });
  }

  /** A repository of its own that begins where this one stands. */
  copy(): MemoryRepository {
    const twin: MemoryRepository = Object.create(MemoryRepository.prototype);
    const trees = [...this.trees].map(([dir, tree]) => [dir, { ...tree, files: new Map(tree.files) }] as const);
    return Object.assign(twin, {
      commits: new Map(this.commits),
      refs: new Map(this.refs),
      trees: new Map(trees),
      excludes: new Set(this.excludes),
      gitFiles: new Map(this.gitFiles),
      stash: this.stash,
      flags: new Map(this.flags),
      hook: this.hook,
    });
  }

  /** The working tree at `dir`. Throws `GitFault` if there is none. */
  tree(dir: string): MemoryTree {
    const tree = this.trees.get(dir);
    if (tree === undefined) throw new GitFault('other', `There is no working tree at ${dir}.`);
    return tree;
  }

  /** The commit of this id. Throws `GitFault` if there is none. */
  commit(id: string): MemoryCommit {
    const commit = this.commits.get(id);
    if (commit === undefined) throw new GitFault('other', `There is no commit ${id}.`);
    return commit;
  }

  /** Adds a commit that no ref points at yet. */
  add(commit: Omit<MemoryCommit, 'id'>): MemoryCommit {
    const id = sha1(`commit ${this.commits.size}`);
    const made = { ...commit, id };
    this.commits.set(id, made);
    return made;
  }

  /** Id of the commit that HEAD of a working tree stands at. */
  headOf({ head }: MemoryTree): string | undefined {
    return 'branch' in head ? this.refs.get(`refs/heads/${head.branch}`) : head.commit;
  }

  /** The files of HEAD; none on a branch without a commit. */
  headFilesOf(tree: MemoryTree): ReadonlyMap<string, string> {
    const head = this.headOf(tree);
    return head === undefined ? NO_FILES : this.commit(head).files;
  }

  /** Moves the branch of a working tree, or its detached HEAD. */
  moveHead(tree: MemoryTree, commit: string): void {
    if ('branch' in tree.head) this.refs.set(`refs/heads/${tree.head.branch}`, commit);
    else tree.head = { commit };
  }

  /** The commits from `commit` back to the first, newest first; what a merge brought in comes after its own line. */
  *history(commit: string | undefined): Generator<MemoryCommit> {
    const seen = new Set<string>();
    const open = [commit];
    while (open.length > 0) {
      const id = open.pop();
      if (id === undefined || seen.has(id)) continue;
      const found = this.commit(id);
      seen.add(id);
      open.push(found.merged, found.parent);
      yield found;
    }
  }
}

/** Texts by path. */
export type TreeTexts = Record<string, string>;

/** Equal ids mean equal files. */
export function treeIdOf(files: ReadonlyMap<string, string>): string {
  const known = treeIds.get(files);
  if (known !== undefined) return known;
  const entries = [...files].sort(([left], [right]) => (left < right ? -1 : 1));
  const id = sha1(JSON.stringify(entries));
  treeIds.set(files, id);
  return id;
}

/** The files of a commit never change, so their id is worked out once. */
const treeIds = new WeakMap<ReadonlyMap<string, string>, string>();
const NO_FILES: ReadonlyMap<string, string> = new Map();

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
