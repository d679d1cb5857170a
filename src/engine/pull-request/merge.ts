import { markerCommand } from '../../core/plan/marker-command.ts';
import { written } from '../../core/pull-request/origin.ts';
import type { PullRequestStep } from '../../core/pull-request/step.ts';
import { mergeBlock } from '../../core/pull-request/task-text.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import { planPath } from '../lane/world.ts';
import { tasksThere } from './compare.ts';
import { addTasks } from './plan-findings.ts';
import type { StepEvent, StepScene } from './scene.ts';

/** Merges the base into a commit of its own, which is on no branch yet (R-PR-11). */
export async function merge(
  { base }: Extract<PullRequestStep, { step: 'merge' }>,
  { state, world, hosting: { remote } }: StepScene,
): Promise<StepEvent> {
  const theirs = await remote.fetch(base);
  if (theirs === undefined)
    return { type: 'forge-failed', trouble: 'gone', message: `The base ${base} is not on the remote any more.` };
  const { commit, conflicts } = await remote.merge(state.tip, theirs, `Merge ${remote.name}/${base}`);
  const isPlanInConflict = conflicts.includes(planPath(world));
  return { type: 'base-merged', base, theirs, commit, conflicts, ...(isPlanInConflict && { isPlanInConflict }) };
}

/**
 * Moves the branch to a merge, and plans the task that resolves its conflicts. The merge is in the journal before: it is not
 * pushed, and nothing else begins, until the task is in the plan.
 */
export async function adopt(
  { id, base, theirs, commit, conflicts }: Extract<PullRequestStep, { step: 'adopt' }>,
  scene: StepScene,
): Promise<StepEvent | Extract<RunEvent, { type: 'commit-blocked' }>> {
  const { world, hosting } = scene;
  const { git, tree } = world;
  const { head = '' } = await git.inspect(tree);
  if (!(await git.isAncestor(tree, commit, head))) {
    const moved = await hosting.remote.advance(commit);
    if (!moved.ok)
      return { type: 'branch-compared', relation: 'blocked', head: commit, output: world.redact(moved.output) };
  }
  const now = (await git.inspect(tree)).head ?? commit;
  const tasks = await tasksThere(world);
  if (conflicts.length === 0) return { type: 'tasks-planned', inserted: [], head: now, tasks };
  const { testCommand } = scene.state.policy;
  const block = mergeBlock({ id, base, commit: theirs, conflicts }, { verify: markerCommand(conflicts, testCommand) });
  const from = written({ kind: 'base', base, commit: theirs });
  const planned = await addTasks([{ id, from, block, plainBlock: block }], scene);
  return planned.type === 'tasks-planned' ? { tasks, ...planned } : planned;
}
