import type { PlannedTask } from '../../core/plan/data/planned-task.ts';
import { isSamePlan } from '../../core/plan/data/same-plan.ts';
import type { Plan } from '../../core/plan/data/task.ts';
import type { BlockedBy } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { keptRef } from '../attempt/kept-ref.ts';
import { leftoverNotes } from '../attempt/leftovers.ts';
import { blockedBy, isUnmade, makeOwnCommit, type Unmade } from '../attempt/make-commit.ts';
import { planAfterHooks } from '../attempt/plan-after-hooks.ts';
import { readIfText } from '../lane/read-if-text.ts';
import { planPath, progressPath, type World } from '../lane/world.ts';

export type PlanCommitted =
  /**
   * `plan` is what hooks made of its form, `tasks` its tasks where they read differently then; `notes` tell what hooks
   * left in the tree.
   */
  | {
      readonly how: 'done';
      readonly head: string;
      readonly plan: Plan;
      readonly tasks?: readonly PlannedTask[];
      readonly notes: readonly string[];
    }
  /** Plan and progress file are as they were before. */
  | { readonly how: 'blocked'; readonly done: Unmade; readonly cause: BlockedBy };

export interface PlanOrder {
  readonly plan: Plan;
  /** Text of the progress file, if it changes too. */
  readonly progress?: string;
  readonly message: string;
  /** Other files that the coordinator wrote, by path in the repository. */
  readonly others?: readonly string[];
  readonly trailers?: Readonly<Record<string, string>>;
}

/** Writes a plan that the coordinator changed, and commits it alone: whatever else is in the tree stays as it is. */
export async function commitPlan(
  { foreign, tip, batch, policy }: RunState,
  world: World,
  { plan, progress, message, others = [], trailers = {} }: PlanOrder,
): Promise<PlanCommitted> {
  const { git, tree, files, spec } = world;
  const found = await readIfText(files, spec.format.file);
  // What lies there may be this very change, of a process that was killed: it is no one's until it is committed.
  const isHalfMade = found === plan.text;
  const before = { plan: isHalfMade ? world.plan.plan.text : found, progress: await files.read(spec.progressFile) };
  const { head = tip, changes } = await git.inspect(tree);
  await writePlan(world, plan);
  if (progress !== undefined) await files.write(spec.progressFile, progress);
  const paths = [planPath(world), progressPath(world), ...others];
  const done = await makeOwnCommit(world, { message, trailers, paths, keepsStaged: foreign.length > 0 });
  if (isUnmade(done)) {
    await putBack(world, before, plan);
    return { how: 'blocked', done, cause: blockedBy(done, { own: true, ownMessage: true }) ?? 'own' };
  }
  const after =
    done.how === 'committed' ? await planAfterHooks(world, plan, done.commit) : ({ ok: true, plan } as const);
  if (!after.ok) {
    await git.unwind(tree, head);
    await putBack(world, before, plan);
    return { how: 'blocked', done: MANGLED, cause: 'own' };
  }
  world.plan.accept(after.plan);
  const order = {
    ref: `${keptRef(world.spec, { key: 'plan', attempt: 1 })}-hooks`,
    exclude: changes.map(({ path }) => path),
  };
  // With other members at work in the same tree, a hook's leftovers cannot be told from their work.
  const isAlone = batch === undefined || policy.isolation === 'worktree';
  const notes = done.how === 'committed' && isAlone ? await leftoverNotes(world, order) : [];
  return {
    how: 'done',
    head: done.how === 'committed' ? done.commit : head,
    plan: after.plan,
    ...tasksOf(after),
    notes,
  };
}

/** Where a hook changed more of the plan than its form. */
export const MANGLED: Unmade = {
  how: 'refused',
  by: 'work',
  output: 'The hook changed the plan in more than its form: tasks, ticks, Verify commands or Commit lines differ.',
};

function tasksOf({ tasks }: { readonly tasks?: readonly PlannedTask[] }): { readonly tasks?: readonly PlannedTask[] } {
  return tasks ? { tasks } : {};
}

/** What a person made of the plan in the meantime stays. */
async function putBack(
  world: World,
  before: { readonly plan: string | undefined; readonly progress: string | undefined },
  plan: Plan,
): Promise<void> {
  const { files, plan: trusted, spec } = world;
  const now = await readIfText(files, spec.format.file);
  const isOurs = now === plan.text || (now !== undefined && isSamePlan(trusted.read(now), plan));
  if (isOurs && before.plan !== undefined) await files.write(spec.format.file, before.plan);
  await putBackProgress(world, before.progress);
}

/** The progress file as it was before a commit that was not made. */
export async function putBackProgress(
  { files, spec }: Pick<World, 'files' | 'spec'>,
  before: string | undefined,
): Promise<void> {
  const now = await readIfText(files, spec.progressFile);
  if (now === before) return;
  if (before === undefined) await files.remove(spec.progressFile);
  else await files.write(spec.progressFile, before);
}

/** Writes the plan's file unless it holds the plan already. */
export async function writePlan({ files, spec }: World, { text }: Plan): Promise<void> {
  if ((await readIfText(files, spec.format.file)) !== text) await files.write(spec.format.file, text);
}
