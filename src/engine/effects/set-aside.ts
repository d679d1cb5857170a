import { planned } from '../../core/plan/data/planned-task.ts';
import type { Effect } from '../../core/run/data/effect.ts';
import type { EventOf, RunEvent } from '../../core/run/data/event.ts';
import { progressOf, type RunState } from '../../core/run/data/state.ts';
import { stateFileOf } from '../../core/spec-files.ts';
import { GitFault, type Snapshot } from '../../ports/git.ts';
import { commitsMeanwhile } from '../attempt/commits-meanwhile.ts';
import { keptRef } from '../attempt/kept-ref.ts';
import { baseIn, pathsToExclude } from '../attempt/shared-tree.ts';
import { undoInSubmodules } from '../attempt/submodules.ts';
import { unusedRef } from '../attempt/unused-ref.ts';
import type { AttemptKey } from '../lane/attempt-key.ts';
import { findPlace } from '../lane/member.ts';
import { readIfText } from '../lane/read-if-text.ts';
import { planPath, type World } from '../lane/world.ts';

/** An attempt, and the commit that it began at. */
type BasedAttempt = AttemptKey & { readonly base: string };

/** Keeps what a failed attempt left under a ref, then puts tree, branch, plan and state back (R-RETRY-4, R-VER-3). */
export async function setAside(
  { task: key, attempt, keepChanges }: Extract<Effect, { do: 'set-aside' }>,
  state: RunState,
  world: World,
): Promise<RunEvent> {
  const base = baseIn(world.lane, progressOf(state, key).base);
  const at = { key, attempt, base };
  if (world.lane.kind === 'worktree') return await setAsideMember(world, at);
  const { git, tree, plan, files, spec } = world;
  const { format } = spec;
  const putBack = await files.takeBack();
  const after = await readIfText(files, format.file);
  const {
    text,
    violations,
    additions,
    plan: accepted,
  } = format.reconcile(plan.plan, after, { own: state.batch?.members ?? [key], isAlone: true });
  const exclude = await pathsToExclude(state, key, world, base);
  const kept = await keep(exclude, world, at);
  const { branch, head } = await git.inspect(tree);
  // A crash before the plan is written must not lose what a person added to it.
  const order = { branch: state.branch, commit: base, exclude, unstage: [planPath(world)] };
  const mended = await world.progress.mend();
  const isUndone = !keepChanges || branch !== state.branch;
  const undone = isUndone ? await undoInSubmodules(world, at, keptRef(spec, at)) : [];
  if (isUndone) await git.restore(tree, order);
  else if (head !== base) await git.unwind(tree, base);
  const aside = { base, head: head ?? base, became: 'no longer on the branch', ref: kept?.ref ?? '' };
  const notes = kept ? await commitsMeanwhile(world, aside) : [];
  // The entry of a commit that was refused went with it.
  await world.progress.accept();
  plan.accept(accepted);
  if ((await readIfText(files, format.file)) !== text) await files.write(format.file, text);
  const stateTouched = await world.stateFile.isTouched();
  await world.stateFile.repair();
  return {
    type: 'work-set-aside',
    task: key,
    attempt,
    ...(kept ? { kept: { ref: kept.ref, treeId: kept.treeId, commit: kept.commit } } : {}),
    repaired: [
      ...undone,
      ...putBack,
      ...violations.map((what) => `${format.file}: ${what}`),
      ...(mended === undefined ? [] : [mended]),
      ...(stateTouched ? [`${stateFileOf(spec)}: put back`] : []),
      ...(kept?.unread ?? []).map((path) => `${path} belongs to another user and cannot be read, so it is not kept`),
      ...(branch === state.branch ? [] : [`${spec.name}: back on ${state.branch}`]),
    ],
    ...(notes.length > 0 ? { notes } : {}),
    ...(additions.length > 0 ? { tasks: accepted.tasks.map((task) => planned(task, world.workdir)) } : {}),
  };
}

/** A member's work is kept, also where it has made its worktree unreadable for git, and its worktree goes. */
export async function setAsideMember(world: World, at: BasedAttempt): Promise<EventOf<'work-set-aside'>> {
  const place = await findPlace(world, at.key);
  const kept = place ? await keep([], place, at).catch(unreadable(world)) : 'unreadable';
  const rest = kept === 'unreadable' ? await world.workspaces.salvage(at.key) : kept;
  await world.workspaces.close(at.key);
  return {
    type: 'work-set-aside',
    task: at.key,
    attempt: at.attempt,
    ...(rest ? { kept: { ref: rest.ref, treeId: rest.treeId, commit: rest.commit } } : {}),
    repaired: [],
  };
}

/** Tells a worktree that git cannot read from what a run cannot go on after. What ends everything ends git, too. */
export function unreadable({ lane, signal }: Pick<World, 'lane' | 'signal'>): (error: unknown) => 'unreadable' {
  return (error) => {
    if (lane.kind === 'worktree' && error instanceof GitFault && error.kind === 'other' && !signal.aborted)
      return 'unreadable';
    throw error;
  };
}

/** Keeps what is in the tree, without the paths of `exclude`, under a ref. */
export async function keep(
  exclude: readonly string[],
  world: World,
  at: BasedAttempt,
): Promise<(Snapshot & { readonly ref: string }) | undefined> {
  const { git, tree, spec } = world;
  const ref = await unusedRef(world, keptRef(spec, at));
  const snapshot = await git.snapshot(tree, {
    ref,
    base: at.base,
    message: `specloop: work of task ${at.key}, attempt ${at.attempt}, set aside`,
    exclude,
  });
  return snapshot ? { ...snapshot, ref } : undefined;
}
