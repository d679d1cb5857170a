import type { Git, Inspection, Tree, Work } from '../ports/git.ts';
import type { Workspace, Workspaces } from '../ports/workspace.ts';

/** The accepted attempt of a member, the commit that it began at, and paths whose changes are no work. */
export interface Accepted {
  readonly key: string;
  readonly attempt: number;
  readonly base: string;
  readonly spare: readonly string[];
}

/** Where the work of members is. */
export interface Places {
  readonly git: Git;
  readonly workspaces: Workspaces;
}

/** The user's tree. */
export interface InTree {
  readonly git: Git;
  readonly tree: Tree;
}

/** A member's worktree, and the work in it; none if nothing was changed. */
export interface Found {
  readonly place: Workspace;
  readonly work: Work | undefined;
}

/**
 * Work of members as it is brought to the run's branch. Each waits for its turn to be recorded (R-PAR-3); the work of the
 * next in line is looked for while the one before it is recorded.
 */
export class MemberWork {
  readonly #begun = new Map<string, Promise<Found | undefined>>();
  /** How the user's tree stands behind the last record. */
  #standing: Promise<Inspection | undefined> | undefined;

  /** Begins ahead of the turn. What goes wrong is left to `take`. */
  begin(places: Places, accepted: Accepted): void {
    if (this.#begun.has(nameOf(accepted))) return;
    const search = found(places, accepted);
    search.catch(() => undefined);
    this.#begun.set(nameOf(accepted), search);
  }

  /** `undefined` if the worktree is gone. What went wrong ahead is tried once more. Throws what git throws. */
  async take(places: Places, accepted: Accepted): Promise<Found | undefined> {
    const begin = () => found(places, accepted);
    const search = this.#begun.get(nameOf(accepted))?.catch(begin) ?? begin();
    this.#begun.set(nameOf(accepted), search);
    try {
      return await search;
    } finally {
      this.#begun.delete(nameOf(accepted));
    }
  }

  /** Forgets what was begun for an attempt, once it is over: somebody else is to work in its worktree. */
  async drop(accepted: Pick<Accepted, 'key' | 'attempt'>): Promise<void> {
    await this.#begun.get(nameOf(accepted))?.catch(() => undefined);
    this.#begun.delete(nameOf(accepted));
  }

  /** Looks at the user's tree behind a record, while that is written down, for the next in line. */
  lookAhead({ git, tree }: InTree): void {
    this.#standing = git.inspect(tree).catch(() => undefined);
  }

  /** How the user's tree stands at its newest commit, `tip`: as was seen ahead, if that is still it. Throws what git throws. */
  async standingAt(tip: string, { git, tree }: InTree): Promise<Inspection> {
    const ahead = this.#standing;
    this.#standing = undefined;
    const seen = await ahead;
    return seen?.head === tip ? seen : git.inspect(tree);
  }

  /** Forgets what was seen ahead: time has passed. */
  lookAnew(): void {
    this.#standing = undefined;
  }

  /** Waits for what has begun, taken or not. To be called before the run lets the spec go. */
  async settle(): Promise<void> {
    await Promise.allSettled([...this.#begun.values(), this.#standing]);
  }
}

function nameOf({ key, attempt }: Pick<Accepted, 'key' | 'attempt'>): string {
  return `${attempt} ${key}`;
}

async function found({ git, workspaces }: Places, { key, base, spare }: Accepted): Promise<Found | undefined> {
  const place = await workspaces.find(key);
  if (place === undefined) return undefined;
  return { place, work: await git.workSince(place.tree, { base, spare }) };
}
