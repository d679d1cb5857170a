import type { Git } from '../ports/git.ts';
import type { Workspace } from '../ports/workspace.ts';
import { specPath, type World } from './world.ts';

/** The accepted attempt of a member, and the commit that it began at. */
export interface Accepted {
  readonly key: string;
  readonly attempt: number;
  readonly base: string;
}

/** A member's worktree, and the work in it as one commit that is on no branch; none if nothing was changed. */
export interface Squash {
  readonly place: Workspace;
  readonly work: Awaited<ReturnType<Git['squash']>>;
}

/**
 * Work of members as it is brought to the run's branch. Each waits for its turn to be recorded (R-PAR-3); the next in
 * line is squashed while the one before it is recorded.
 */
export class Squashes {
  readonly #begun = new Map<string, Promise<Squash>>();

  /** Begins ahead of the turn. What goes wrong is told by `take`. */
  begin(world: World, accepted: Accepted): void {
    if (this.#begun.has(nameOf(accepted))) return;
    const squash = squashed(world, accepted);
    squash.catch(() => undefined);
    this.#begun.set(nameOf(accepted), squash);
  }

  /** Throws if the worktree is gone, and what git throws. */
  take(world: World, accepted: Accepted): Promise<Squash> {
    const begun = this.#begun.get(nameOf(accepted));
    this.#begun.delete(nameOf(accepted));
    return begun ?? squashed(world, accepted);
  }

  /** Waits for what has begun and was not taken. To be called before the run lets the spec go. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#begun.values());
  }
}

function nameOf({ key, attempt }: Accepted): string {
  return `${attempt} ${key}`;
}

async function squashed(world: World, { key, base }: Accepted): Promise<Squash> {
  const place = await world.workspaces.find(key);
  if (place === undefined) throw new Error(`The worktree of task ${key} is gone.`);
  const work = await world.git.squash(place.tree, {
    base,
    message: `specloop: work of task ${key}`,
    spare: [specPath(world, 'tasks.md'), specPath(world, '.progress.md')],
  });
  return { place, work };
}
