import type { RunEvent } from '../../core/run/data/event.ts';
import { type RunState, taskOf } from '../../core/run/data/state.ts';
import { asItIs, editPlan } from '../attempt/edit-plan.ts';
import { blockedBy, notCommitted, type Unmade } from '../attempt/make-commit.ts';
import type { World } from '../lane/world.ts';
import type { ToCommit } from './commit-order.ts';
import { putBackProgress, writePlan } from './commit-plan.ts';
import { takeOut } from './integrate.ts';

/** A commit of a task's work that was not made, or was undone. */
interface Uncommitted extends ToCommit {
  readonly done: Unmade;
  readonly message: string;
  /** The progress file as it was before. */
  readonly progress: string | undefined;
  /** Whether it is no matter of the work. */
  readonly isOwn?: boolean;
}

/**
 * Puts plan and progress back after a commit that was not made, and says why it was not. What a member brought into the user's tree
 * goes again, as its work is in its worktree. Where no agent can mend the cause, accepted work stays (R-ADV-5).
 */
export async function undoCommit(
  state: RunState,
  world: World,
  { key, attempt, done, message, progress, brought, isOwn = false }: Uncommitted,
): Promise<RunEvent> {
  if (brought) {
    await takeOut(state, world, { key, attempt, paths: brought.paths });
    await world.progress.accept();
  } else await putBackProgress(world, progress);
  const cause = blockedBy(done, { own: isOwn, ownMessage: taskOf(state, key).commitKind === 'none' });
  if (cause !== undefined) await untickBox(state, world, key);
  return notCommitted(done, cause, { task: key, attempt, message });
}

/** The plan as it is trusted, and what a person added to it. */
async function untickBox(state: RunState, world: World, key: string): Promise<void> {
  const unticked = await editPlan(world, state.batch?.members ?? [key], asItIs);
  if (unticked.ok) await writePlan(world, unticked.plan);
}
