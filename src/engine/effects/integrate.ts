import { mergeLearnings } from '../../core/progress/merge.ts';
import { worksApart } from '../../core/run/batch.ts';
import type { RunEvent } from '../../core/run/event.ts';
import { progressOf, type RunState } from '../../core/run/state.ts';
import { verifyCommands } from '../../core/run/verify-commands.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { asItIs, editPlan } from '../edit-plan.ts';
import { readLeft } from '../read-left.ts';
import { runVerify } from '../verify.ts';
import { specPath, type World } from '../world.ts';
import { writePlan } from './commit-plan.ts';
import { keep } from './set-aside.ts';

interface Attempt {
  readonly key: string;
  readonly attempt: number;
}

/** What was brought into the user's tree, or the event that tells why that failed, the tree then being as it was. */
export type Integration =
  | {
      readonly ok: true;
      /** The paths that changed; absent for a task that works in the user's tree anyway. */
      readonly paths?: readonly string[];
    }
  | { readonly ok: false; readonly event: RunEvent };

/**
 * Brings the work of a batch's member onto the run's branch, uncommitted (R-PAR-3): it is applied to the branch tip, and
 * proven there once more when it was accepted and a neighbour was recorded before it. What a person changed in the tree
 * meanwhile stays.
 */
export async function integrate(
  state: RunState,
  world: World,
  at: Attempt & { readonly isAccepted: boolean },
): Promise<Integration> {
  if (!worksApart(state, at.key)) return { ok: true };
  const { git, tree } = world;
  const { base } = progressOf(state, at.key);
  const place = await world.workspaces.find(at.key);
  if (place === undefined) throw new Error(`The worktree of task ${at.key} is gone.`);
  const [work, { head: tip = state.tip, changes }] = await Promise.all([
    git.squash(place.tree, {
      base,
      message: `specloop: work of task ${at.key}`,
      spare: [specPath(world, 'tasks.md'), specPath(world, '.progress.md')],
    }),
    git.inspect(tree),
  ]);
  const applied = work ? await git.apply(tree, work) : ({ how: 'applied' } as const);
  if (applied.how === 'conflict')
    return {
      ok: false,
      event: { type: 'merge-conflicted', task: at.key, attempt: at.attempt, paths: applied.paths },
    };
  const rejection = tip !== base && at.isAccepted ? await proveMerged(state, world, at) : undefined;
  const before = new Set(changes.map(({ path }) => path));
  const paths = (await git.inspect(tree)).changes.map(({ path }) => path).filter((path) => !before.has(path));
  if (rejection) {
    await takeOut(state, world, { ...at, paths });
    return { ok: false, event: rejection };
  }
  await takeLearnings(world, place, base);
  return { ok: true, paths };
}

/**
 * What a crash left of an integration is taken out of the user's tree before the run goes on: the work is in its worktree
 * still. Nothing else may be under way. `recorded` is the task whose commit came to be all the same.
 */
export async function undoIntegration(state: RunState, world: World, recorded: string | undefined): Promise<void> {
  for (const [key, { at, attempt, base }] of state.progress) {
    if ((at !== 'COMMITTING' && at !== 'HOLDING') || key === recorded || !worksApart(state, key)) continue;
    const place = await world.workspaces.find(key);
    if (place) await takeOut(state, world, { key, attempt, paths: await world.git.changedSince(place.tree, base) });
  }
}

/**
 * Takes out of the user's tree what an integration brought there, its tick included; all else stays as it is. It is kept
 * under a ref first: a person may have worked on it.
 */
export async function takeOut(
  state: RunState,
  world: World,
  { paths, ...at }: Attempt & { readonly paths: readonly string[] },
): Promise<void> {
  const { git, tree } = world;
  const { head = state.tip, changes } = await git.inspect(tree);
  const ours = new Set([...paths, specPath(world, '.progress.md')]);
  ours.delete(specPath(world, 'tasks.md'));
  const changed = changes.map(({ path }) => path);
  if (changed.some((path) => ours.has(path))) {
    const spare = changed.filter((path) => !ours.has(path));
    await keep(spare, world, { ...at, base: head });
    await git.restore(tree, { branch: state.branch, commit: head, spare });
  }
  const unticked = await editPlan(world, state.batch?.members ?? [], asItIs);
  if (unticked.ok) await writePlan(world, unticked.plan);
}

/** Removes what a recorded member no longer needs. */
export async function discardPlace(state: RunState, world: World, key: string): Promise<void> {
  if (worksApart(state, key)) await world.workspaces.close(key);
}

async function proveMerged(state: RunState, world: World, { key, attempt }: Attempt): Promise<RunEvent | undefined> {
  for (const command of verifyCommands(state, key)) {
    const run = await runVerify(world, { key, command, attempt });
    if (run === 'cancelled') return { type: 'check-cancelled', task: key, attempt };
    if (run.how !== 'exited' || run.exitCode !== 0)
      return { type: 'merge-rejected', task: key, attempt, command, output: run.output };
  }
  return undefined;
}

/** What the agent learned in its own copy of the progress file comes along (R-PAR-4). */
async function takeLearnings(world: World, place: Workspace, base: string): Promise<void> {
  const theirs = await readLeft(place.files, '.progress.md');
  const ours = await world.files.read('.progress.md');
  const before = await world.git.fileAt(world.tree, base, specPath(world, '.progress.md'));
  const merged = mergeLearnings(before, theirs, ours);
  if (merged !== (ours ?? '')) await world.files.write('.progress.md', merged);
}
