import { addLearnings } from '../../core/progress/merge.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { filledIn } from '../../core/run/record/commit-message.ts';
import { blockedBy, isUnmade, makeCommit, notCommitted } from '../attempt/make-commit.ts';
import type { AttemptKey } from '../lane/attempt-key.ts';
import type { World } from '../lane/world.ts';
import { commitOrder } from './commit-order.ts';

/**
 * The agent has ticked and committed: its commit is the record (R-DEL-5). What it left uncommitted goes into a commit of
 * ours, so that the tree is clean before the next task.
 */
export async function recordOfAgent(state: RunState, world: World, { key, attempt }: AttemptKey): Promise<RunEvent> {
  const { git, tree, spec, plan } = world;
  const { id, index } = plan.task(key);
  await noteLearned(state, world, key);
  const { head = state.tip } = await git.inspect(tree);
  const message = filledIn(world.commits.task, { spec: spec.name, task: id, index });
  const order = await commitOrder(state, world, { key, attempt, brought: undefined, message });
  const done = await makeCommit(world, order, { task: key, attempt });
  if (isUnmade(done))
    return notCommitted(done, blockedBy(done, { own: false, ownMessage: true }), { task: key, attempt, message });
  const ticked = world.spec.format.tick(plan.plan, { index, id });
  if (ticked.ok) plan.accept(ticked.plan);
  return {
    type: 'task-committed',
    task: key,
    attempt,
    commit: head,
    head: done.how === 'committed' ? done.commit : head,
  };
}

/** What it noted by a tool goes into the progress file, which is its own otherwise (R-AGT-9). */
async function noteLearned({ learned }: RunState, { files, spec }: World, key: string): Promise<void> {
  const added = learned.get(key) ?? [];
  if (added.length > 0)
    await files.write(spec.progressFile, addLearnings((await files.read(spec.progressFile)) ?? '', added));
}
