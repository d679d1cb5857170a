import { createHash } from 'node:crypto';
import type { PushRefusal } from '../../src/ports/remote.ts';
import type { MemoryCommit, TreeTexts } from './repository.ts';

/** How the other side refuses a push; where it cannot be reached, nothing can be fetched either. */
export interface MemoryPushRefusal {
  readonly cause: PushRefusal;
  readonly output: string;
}

/** The other side of a remote, in memory: what is there, and what other people do there. */
export class MemoryOrigin {
  readonly commits = new Map<string, MemoryCommit>();
  /** Commit ids by the name of the branch. */
  readonly branches = new Map<string, string>();
  /** How every push is refused from now on, if it is. */
  refusal: MemoryPushRefusal | undefined;

  /** Another side that begins where this one is. */
  copy(): MemoryOrigin {
    const twin = new MemoryOrigin();
    for (const [id, commit] of this.commits) twin.commits.set(id, commit);
    for (const [name, id] of this.branches) twin.branches.set(name, id);
    twin.refusal = this.refusal;
    return twin;
  }

  /** Somebody else commits these files on top of a branch, and pushes; returns the commit. */
  commit(branch: string, files: Readonly<TreeTexts>): string {
    return this.#add(branch, { parent: this.branches.get(branch), files });
  }

  /** Somebody else puts a commit with these files in place of the newest one, by force; returns the commit. */
  amend(branch: string, files: Readonly<TreeTexts>): string {
    return this.#add(branch, { parent: this.#newest(branch)?.parent, files });
  }

  #newest(branch: string): MemoryCommit | undefined {
    return this.commits.get(this.branches.get(branch) ?? '');
  }

  #add(branch: string, { parent, files }: { readonly parent: string | undefined; readonly files: TreeTexts }): string {
    const id = createHash('sha1').update(`commit there ${this.commits.size}`).digest('hex');
    const all = new Map([...(this.#newest(branch)?.files ?? []), ...Object.entries(files)]);
    this.commits.set(id, { id, parent, text: 'by somebody else\n', files: all });
    this.branches.set(branch, id);
    return id;
  }
}
