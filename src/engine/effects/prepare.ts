import type { PlannedTask } from '../../core/plan/data/planned-task.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { filledIn } from '../../core/run/record/commit-message.ts';
import { untouchedPaths } from '../../core/run/start/users-paths.ts';
import { isOfSpec } from '../../core/spec-files.ts';
import { counted } from '../../core/text/words.ts';
import { UserError } from '../../core/user-error.ts';
import { blocked, blockedBy, isUnmade, makeOwnCommit } from '../attempt/make-commit.ts';
import { planAfterHooks } from '../attempt/plan-after-hooks.ts';
import { planPath, type World } from '../lane/world.ts';
import { MANGLED } from './commit-plan.ts';

/** Brings about what a run needs before its first task: ignore entries, a branch, the spec in a commit (R-FILE-8, R-START-2, R-START-6). */
export async function prepare(state: RunState, world: World): Promise<RunEvent> {
  const { policy } = state;
  const { git, tree, spec } = world;
  const notes: string[] = [];
  const kept = await world.workspaces.prune();
  if (kept.length > 0) notes.push(`Kept the work in worktrees of an earlier run: ${kept.join(', ')}`);
  const ignored = await world.ignorePrivateFiles();
  if (ignored.length > 0) notes.push(`Added to .git/info/exclude: ${ignored.join(', ')}`);
  if (world.newBranch !== undefined) {
    await git.switchToNewBranch(tree, world.newBranch);
    notes.push(`Working on the new branch ${world.newBranch}.`);
  }
  let tasks: readonly PlannedTask[] | undefined;
  let now = await git.inspect(tree);
  const paths = now.changes.map(({ path }) => path);
  const inSpec = paths.filter((path) => isOfSpec(path, spec));
  if (policy.commitSpec && inSpec.length > 0) {
    const message = filledIn(world.commits.spec, { spec: spec.name });
    const order = { message, trailers: {}, paths: inSpec, keepsStaged: inSpec.length < paths.length };
    const done = await makeOwnCommit(world, order);
    if (isUnmade(done)) return blocked(done, blockedBy(done, { own: true, ownMessage: true }) ?? 'own', { message });
    if (done.how === 'committed') {
      const after = await planAfterHooks(world, world.plan.plan, done.commit);
      if (!after.ok) {
        if (now.head !== undefined) await git.unwind(tree, now.head);
        return blocked(MANGLED, 'own', { message });
      }
      world.plan.accept(after.plan);
      tasks = after.tasks;
      notes.push(`Committed the spec: ${counted(inSpec.length, 'file')}.`);
      now = await git.inspect(tree);
    }
  }
  const { head, branch, changes } = now;
  if (head === undefined || branch === undefined)
    throw new UserError(
      'The repository has no commit to start from.',
      'Make a first commit, then run the command again.',
    );
  const foreign = untouchedPaths(
    changes.map(({ path }) => path),
    spec,
    state.tasks,
  );
  const byHand = await tickedByHand(state, world);
  return {
    type: 'run-prepared',
    branch,
    head,
    foreign,
    notes,
    ...(tasks && { tasks }),
    ...(byHand.length > 0 && { byHand }),
  };
}

/** Ticked tasks that no commit made by specloop records: a person ticked them, another tool, or someone who wants it to look so (R-FILE-7). */
async function tickedByHand({ tasks, policy }: RunState, world: World): Promise<readonly string[]> {
  const ticked = tasks.filter(({ checked, step }) => checked && step === undefined);
  // An agent that keeps the books makes the commit itself.
  if (ticked.length === 0 || policy.bookkeeping === 'agent') return [];
  const query = { trailer: 'Specloop-Task', path: planPath(world) };
  const recorded = await world.git.trailerValues(world.tree, query);
  return recorded === undefined ? [] : ticked.flatMap(({ key, id }) => (recorded.has(id) ? [] : [key]));
}
