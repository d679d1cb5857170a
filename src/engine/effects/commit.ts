import type { Plan } from '../../core/plan/data/task.ts';
import { mergeTaskProgress } from '../../core/progress/merge.ts';
import type { Effect } from '../../core/run/data/effect.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import { progressOf, type RunState, taskOf } from '../../core/run/data/state.ts';
import { progressFileOf } from '../../core/run/lane-of.ts';
import { progressWithTask } from '../../core/run/record/progress-text.ts';
import { firstOf } from '../../core/text/first-of.ts';
import type { Fingerprint } from '../../core/verify/fingerprint.ts';
import type { Committed } from '../../ports/git.ts';
import { addedTo, editPlan, type PlanEdit } from '../attempt/edit-plan.ts';
import { foldAgentCommits } from '../attempt/fold-agent-commits.ts';
import { keptRef } from '../attempt/kept-ref.ts';
import { putLeftoversBack, takenOut } from '../attempt/leftovers.ts';
import { isUnmade, type Unmade } from '../attempt/make-commit.ts';
import { movedSince } from '../attempt/measure-work.ts';
import { type AfterHooks, planAfterHooks } from '../attempt/plan-after-hooks.ts';
import { pathsOfOthers } from '../attempt/shared-tree.ts';
import type { AttemptKey } from '../lane/attempt-key.ts';
import type { Proved } from '../lane/proofs.ts';
import { readIfText } from '../lane/read-if-text.ts';
import type { World } from '../lane/world.ts';
import { recordOfAgent } from './commit-of-agent.ts';
import { commitOrder } from './commit-order.ts';
import { MANGLED } from './commit-plan.ts';
import { commitRepaired } from './commit-repaired.ts';
import { discardPlace, integrate } from './integrate.ts';
import { undoCommit } from './undo-commit.ts';

const NAMED_MAX = 5;

/**
 * Records accepted work: tick, progress entry and commit, as one unit for recovery (R-ADV-1, R-ADV-2). The work of a batch's
 * member is brought into the user's tree first. Where the agent ticks and commits, its own commit is the record.
 */
export async function commit(
  { task: key, attempt }: Extract<Effect, { do: 'commit' }>,
  state: RunState,
  world: World,
): Promise<RunEvent> {
  const proved = world.proofs.of({ key, attempt });
  // What is recorded is what was proved (R-VER-13), in this process: after a crash it is proved again.
  if (proved === undefined) return { type: 'check-cancelled', task: key, attempt };
  const moved = world.lane.kind === 'worktree' ? [] : await movedInTree(state, world, { key, work: proved.work });
  if (moved.length > 0) return { type: 'check-cancelled', task: key, attempt, moved };
  return isRecordedByAgent(state, world, key)
    ? await recordOfAgent(state, world, { key, attempt })
    : await record(state, world, { key, attempt, proved });
}

/** What a member ticked and committed is in its worktree only, and a fix task is ours: there the coordinator does both. */
function isRecordedByAgent(state: RunState, { lane }: World, key: string): boolean {
  const { held } = progressOf(state, key);
  const { fixes } = taskOf(state, key);
  const isOurs = held !== undefined || fixes !== undefined || lane.kind === 'worktree';
  return state.policy.bookkeeping === 'agent' && !isOurs;
}

/** Brings the work where it is committed, writes plan and progress, commits all of it, and looks at what hooks made of it. */
async function record(
  state: RunState,
  world: World,
  { key, attempt, proved }: AttemptKey & { readonly proved: Proved },
): Promise<RunEvent> {
  const integration = await integrate(state, world, { key, attempt, isAccepted: true });
  if (!integration.ok) return integration.event;
  const { brought } = integration;
  const folded = await foldAgentCommits(state, world, { key, attempt, base: progressOf(state, key).base });
  const progress = await world.files.read(world.spec.progressFile);
  const ticked = await tickBox(state, world, key);
  await noteProgress(state, world, key);
  const order = await commitOrder(state, world, { key, attempt, brought });
  const { done, repaired } = await commitRepaired(state, world, { key, attempt, order, plan: ticked.plan });
  const undone = { key, attempt, message: order.message, progress, brought };
  if (isUnmade(done)) return await undoCommit(state, world, { ...undone, done });
  const after = await lookAfterHooks(state, world, { plan: ticked.plan, done, work: proved.work });
  if (!after.ok) {
    await world.git.unwind(world.tree, state.tip);
    return await undoCommit(state, world, { ...undone, ...after });
  }
  const exclude = [...state.foreign, ...proved.uncovered, ...(brought?.known ?? [])];
  const ref = `${keptRef(world.spec, { key, attempt })}-hooks`;
  const left = await putLeftoversBack(world, { ref, exclude });
  world.plan.accept(after.plan);
  await discardPlace(world, key);
  if (state.policy.isolation === 'shared') await world.files.remove(progressFileOf(state, key));
  const head = done.how === 'committed' ? done.commit : state.tip;
  return {
    type: 'task-committed',
    task: key,
    attempt,
    commit: head,
    head,
    ...addedTo(ticked),
    ...addedTo(after),
    ...left,
    ...integration.noted,
    ...folded,
    ...(repaired.length > 0 ? { repaired } : {}),
  };
}

/** A commit that was made, or had nothing in it, and what it should hold. */
interface Made {
  readonly plan: Plan;
  readonly done: Committed;
  readonly work: Fingerprint;
}

/** Hooks that let a commit pass may have changed it: they may format the plan, but not change the work (R-ADV-5, R-VER-13). */
async function lookAfterHooks(
  state: RunState,
  world: World,
  { plan, done, work }: Made,
): Promise<Extract<AfterHooks, { ok: true }> | { readonly ok: false; readonly done: Unmade; readonly isOwn: boolean }> {
  if (done.how !== 'committed') return { ok: true, plan };
  const after = await planAfterHooks(world, plan, done.commit);
  if (!after.ok) return { ok: false, done: MANGLED, isOwn: true };
  // Where others share the tree, or were recorded before, they may have made the same change.
  const recorded = { commit: done.commit, before: state.tip, work, isAlone: world.lane.kind !== 'worktree' };
  const lost = world.lane.kind === 'shared' ? [] : await takenOut(world, recorded);
  return lost.length === 0 ? after : { ok: false, done: withoutWork(lost), isOwn: false };
}

/** What of the proved work changed since; what others that share the tree may write is not looked at. */
async function movedInTree(
  state: RunState,
  world: World,
  { key, work }: { readonly key: string; readonly work: Fingerprint },
): Promise<readonly string[]> {
  const moved = await movedSince(world, work);
  const ofOthers = new Set(pathsOfOthers(state, world.lane, { key, paths: moved }));
  return moved.filter((path) => !ofOthers.has(path));
}

/** The commit was made, and a hook of the user's has kept these files of the task out of it. */
function withoutWork(paths: readonly string[]): Unmade {
  const named = firstOf(paths, NAMED_MAX);
  return { how: 'refused', by: 'work', output: `A commit hook took ${named} out of the commit, so it was undone.` };
}

/** Ticks the box in the file. */
async function tickBox(state: RunState, world: World, key: string): Promise<Extract<PlanEdit, { ok: true }>> {
  const { id } = world.plan.task(key);
  const ticked = await editPlan(world, state.batch?.members ?? [key], (plan) =>
    world.spec.format.tick(plan, { id, index: plan.tasks.findIndex((task) => task.key === key) }),
  );
  if (!ticked.ok) throw new Error(`The box of task ${id} can't be ticked: ${ticked.reason}`);
  await world.files.write(world.spec.format.file, ticked.plan.text);
  return ticked;
}

/**
 * The progress file with the task's entry; what a member that shares the tree wrote to its own file comes first, also in an
 * attempt that failed before this one (R-PAR-4).
 */
async function noteProgress(state: RunState, { files, spec }: World, key: string): Promise<void> {
  const before = await files.read(spec.progressFile);
  const merged =
    state.policy.isolation === 'shared'
      ? mergeTaskProgress(before, await readIfText(files, progressFileOf(state, key))).text
      : before;
  await files.write(spec.progressFile, progressWithTask(state, key, merged));
}
