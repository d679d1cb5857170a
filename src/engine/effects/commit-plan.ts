import type { RunState } from '../../core/run/state.ts';
import type { Plan } from '../../core/spec/task.ts';
import { specPath, type World } from '../world.ts';

export type PlanCommitted =
  | { readonly how: 'done'; readonly head: string }
  | { readonly how: 'refused'; readonly output: string };

/** Writes a plan that the coordinator changed, and commits it alone: whatever else is in the tree stays as it is. */
export async function commitPlan(
  { foreign, tip }: RunState,
  world: World,
  {
    plan,
    message,
    trailers = {},
  }: { readonly plan: Plan; readonly message: string; readonly trailers?: Readonly<Record<string, string>> },
): Promise<PlanCommitted> {
  const { files, git, tree } = world;
  if ((await files.read('tasks.md')) !== plan.text) await files.write('tasks.md', plan.text);
  const paths = [specPath(world, 'tasks.md'), specPath(world, '.progress.md')];
  const done = await git.commit(tree, { message, trailers, paths, spareIndex: foreign.length > 0 });
  if (done.how === 'refused') return done;
  world.plan.accept(plan);
  if (done.how === 'committed') return { how: 'done', head: done.commit };
  return { how: 'done', head: (await git.inspect(tree)).head ?? tip };
}
