import type { Plan } from '../../core/plan/data/task.ts';
import { addLearnings, mergeTaskProgress } from '../../core/progress/merge.ts';
import type { Effect } from '../../core/run/data/effect.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import { progressOf, type RunState, taskOf } from '../../core/run/data/state.ts';
import { progressFileOf } from '../../core/run/lane-of.ts';
import { commitMessage, filledIn } from '../../core/run/record/commit-message.ts';
import { progressWithTask } from '../../core/run/record/progress-text.ts';
import { isBookkeeping } from '../../core/spec-files.ts';
import { firstOf } from '../../core/text/first-of.ts';
import type { Fingerprint } from '../../core/verify/fingerprint.ts';
import type { Committed } from '../../ports/git.ts';
import { addedTo, asItIs, editPlan, type PlanEdit } from '../attempt/edit-plan.ts';
import { foldAgentCommits } from '../attempt/fold-agent-commits.ts';
import { keptRef } from '../attempt/kept-ref.ts';
import { putLeftoversBack, takenOut } from '../attempt/leftovers.ts';
import { blocked, blockedBy, isUnmade, makeCommit, type Unmade } from '../attempt/make-commit.ts';
import { movedSince } from '../attempt/measure-work.ts';
import { type AfterHooks, planAfterHooks } from '../attempt/plan-after-hooks.ts';
import { pathsOfOthers } from '../attempt/shared-tree.ts';
import { readIfText } from '../lane/read-if-text.ts';
import { recordTrailers, type World } from '../lane/world.ts';
import { MANGLED, putBackProgress, writePlan } from './commit-plan.ts';
import { commitRepaired } from './commit-repaired.ts';
import { type Brought, booksOf, discardPlace, integrate, takeOut } from './integrate.ts';

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
  const { git, tree } = world;
  const { base, held } = progressOf(state, key);
  // What a member ticked and committed is in its worktree only; in the user's tree the coordinator does both.
  const isByAgent =
    state.policy.bookkeeping === 'agent' &&
    held === undefined &&
    taskOf(state, key).fixes === undefined &&
    world.lane.kind !== 'worktree';
  const proved = world.proofs.of({ key, attempt });
  // What is recorded is what was proved (R-VER-13), in this process: after a crash it is proved again.
  if (proved === undefined) return { type: 'check-cancelled', task: key, attempt };
  const moved = world.lane.kind === 'worktree' ? [] : await movedInTree(state, world, { key, work: proved.work });
  if (moved.length > 0) return { type: 'check-cancelled', task: key, attempt, moved };
  if (isByAgent) return await recordOfAgent(state, world, { key, attempt });
  const integration = await integrate(state, world, { key, attempt, isAccepted: true });
  if (!integration.ok) return integration.event;
  const folded = await foldAgentCommits(state, world, { key, attempt, base });
  const { brought } = integration;
  const progress = await world.files.read(world.spec.progressFile);
  const ticked = await tickBox(state, world, key);
  await noteProgress(state, world, key);
  const task = taskOf(state, key);
  const message = messageOf(state, world, key);
  const order = {
    message,
    trailers: recordTrailers(world.spec, { id: task.id, attempt }),
    ...(await whatToCommit(state, world, { key, attempt, brought })),
  };
  const { done, repaired } = await commitRepaired(state, world, { key, attempt, order, plan: ticked.plan });
  const undone = { key, attempt, message, progress, brought };
  if (isUnmade(done)) return await unmade(state, world, { ...undone, done });
  const after = await lookAfterHooks(state, world, { plan: ticked.plan, done, work: proved.work });
  if (!after.ok) {
    await git.unwind(tree, state.tip);
    return await unmade(state, world, { ...undone, ...after });
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

/** The message of the commit that records a task. */
export function messageOf(state: RunState, { spec, commits }: World, key: string): string {
  const task = taskOf(state, key);
  return commitMessage(task, {
    index: state.tasks.findIndex((one) => one.key === task.key),
    spec: spec.name,
    messages: commits,
  });
}

/** The commit was made, and a hook of the user's has kept these files of the task out of it. */
function withoutWork(paths: readonly string[]): Unmade {
  const named = firstOf(paths, NAMED_MAX);
  return { how: 'refused', by: 'work', output: `A commit hook took ${named} out of the commit, so it was undone.` };
}

interface Unrecorded {
  readonly key: string;
  readonly attempt: number;
  readonly done: Unmade;
  readonly message: string;
  /** The progress file as it was before. */
  readonly progress: string | undefined;
  readonly brought: Brought | undefined;
  /** Whether it is no matter of the work. */
  readonly isOwn?: boolean;
}

/**
 * A hook's words; what a member brought into the user's tree goes again, as its work is in its worktree. Where no agent can mend it,
 * accepted work stays, and plan and progress are as they were (R-ADV-5).
 */
export async function unmade(
  state: RunState,
  world: World,
  { key, attempt, done, message, progress, brought, isOwn = false }: Unrecorded,
): Promise<RunEvent> {
  const ownMessage = taskOf(state, key).commitKind === 'none';
  if (brought) {
    await takeOut(state, world, { key, attempt, paths: brought.paths });
    await world.progress.accept();
  } else await putBackProgress(world, progress);
  const cause = blockedBy(done, { own: isOwn, ownMessage });
  if (cause === undefined) return refused({ key, attempt }, done);
  await untickBox(state, world, key);
  return blocked(done, cause, { task: key, attempt, message });
}

function refused({ key, attempt }: { readonly key: string; readonly attempt: number }, done: Unmade): RunEvent {
  const output = 'output' in done ? done.output : '';
  return { type: 'commit-refused', task: key, attempt, cause: done.how === 'unfit' ? 'unfit' : 'work', output };
}

/** The plan as it is trusted, and what a person added to it. */
async function untickBox(state: RunState, world: World, key: string): Promise<void> {
  const unticked = await editPlan(world, state.batch?.members ?? [key], asItIs);
  if (unticked.ok) await writePlan(world, unticked.plan);
}

/**
 * The agent has ticked and committed: its commit is the record (R-DEL-5). What it left uncommitted goes into a commit of
 * ours, so that the tree is clean before the next task.
 */
async function recordOfAgent(
  state: RunState,
  world: World,
  { key, attempt }: { readonly key: string; readonly attempt: number },
): Promise<RunEvent> {
  const { git, tree, spec, plan } = world;
  const { id, index } = plan.task(key);
  await noteLearned(state, world, key);
  const { head = state.tip } = await git.inspect(tree);
  const message = filledIn(world.commits.task, { spec: spec.name, task: id, index });
  const order = {
    message,
    trailers: recordTrailers(spec, { id, attempt }),
    ...(await whatToCommit(state, world, { key, attempt, brought: undefined })),
  };
  const done = await makeCommit(world, order, { task: key, attempt });
  if (isUnmade(done)) {
    const cause = blockedBy(done, { own: false, ownMessage: true });
    return cause === undefined
      ? refused({ key, attempt }, done)
      : blocked(done, cause, { task: key, attempt, message });
  }
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

/** The work as it was proved, and the books; of work that was sent back before a crash, what is no one else's (R-VER-13). */
export async function whatToCommit(
  state: RunState,
  world: World,
  { key, attempt, brought }: { readonly key: string; readonly attempt: number; readonly brought: Brought | undefined },
): Promise<Omit<Parameters<World['git']['commit']>[1], 'message' | 'trailers'>> {
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
