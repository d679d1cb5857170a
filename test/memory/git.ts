import type { Fingerprint } from '../../src/core/verify/fingerprint.ts';
import type { Unrecordable } from '../../src/core/verify/unrecordable.ts';
import type {
  Applied,
  CommitLine,
  Committed,
  Git,
  Inspection,
  Snapshot,
  Tree,
  UncommittedDiffers,
  Work,
} from '../../src/ports/git.ts';
import { GitFault } from '../../src/ports/git.ts';
import { applyChange } from './apply.ts';
import { type MemoryRefusal, type MemoryRepository, type MemoryTree, treeIdOf } from './repository.ts';
import { restoreTree } from './restore.ts';
import { changesOf, ignoring, stagedIn } from './status.ts';
import { putFile, removePath } from './tree.ts';

type CommitOrder = Parameters<Git['commit']>[1];
type SnapshotOrder = Parameters<Git['snapshot']>[1];

export interface MemoryGitOptions {
  /** Awaited between two steps of one call that a crash may separate: a test that never resolves it ends the world there. */
  readonly between?: () => Promise<void>;
}

const NO_FILES: ReadonlyMap<string, string> = new Map();
const noPause = async (): Promise<void> => {};

/** Git without a disk, for tests: does to a repository in memory what the git program does to a real one. */
export class MemoryGit implements Git {
  readonly #repository: MemoryRepository;
  readonly #between: () => Promise<void>;

  constructor(repository: MemoryRepository, { between = noPause }: MemoryGitOptions = {}) {
    this.#repository = repository;
    this.#between = between;
  }

  async inspect({ dir }: Tree): Promise<Inspection> {
    const tree = this.#repository.tree(dir);
    return {
      head: this.#repository.headOf(tree),
      branch: 'branch' in tree.head ? tree.head.branch : undefined,
      operation: tree.operation,
      changes: changesOf(this.#repository, tree),
      staged: stagedIn(this.#repository, tree),
    };
  }

  async fingerprint({ dir }: Tree, paths: readonly string[]): Promise<Fingerprint> {
    const { files } = this.#repository.tree(dir);
    return new Map(
      paths.map((path) => {
        const content = files.get(path);
        return [
          path,
          { is: content === undefined ? 'absent' : 'file', content: content ?? '', stamp: '', changedMs: 0 },
        ];
      }),
    );
  }

  async unrecordable({ dir }: Tree, { missing }: Parameters<Git['unrecordable']>[1]): Promise<readonly Unrecordable[]> {
    const tree = this.#repository.tree(dir);
    const isIgnored = ignoring(this.#repository, tree);
    return missing.flatMap((entry) => {
      const name = entry.replace(/\/$/, '');
      const below = [...tree.files.keys()].filter((path) => path === name || path.startsWith(`${name}/`));
      const isUnheld = below.length > 0 && below.every((path) => !tree.index.has(path) && isIgnored(path));
      return isUnheld ? [{ path: name, why: 'ignored' as const, by: '.gitignore:1' }] : [];
    });
  }

  async ignoredBefore({ dir }: Tree, commit: string, paths: readonly string[]): Promise<readonly string[]> {
    const { files } = this.#repository.commit(commit);
    const isIgnored = ignoring(this.#repository, { ...this.#repository.tree(dir), files: new Map(files) });
    return paths.filter((path) => !files.has(path) && isIgnored(path));
  }

  async hasCommitHooks(): Promise<boolean> {
    return this.#repository.hook !== undefined;
  }

  async submodules(): Promise<readonly string[]> {
    return [];
  }

  async putBack({ dir }: Tree, paths: readonly string[]): Promise<void> {
    const tree = this.#repository.tree(dir);
    const head = this.#repository.headFilesOf(tree);
    tree.index = unstaged(tree.index, head, paths);
    await this.#between();
    for (const path of paths) setOrDelete(tree.files, path, head.get(path));
  }

  async changedSince({ dir }: Tree, commit: string): Promise<readonly string[]> {
    const tree = this.#repository.tree(dir);
    const { files } = this.#repository.commit(commit);
    const untracked = changesOf(this.#repository, tree).filter(({ kind }) => kind === 'untracked');
    const tracked = new Set([...files.keys(), ...tree.index.keys()]);
    const differing = [...tracked].filter((path) => files.get(path) !== tree.files.get(path));
    return [...new Set([...differing, ...untracked.map(({ path }) => path)])].sort();
  }

  async changedBetween(_tree: Tree, from: string, to: string): Promise<readonly string[]> {
    const [before, after] = [this.#repository.commit(from).files, this.#repository.commit(to).files];
    return [...new Set([...before.keys(), ...after.keys()])]
      .filter((path) => before.get(path) !== after.get(path))
      .sort();
  }

  async diffSince(
    { dir }: Tree,
    commit: string,
    { bytesMax, paths }: Parameters<Git['diffSince']>[2],
  ): Promise<string> {
    const now = this.#repository.tree(dir).files;
    const { files } = this.#repository.commit(commit);
    const text = paths.map((path) => patchOf(path, files.get(path), now.get(path))).join('');
    const bytes = Buffer.from(text);
    if (bytes.byteLength <= bytesMax) return text;
    const cut = bytes.subarray(0, bytesMax);
    return cut.subarray(0, cut.lastIndexOf('\n') + 1).toString();
  }

  async fileAt(_tree: Tree, commit: string, path: string): Promise<string | undefined> {
    return this.#repository.commits.get(commit)?.files.get(path);
  }

  async commit({ dir }: Tree, order: CommitOrder): Promise<Committed> {
    const tree = this.#repository.tree(dir);
    const before = this.#repository.headFilesOf(tree);
    const wanted = stagedBy(this.#repository, tree, order);
    if (wanted === undefined) return { how: 'nothing' };
    tree.index = wanted.index;
    await this.#between();
    if (isSame(wanted.files, before)) return { how: 'nothing' };
    if (order.signal?.aborted) {
      tree.index = unstaged(tree.index, before, order.paths);
      return { how: 'stopped' };
    }
    const commit = { text: textOf(order), files: wanted.files };
    const said = this.#repository.hook?.(commit);
    if (said !== undefined) {
      tree.index = unstaged(tree.index, before, order.paths);
      return refusal(tree, order.paths, typeof said === 'string' ? { output: said } : said);
    }
    const { id } = this.#repository.add({ parent: this.#repository.headOf(tree), ...commit });
    this.#repository.moveHead(tree, id);
    return { how: 'committed', commit: id };
  }

  async findRecord({ dir }: Tree, { since, trailers }: Parameters<Git['findRecord']>[1]): Promise<string | undefined> {
    const old = new Set([...this.#repository.history(since)].map(({ id }) => id));
    const head = this.#repository.headOf(this.#repository.tree(dir));
    for (const { id, text } of this.#repository.history(head)) {
      if (!old.has(id) && carries(text, trailers)) return id;
    }
    return undefined;
  }

  async trailerValues(
    { dir }: Tree,
    { trailer, path }: Parameters<Git['trailerValues']>[1],
  ): Promise<ReadonlySet<string>> {
    const head = this.#repository.headOf(this.#repository.tree(dir));
    const before = (parent: string | undefined) =>
      parent === undefined ? NO_FILES : this.#repository.commit(parent).files;
    const changing = [...this.#repository.history(head)].filter(
      ({ files, parent, merged }) => merged === undefined && files.get(path) !== before(parent).get(path),
    );
    const lines = changing.flatMap(({ text }) => text.split('\n').slice(1));
    return new Set(lines.flatMap((line) => (line.startsWith(`${trailer}: `) ? [line.slice(trailer.length + 2)] : [])));
  }

  async commitsBetween(_tree: Tree, base: string, head: string): Promise<readonly CommitLine[]> {
    const old = new Set([...this.#repository.history(base)].map(({ id }) => id));
    const commits = [...this.#repository.history(head)].filter(({ id }) => !old.has(id));
    return commits.map(({ text }) => ({ subject: text.split('\n')[0] ?? '', author: 'Somebody' }));
  }

  async isAncestor(_tree: Tree, ancestor: string, commit: string): Promise<boolean> {
    if (!this.#repository.commits.has(commit)) return false;
    return [...this.#repository.history(commit)].some(({ id }) => id === ancestor);
  }

  async unwind({ dir }: Tree, commit: string): Promise<void> {
    this.#repository.moveHead(this.#repository.tree(dir), this.#repository.commit(commit).id);
  }

  async snapshot({ dir }: Tree, order: SnapshotOrder): Promise<Snapshot | undefined> {
    const tree = this.#repository.tree(dir);
    const head = this.#repository.headOf(tree);
    const isBeyond = head !== undefined && !(await this.isAncestor({ dir }, head, order.base));
    const files = new Map(this.#repository.headFilesOf(tree));
    for (const { path } of changesOf(this.#repository, tree)) {
      if (!order.exclude.includes(path)) setOrDelete(files, path, tree.files.get(path));
    }
    const holdsNothing = isSame(files, this.#repository.headFilesOf(tree));
    if (holdsNothing && !isBeyond) return undefined;
    const treeId = treeIdOf(files);
    const commit =
      holdsNothing && head !== undefined
        ? head
        : this.#repository.add({ parent: head, text: `${order.message}\n`, files }).id;
    await this.#between();
    await this.setRef(order.ref, commit);
    return { commit, treeId };
  }

  async keepUncommitted({ dir }: Tree, order: Parameters<Git['keepUncommitted']>[1]): Promise<string> {
    const tree = this.#repository.tree(dir);
    const head = this.#repository.headOf(tree);
    const parent = this.#repository.refs.get(order.ref) ?? head;
    const index = this.#repository.add({ parent, text: `${order.message} (index)\n`, files: tree.index });
    const files = new Map(this.#repository.headFilesOf(tree));
    for (const path of order.paths) setOrDelete(files, path, tree.files.get(path));
    const { id } = this.#repository.add({ parent: index.id, text: `${order.message}\n`, files });
    await this.#between();
    await this.setRef(order.ref, id);
    return id;
  }

  async uncommittedDiffers({ dir }: Tree, kept: string, paths: readonly string[]): Promise<UncommittedDiffers> {
    const tree = this.#repository.tree(dir);
    const { files, index } = this.#keptIn(kept);
    return {
      files: paths.filter((path) => files.get(path) !== tree.files.get(path)),
      staged: paths.filter((path) => index.get(path) !== tree.index.get(path)),
    };
  }

  async putBackUncommitted({ dir }: Tree, kept: string, paths: readonly string[]): Promise<void> {
    const tree = this.#repository.tree(dir);
    const { files, index } = this.#keptIn(kept);
    for (const path of paths) {
      const text = files.get(path);
      if (text === undefined) removePath(tree.files, path);
      else putFile(tree.files, path, text);
      await this.#between();
    }
    const staged = new Map(tree.index);
    for (const path of paths) setOrDelete(staged, path, index.get(path));
    tree.index = staged;
  }

  #keptIn(kept: string): { readonly files: ReadonlyMap<string, string>; readonly index: ReadonlyMap<string, string> } {
    const { files, parent = '' } = this.#repository.commit(kept);
    return { files, index: this.#repository.commit(parent).files };
  }

  async workSince(tree: Tree, { base, exclude }: Parameters<Git['workSince']>[1]): Promise<Work | undefined> {
    const paths = (await this.changedSince(tree, base)).filter((path) => !exclude.includes(path));
    if (paths.length === 0) return undefined;
    const files = new Map(this.#repository.commit(base).files);
    for (const path of paths) setOrDelete(files, path, this.#repository.tree(tree.dir).files.get(path));
    const { id } = this.#repository.add({ parent: base, text: 'work\n', files });
    return { paths, commit: id };
  }

  async salvage(dir: string, { ref, base, message }: Parameters<Git['salvage']>[1]): Promise<Snapshot | undefined> {
    const tree = this.#repository.trees.get(dir);
    if (tree === undefined) return undefined;
    const before = this.#repository.commit(base).files;
    const isIgnored = ignoring(this.#repository, tree);
    const files = new Map([...tree.files].filter(([path]) => before.has(path) || !isIgnored(path)));
    if (isSame(files, before)) return undefined;
    const { id } = this.#repository.add({ parent: base, text: `${message}\n`, files });
    await this.setRef(ref, id);
    return { commit: id, treeId: treeIdOf(files) };
  }

  async restore({ dir }: Tree, order: Parameters<Git['restore']>[1]): Promise<void> {
    await restoreTree(this.#repository, this.#repository.tree(dir), { ...order, between: this.#between });
  }

  /** Nothing is ever damaged in memory. */
  async mend(): Promise<readonly string[]> {
    return [];
  }

  /** Git in memory takes no locks. */
  async clearLocks(_tree: Tree): Promise<void> {}

  async setRef(ref: string, commit: string): Promise<void> {
    if (!/^refs\/[^/]+\/\S+$/.test(ref) || /\.\.|\.lock$|\/$|\/\//.test(ref))
      throw new GitFault('other', `"${ref}" is not a valid ref name.`);
    this.#repository.refs.set(ref, this.#repository.commit(commit).id);
  }

  async removeRefs(refs: readonly string[]): Promise<void> {
    for (const ref of refs) this.#repository.refs.delete(ref);
  }

  async readRef(ref: string): Promise<string | undefined> {
    return this.#repository.refs.get(ref);
  }

  async switchToNewBranch({ dir }: Tree, branch: string): Promise<void> {
    const tree = this.#repository.tree(dir);
    if ('branch' in tree.head && tree.head.branch === branch) return;
    if (!/^[A-Za-z0-9][\w/.-]*$/.test(branch) || branch.includes('..'))
      throw new GitFault('other', `"${branch}" is no name for a branch.`);
    if (this.#repository.refs.has(`refs/heads/${branch}`))
      throw new GitFault('other', `There is a branch ${branch} already.`);
    const head = this.#repository.headOf(tree);
    if (head !== undefined) this.#repository.refs.set(`refs/heads/${branch}`, head);
    await this.#between();
    tree.head = { branch };
  }

  async addWorktree(dir: string, { branch, commit }: Parameters<Git['addWorktree']>[1]): Promise<Tree> {
    if (this.#repository.trees.has(dir)) return { dir };
    const { files } = this.#repository.commit(commit);
    await this.setRef(`refs/heads/${branch}`, commit);
    await this.#between();
    this.#repository.trees.set(dir, { files: new Map(files), index: files, head: { branch }, operation: undefined });
    return { dir };
  }

  async removeWorktree(dir: string): Promise<void> {
    this.#repository.trees.delete(dir);
  }

  async apply({ dir }: Tree, commit: string): Promise<Applied> {
    return await applyChange(this.#repository, this.#repository.tree(dir), { commit, between: this.#between });
  }
}

/** Message and trailers as one text, as git would keep it. */
function textOf({ message, trailers }: CommitOrder): string {
  const lines = Object.entries(trailers).map(([key, value]) => `${key}: ${value}\n`);
  return `${message.replace(/\n+$/, '')}\n${lines.length === 0 ? '' : `\n${lines.join('')}`}`;
}

function carries(text: string, trailers: Readonly<Record<string, string>>): boolean {
  const wanted = Object.entries(trailers).map(([key, value]) => `${key}: ${value}`);
  const paragraphs = text.split(/\n[ \t]*\n/).slice(1);
  return wanted.length > 0 && paragraphs.some((lines) => wanted.every((line) => lines.split('\n').includes(line)));
}

interface Staged {
  /** What is committed. */
  readonly files: ReadonlyMap<string, string>;
  readonly index: ReadonlyMap<string, string>;
}

/** What a commit would take, and the index it leaves; `undefined` if it names no path. */
function stagedBy(repository: MemoryRepository, tree: MemoryTree, order: CommitOrder): Staged | undefined {
  const { paths, keepsStaged } = order;
  if (paths !== 'everything' && paths.length === 0) return undefined;
  const changed = changesOf(repository, tree).map(({ path }) => path);
  const isIgnored = ignoring(repository, tree);
  const named = paths === 'everything' ? changed : paths.filter((path) => changed.includes(path));
  const ours = named.filter((path) => tree.index.has(path) || !tree.files.has(path) || !isIgnored(path));
  const take = (from: ReadonlyMap<string, string>) => {
    const files = new Map(from);
    for (const path of ours) setOrDelete(files, path, tree.files.get(path));
    return files;
  };
  const files = paths === 'everything' ? take(tree.index) : take(repository.headFilesOf(tree));
  return { files, index: keepsStaged && paths !== 'everything' ? take(tree.index) : files };
}

/** Of the files that a hook changed, those that were to be committed are told. */
function refusal(
  { files }: MemoryTree,
  paths: CommitOrder['paths'],
  { by = 'work', output, repairs = {} }: MemoryRefusal,
): Committed {
  const changed = Object.entries(repairs).flatMap(([path, text]) => (files.get(path) === text ? [] : [path]));
  for (const path of changed) files.set(path, repairs[path] ?? '');
  const repaired = changed.filter((path) => paths === 'everything' || paths.includes(path));
  return { how: 'refused', by, output, ...(repaired.length > 0 ? { repaired } : {}) };
}

function unstaged(
  index: ReadonlyMap<string, string>,
  head: ReadonlyMap<string, string>,
  paths: CommitOrder['paths'],
): ReadonlyMap<string, string> {
  const files = new Map(index);
  const ours = paths === 'everything' ? new Set([...index.keys(), ...head.keys()]) : paths;
  for (const path of ours) setOrDelete(files, path, head.get(path));
  return files;
}

function isSame(left: ReadonlyMap<string, string>, right: ReadonlyMap<string, string>): boolean {
  return left.size === right.size && [...left].every(([path, text]) => right.get(path) === text);
}

function setOrDelete(files: Map<string, string>, path: string, text: string | undefined): void {
  if (text === undefined) files.delete(path);
  else files.set(path, text);
}

/** A patch that removes all old lines and adds all new ones. */
function patchOf(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return '';
  const lines = (mark: string, text: string | undefined) =>
    text === undefined ? '' : text.replace(/\n$/, '').replace(/^/gm, mark);
  const parts = [`diff --git a/${path} b/${path}`, lines('-', before), lines('+', after)];
  return `${parts.filter((part) => part !== '').join('\n')}\n`;
}
