import type { PlannedTask } from '../../core/plan/data/planned-task.ts';
import { planned } from '../../core/plan/data/planned-task.ts';
import { readPlanText } from '../lane/plan-text.ts';
import type { World } from '../lane/world.ts';
import type { StepEvent, StepScene } from './scene.ts';

/** Takes in what others pushed to the branch, unless they rewrote it (R-PR-11). */
export async function compare({ state, world, hosting: { remote } }: StepScene): Promise<StepEvent> {
  const { branch, tip } = state;
  const { git, tree } = world;
  const pushed = state.pullRequest?.pushed;
  const theirs = await remote.fetch(branch);
  const event = { type: 'branch-compared' } as const;
  if (theirs === undefined) return { ...event, relation: 'gone', head: tip };
  if (theirs === pushed || theirs === tip) return { ...event, relation: 'same', head: theirs };
  if (await git.isAncestor(tree, tip, theirs)) return await advanceTo(theirs, 'ahead', { world, remote });
  if (pushed !== undefined && !(await git.isAncestor(tree, pushed, theirs)))
    return { ...event, relation: 'rewritten', head: theirs };
  const { commit, conflicts } = await remote.merge(tip, theirs, `Merge ${remote.name}/${branch}`);
  if (conflicts.length > 0)
    return { ...event, relation: 'blocked', head: theirs, output: `Conflicts in ${conflicts.join(', ')}.` };
  return await advanceTo(commit, 'merged', { world, remote });
}

/** Moves branch and tree there, and reads the plan that is there then: what a person changed in it holds. */
async function advanceTo(
  commit: string,
  relation: 'ahead' | 'merged',
  { world, remote }: { readonly world: World } & Pick<StepScene['hosting'], 'remote'>,
): Promise<StepEvent> {
  const moved = await remote.advance(commit);
  if (!moved.ok)
    return { type: 'branch-compared', relation: 'blocked', head: commit, output: world.redact(moved.output) };
  return { type: 'branch-compared', relation, head: commit, tasks: await tasksThere(world) };
}

/** The tasks of the plan as it is in the tree now, which is trusted from here on. */
export async function tasksThere({ files, spec, plan, workdir }: World): Promise<readonly PlannedTask[]> {
  const there = readPlanText(spec.format, await files.read(spec.format.file));
  plan.accept(there);
  return there.tasks.map((task) => planned(task, workdir));
}
