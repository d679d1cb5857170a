import type { RunState } from '../../core/run/state.ts';
import type { Plan } from '../../core/spec/task.ts';
import { readLeft } from '../read-left.ts';
import { specPath, type World } from '../world.ts';

export type PlanCommitted =
  | { readonly how: 'done'; readonly head: string }
  | { readonly how: 'refused'; readonly output: string };

export interface PlanOrder {
  readonly plan: Plan;
  readonly message: string;
  readonly trailers?: Readonly<Record<string, string>>;
}

/** Writes a plan that the coordinator changed, and commits it alone: whatever else is in the tree stays as it is. */
export async function commitPlan(
  { foreign, tip }: RunState,
  world: World,
  { plan, message, trailers = {} }: PlanOrder,
): Promise<PlanCommitted> {
  const { git, tree } = world;
  await writePlan(world, plan);
  const paths = [specPath(world, 'tasks.md'), specPath(world, '.progress.md')];
  const done = await git.commit(tree, { message, trailers, paths, spareIndex: foreign.length > 0 });
  if (done.how === 'refused') return done;
  world.plan.accept(plan);
  if (done.how === 'committed') return { how: 'done', head: done.commit };
  return { how: 'done', head: (await git.inspect(tree)).head ?? tip };
}

/** Writes `tasks.md` unless it holds the plan already. */
export async function writePlan({ files }: World, { text }: Plan): Promise<void> {
  if ((await readLeft(files, 'tasks.md')) !== text) await files.write('tasks.md', text);
}
