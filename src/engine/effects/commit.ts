import { mergeTaskProgress } from '../../core/progress/merge.ts';
import { worksApart } from '../../core/run/batch.ts';
import { commitMessage } from '../../core/run/commit-message.ts';
import type { Effect } from '../../core/run/effect.ts';
import type { Noted, RunEvent } from '../../core/run/event.ts';
import { progressWithTask } from '../../core/run/progress-text.ts';
import { followerOf } from '../../core/run/review.ts';
import { progressOf, type RunState, taskOf } from '../../core/run/state.ts';
import { tick } from '../../core/spec/edit.ts';
import type { Fingerprint } from '../../core/verify/fingerprint.ts';
import type { Committed } from '../../ports/git.ts';
import { commitsMeanwhile } from '../commits-meanwhile.ts';
import { addedTo, editPlan, type PlanEdit } from '../edit-plan.ts';
import { keptRef } from '../kept-ref.ts';
import { movedSince } from '../measure-work.ts';
import { progressFileOf } from '../member.ts';
import { readLeft } from '../read-left.ts';
import { baseInTree, notOf, sharesTree } from '../shared-tree.ts';
import { isSpecFile, recordTrailers, type World } from '../world.ts';
import { allPaths, type Brought, booksOf, discardPlace, integrate, takeOut } from './integrate.ts';
import { putLeftoversBack } from './leftovers.ts';

/** Records accepted work: tick, progress entry and commit, as one unit for recovery (R-ADV-1, R-ADV-2). */
export async function commit(
  { task: key, attempt }: Extract<Effect, { do: 'commit' }>,
  state: RunState,
  world: World,
): Promise<RunEvent> {
  const { git, tree } = world;
  const { base, held } = progressOf(state, key);
  // What a member ticked and committed is in its own worktree; in the user's tree that falls to us.
  const isOfAgent =
    state.policy.bookkeeping === 'agent' &&
    held === undefined &&
    taskOf(state, key).fixes === undefined &&
    !worksApart(state, key);
  const proved = world.proofs.of({ key, attempt });
  // What is recorded is what was proved (R-VER-13), in this process: after a crash it is proved again.
  if (proved === undefined) return { type: 'check-cancelled', task: key, attempt };
  const moved = worksApart(state, key) ? [] : await movedInTree(state, world, { key, work: proved.work });
  if (moved.length > 0) return { type: 'check-cancelled', task: key, attempt, moved };
  if (isOfAgent) return await recordOfAgent(state, world, { key, attempt });
  await world.watch.settle(state.branch);
  const integration = await integrate(state, world, { key, attempt, isAccepted: true });
  if (!integration.ok) return integration.event;
  const folded = await foldAgentCommits(state, world, { key, attempt, base });
  const ticked = await tickBox(state, world, key);
  await noteProgress(state, world, key);
  const { brought } = integration;
  const task = taskOf(state, key);
  const index = state.tasks.indexOf(task);
  const done: Committed = await git.commit(tree, {
    message: commitMessage(task, index),
    trailers: recordTrailers(world.spec, { id: task.id, attempt }),
    ...(await whatToCommit(state, world, { key, attempt, brought })),
  });
  if (isUnmade(done)) return await unmade(state, world, { key, attempt, done, brought });
  const spare = [...state.foreign, ...proved.uncovered, ...(brought?.known ?? [])];
  const ref = `${keptRef(world.spec, { key, attempt })}-hooks`;
  // Beside other members at work nothing tells a hook's leftovers from their work.
  const left = sharesTree(state, key) ? {} : await putLeftoversBack(world, { ref, spare });
  world.plan.accept(ticked.plan);
  if (followerOf(state, key) !== undefined) world.memberWork.lookAhead(world);
  discardPlace(state, world, key);
  if (state.policy.isolation === 'shared') await world.files.remove(progressFileOf(state, key));
  const head = done.how === 'committed' ? done.commit : state.tip;
  return { type: 'task-committed', task: key, attempt, commit: head, head, ...addedTo(ticked), ...left, ...folded };
}

/** What of the proved work changed since; what others that share the tree may write is not looked at. */
async function movedInTree(
  state: RunState,
  world: World,
  { key, work }: { readonly key: string; readonly work: Fingerprint },
): Promise<readonly string[]> {
  const moved = await movedSince(world, work);
  const strange = new Set(notOf(state, key, moved));
  return moved.filter((path) => !strange.has(path));
}

type Unmade = Extract<Committed, { readonly how: 'refused' | 'overlooked' }>;

interface Unrecorded {
  readonly key: string;
  readonly attempt: number;
  readonly done: Unmade;
  readonly brought: Brought | undefined;
}

/** Whether a commit was not made although there was something to commit. */
export function isUnmade(done: Committed): done is Unmade {
  return done.how === 'refused' || done.how === 'overlooked';
}

/**
 * A hook's words; what a member brought into the user's tree goes again, as its work is in its worktree. Where git sees
 * less in the user's tree than it saw there, the member's task is done again in the user's.
 */
export async function unmade(
  state: RunState,
  world: World,
  { key, attempt, done, brought }: Unrecorded,
): Promise<RunEvent> {
  if (brought) await takeOut(state, world, { key, attempt, paths: await allPaths(brought) });
  if (done.how === 'overlooked') return { type: 'merge-conflicted', task: key, attempt, paths: done.paths };
  return { type: 'commit-refused', task: key, attempt, output: done.output };
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
  const { head = state.tip } = await git.inspect(tree);
  const done = await git.commit(tree, {
    message: `chore(spec): update progress for task ${index}`,
    trailers: recordTrailers(spec, { id, attempt }),
    ...(await whatToCommit(state, world, { key, attempt, brought: undefined })),
  });
  if (done.how === 'refused') return { type: 'commit-refused', task: key, attempt, output: done.output };
  const ticked = tick(plan.plan, { index, id });
  if (ticked.ok) plan.accept(ticked.plan);
  return {
    type: 'task-committed',
    task: key,
    attempt,
    commit: head,
    head: done.how === 'committed' ? done.commit : head,
  };
}

/**
 * Commits that were made during the attempt become part of the task's commit; a ref keeps them (R-DEL-5). Resolves with
 * what a person should know of that.
 */
export async function foldAgentCommits(
  state: RunState,
  { git, tree, spec, redact }: World,
  at: { readonly key: string; readonly attempt: number; readonly base: string },
): Promise<Noted> {
  if (worksApart(state, at.key)) return {};
  const base = baseInTree(state, at.key, at.base);
  const head = await git.readRef(`refs/heads/${state.branch}`);
  if (head === undefined || head === base) return {};
  const ref = `${keptRef(spec, at)}-commits`;
  const notes = await commitsMeanwhile({ git, tree, redact }, { base, head, became: 'part of its commit', ref });
  await git.setRef(ref, head);
  await git.unwind(tree, base);
  return { notes };
}

/** Ticks the box in the file. */
async function tickBox(state: RunState, world: World, key: string): Promise<Extract<PlanEdit, { ok: true }>> {
  const { id } = world.plan.task(key);
  const ticked = await editPlan(world, state.batch?.members ?? [key], (plan) =>
    tick(plan, { id, index: plan.tasks.findIndex((task) => task.key === key) }),
  );
  if (!ticked.ok) throw new Error(`The box of task ${id} can't be ticked: ${ticked.reason}`);
  await world.files.write('tasks.md', ticked.plan.text);
  return ticked;
}

/**
 * The progress file with the task's entry; what a member that shares the tree wrote beside it comes first, also in an
 * attempt that failed before this one (R-PAR-4).
 */
async function noteProgress(state: RunState, { files }: World, key: string): Promise<void> {
  const before = await files.read('.progress.md');
  const merged =
    state.policy.isolation === 'shared'
      ? mergeTaskProgress(before, await readLeft(files, progressFileOf(state, key))).text
      : before;
  await files.write('.progress.md', progressWithTask(state, key, merged));
}

/** The work as it was proved, and the books; of work that was sent back before a crash, what is no one else's (R-VER-13). */
export async function whatToCommit(
  state: RunState,
  world: World,
  { key, attempt, brought }: { readonly key: string; readonly attempt: number; readonly brought: Brought | undefined },
): Promise<Omit<Parameters<World['git']['commit']>[1], 'message' | 'trailers'>> {
  if (brought) {
    const { known: _known, ...order } = brought;
    return { ...order, paths: [...brought.paths, ...booksOf(world)], spareIndex: true };
  }
  // Beside other members at work, what is no one's by its Files belongs to the last of them, which is known only now.
  const proved = sharesTree(state, key) ? undefined : world.proofs.of({ key, attempt });
  const spareIndex = state.foreign.length > 0 || sharesTree(state, key);
  if (proved) return { paths: [...proved.work.keys(), ...booksOf(world)], spareIndex };
  const { changes, staged } = await world.git.inspect(world.tree);
  const paths = changes.map(({ path }) => path);
  const strange = new Set(notOf(state, key, paths));
  const look = Promise.resolve({ paths: [], staged });
  return { paths: paths.filter((path) => isSpecFile(world, path) || !strange.has(path)), spareIndex, look };
}
