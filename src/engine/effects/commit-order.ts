import { type RunState, taskOf } from '../../core/run/data/state.ts';
import { commitMessage } from '../../core/run/record/commit-message.ts';
import { isBookkeeping } from '../../core/spec-files.ts';
import type { CommitOrder } from '../attempt/make-commit.ts';
import { pathsOfOthers } from '../attempt/shared-tree.ts';
import type { AttemptKey } from '../lane/attempt-key.ts';
import { recordTrailers, type World } from '../lane/world.ts';
import { type Brought, booksOf } from './integrate.ts';

/** An attempt whose work is committed, and what of it was brought into the user's tree. */
export interface ToCommit extends AttemptKey {
  readonly brought: Brought | undefined;
}

/** The commit of a task's work, with the message of the task unless another one is given. */
export async function commitOrder(
  state: RunState,
  world: World,
  { message, ...what }: ToCommit & { readonly message?: string },
): Promise<CommitOrder> {
  const trailers = recordTrailers(world.spec, { id: taskOf(state, what.key).id, attempt: what.attempt });
  return {
    message: message ?? messageOf(state, world, what.key),
    trailers,
    ...(await whatToCommit(state, world, what)),
  };
}

function messageOf(state: RunState, { spec, commits }: World, key: string): string {
  const task = taskOf(state, key);
  return commitMessage(task, {
    index: state.tasks.findIndex((one) => one.key === task.key),
    spec: spec.name,
    messages: commits,
  });
}

/** The work as it was proved, and the books; of work that was sent back before a crash, what is no one else's (R-VER-13). */
async function whatToCommit(
  state: RunState,
  world: World,
  { key, attempt, brought }: ToCommit,
): Promise<Omit<CommitOrder, 'message' | 'trailers'>> {
  if (brought) {
    const { known: _known, ...order } = brought;
    return { ...order, paths: [...brought.paths, ...booksOf(world)], keepsStaged: true };
  }
  // With other members at work in the same tree, what no one's Files name belongs to the last of them, which is known only now.
  const isShared = world.lane.kind === 'shared';
  const proved = isShared ? undefined : world.proofs.of({ key, attempt });
  const keepsStaged = state.foreign.length > 0 || isShared;
  if (proved) {
    const { work, staged } = proved;
    return { paths: [...work.keys(), ...booksOf(world)], keepsStaged, ...(staged && { staged }) };
  }
  const { changes, staged } = await world.git.inspect(world.tree);
  const paths = changes.map(({ path }) => path);
  const ofOthers = new Set(pathsOfOthers(state, world.lane, { key, paths }));
  const ours = paths.filter((path) => isBookkeeping(path, world.spec) || !ofOthers.has(path));
  return { paths: ours, keepsStaged, staged };
}
