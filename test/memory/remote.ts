import { type Pushed, type Remote, RemoteFault } from '../../src/ports/remote.ts';
import { mergeFiles } from './merge.ts';
import type { MemoryOrigin } from './origin.ts';
import type { MemoryRepository, MemoryTree } from './repository.ts';
import { putFile, removePath } from './tree.ts';

export interface MemoryRemoteOptions {
  readonly repository: MemoryRepository;
  /** The working tree that has the branch checked out. */
  readonly dir: string;
  readonly origin: MemoryOrigin;
  /** Awaited between two steps of one call that a crash may separate. */
  readonly between?: () => Promise<void>;
}

/** A remote without a network, for tests: brings commits from a repository in memory to another side, and back. */
export class MemoryRemote implements Remote {
  readonly name = 'origin';
  readonly #repository: MemoryRepository;
  readonly #dir: string;
  readonly #origin: MemoryOrigin;
  readonly #between: () => Promise<void>;

  constructor({ repository, dir, origin, between = async () => {} }: MemoryRemoteOptions) {
    this.#repository = repository;
    this.#dir = dir;
    this.#origin = origin;
    this.#between = between;
  }

  async push(branch: string, commit: string): Promise<Pushed> {
    const { commits, branches, refusal } = this.#origin;
    if (refusal !== undefined) return { how: 'refused', ...refusal };
    const there = branches.get(branch);
    const isNew = there !== commit;
    if (there !== undefined && !this.#reaches(commit, there))
      return { how: 'refused', cause: 'behind', output: `! [rejected] ${branch} (fetch first)` };
    for (const made of this.#repository.history(commit)) commits.set(made.id, made);
    branches.set(branch, commit);
    await this.#between();
    this.#repository.refs.set(this.#tracking(branch), commit);
    return { how: 'pushed', isNew };
  }

  async fetch(branch: string): Promise<string | undefined> {
    const { commits, branches, refusal } = this.#origin;
    if (refusal?.cause === 'unreachable' || refusal?.cause === 'denied')
      throw new RemoteFault(refusal.cause, `The remote "origin" cannot be read: ${refusal.output}.`);
    const newest = branches.get(branch);
    if (newest === undefined) return undefined;
    for (const [id, commit] of commits) this.#repository.commits.set(id, commit);
    await this.#between();
    this.#repository.refs.set(this.#tracking(branch), newest);
    return newest;
  }

  async advance(commit: string): ReturnType<Remote['advance']> {
    const tree = this.#repository.tree(this.#dir);
    const head = this.#repository.headOf(tree);
    if (head === undefined || !this.#reaches(commit, head))
      return { ok: false, output: 'Not possible to fast-forward.' };
    const { files } = this.#repository.commit(commit);
    const before = this.#repository.headFilesOf(tree);
    const coming = [...new Set([...before.keys(), ...files.keys()])].filter(
      (path) => before.get(path) !== files.get(path),
    );
    const inTheWay = coming.filter((path) => isInTheWay(tree, path, { before, files }));
    if (inTheWay.length > 0)
      return { ok: false, output: `Your local changes would be overwritten:\n${inTheWay.join('\n')}` };
    const index = new Map(tree.index);
    for (const path of coming) {
      const text = files.get(path);
      if (text === undefined) {
        index.delete(path);
        removePath(tree.files, path);
      } else {
        index.set(path, text);
        putFile(tree.files, path, text);
      }
      await this.#between();
    }
    tree.index = index;
    await this.#between();
    this.#repository.moveHead(tree, commit);
    return { ok: true };
  }

  async merge(ours: string, theirs: string, message: string): ReturnType<Remote['merge']> {
    const { files, conflicts } = mergeFiles(this.#repository, ours, theirs);
    const { id } = this.#repository.add({ parent: ours, merged: theirs, text: `${message}\n`, files });
    return { commit: id, conflicts };
  }

  #tracking(branch: string): string {
    return `refs/remotes/${this.name}/${branch}`;
  }

  #reaches(commit: string, ancestor: string): boolean {
    if (!this.#repository.commits.has(ancestor)) return false;
    return [...this.#repository.history(commit)].some(({ id }) => id === ancestor);
  }
}

/** Whether the user has something at a path that the commit would take the place of, and that it does not hold. */
function isInTheWay(
  tree: MemoryTree,
  path: string,
  { before, files }: { readonly before: ReadonlyMap<string, string>; readonly files: ReadonlyMap<string, string> },
): boolean {
  const isOurs = (text: string | undefined) => text === before.get(path) || text === files.get(path);
  return !isOurs(tree.files.get(path)) || !isOurs(tree.index.get(path));
}
