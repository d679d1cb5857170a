import { mergeLearnings } from '../../core/progress/merge.ts';
import type { Noted, RunEvent } from '../../core/run/data/event.ts';
import { progressOf, type RunState } from '../../core/run/data/state.ts';
import { isInTree } from '../../core/run/lane-of.ts';
import { verifyCommands } from '../../core/run/verify-commands.ts';
import { StuckError } from '../../core/user-error.ts';
import { proofFailures } from '../../core/verify/proof.ts';
import type { Applied, Inspection, Work } from '../../ports/git.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { commitsBelow } from '../attempt/commits-meanwhile.ts';
import { asItIs, editPlan } from '../attempt/edit-plan.ts';
import { movedSince } from '../attempt/measure-work.ts';
import { prove } from '../attempt/prove.ts';
import type { AttemptKey } from '../lane/attempt-key.ts';
import { readIfText } from '../lane/read-if-text.ts';
import { planPath, progressPath, type World } from '../lane/world.ts';
import { writePlan } from './commit-plan.ts';
import { keep, unreadable } from './set-aside.ts';

/** The record of the last integration: whose, and the paths that it changes. */
const INTEGRATION = 'integration.json';

/** A member's work in the user's tree, as it is to be committed there. */
export interface Brought {
  readonly paths: readonly string[];
  readonly asStaged?: readonly string[];
  /** Paths that were changed in the tree before: a person's. */
  readonly known: readonly string[];
}

/** What was brought into the user's tree, or the event that says why that failed; the tree is as it was then. */
export type Integration =
  /** Nothing is brought for a task that works in the user's tree anyway. */
  | { readonly ok: true; readonly brought?: Brought; readonly noted: Noted }
  | { readonly ok: false; readonly event: RunEvent };

/**
 * Brings the work of a batch's member onto the run's branch, uncommitted (R-PAR-3): it is applied to the branch tip, and
 * proven there once more when it was accepted and a neighbour was recorded before it. What a person changed in the tree
 * in the meantime stays.
 */
export async function integrate(
  state: RunState,
  world: World,
  at: AttemptKey & { readonly isAccepted: boolean },
): Promise<Integration> {
  if (world.lane.kind !== 'worktree') return { ok: true, noted: {} };
  const { git, tree } = world;
  const about = { task: at.key, attempt: at.attempt };
  await world.watch.settle();
  const before = await git.inspect(tree);
  await expectBranch(state, world, before);
  const found = await findWork(state, world, at.key).catch(unreadable(world));
  if (found === undefined || found === 'unreadable') return { ok: false, event: { type: 'work-lost', ...about } };
  const moved = at.isAccepted ? await movedInPlace(world, at, found) : [];
  if (moved === undefined || moved.length > 0)
    return { ok: false, event: { type: 'check-cancelled', ...about, ...(moved && { moved }) } };
  const applied = await applyWork(world, at, found);
  if (applied.how === 'conflict')
    return { ok: false, event: { type: 'merge-conflicted', ...about, paths: applied.paths } };
  const { base } = progressOf(state, at.key);
  const paths = found.work?.paths ?? [];
  const isOvertaken = before.head !== base && at.isAccepted;
  const rejection = isOvertaken ? await proveMerged(state, world, { ...at, before, paths }) : undefined;
  if (rejection) {
    await takeOut(state, world, { ...at, paths });
    return { ok: false, event: rejection };
  }
  await takeLearnings(world, found.place, base);
  const known = before.changes.map(({ path }) => path);
  const brought = { paths, known, ...(applied.submodules && { asStaged: applied.submodules }) };
  return { ok: true, brought, noted: await commitsBelow(state, world, before.head) };
}

/** Applies the work of a member to the user's tree; the paths are written down first, for when that is cut off. */
async function applyWork(
  { git, tree, folder }: World,
  at: AttemptKey & { readonly isAccepted: boolean },
  { place, work }: FoundWork,
): Promise<Applied> {
  if (work === undefined) return { how: 'applied' };
  // The commit of a submodule that was made in a worktree goes with it: such work is done again in the user's tree.
  const submodules = await git.submodules(place.tree);
  const inSubmodules = work.paths.filter((path) => submodules.includes(path));
  if (inSubmodules.length > 0) return { how: 'conflict', paths: inSubmodules };
  await folder.writeRecord(INTEGRATION, JSON.stringify({ ...at, paths: work.paths }));
  return await git.apply(tree, work.commit, work.paths);
}

/** A member's worktree, and the work in it; none if nothing was changed. */
interface FoundWork {
  readonly place: Workspace;
  readonly work: Work | undefined;
}

/** `undefined` if the worktree is gone. */
async function findWork(state: RunState, world: World, key: string): Promise<FoundWork | undefined> {
  const place = await world.workspaces.find(key);
  if (place === undefined) return undefined;
  const { attempt, base } = progressOf(state, key);
  const uncovered = world.proofs.of({ key, attempt })?.uncovered ?? [];
  return { place, work: await world.git.workSince(place.tree, { base, exclude: [...booksOf(world), ...uncovered] }) };
}

/** The files in which a record is kept. */
export function booksOf(world: World): readonly string[] {
  return [planPath(world), progressPath(world)];
}

/**
 * Members are recorded on the run's branch and on top of what is recorded, or not at all (R-VER-3): while they worked
 * elsewhere, a person or one of them may have moved either. Throws `StuckError`, after which the run can be resumed.
 */
export async function expectBranch(
  { branch, tip }: RunState,
  { git, tree }: World,
  now: Pick<Inspection, 'branch' | 'head'>,
): Promise<void> {
  if (now.branch !== branch)
    throw new StuckError(
      `The working tree is on ${now.branch ?? 'a detached HEAD'} instead of ${branch}, where the batch is recorded.`,
      `Switch back (git switch ${branch}), then run the command again; completed checks are not repeated.`,
    );
  if (now.head === tip || (now.head !== undefined && (await git.isAncestor(tree, tip, now.head)))) return;
  throw new StuckError(
    `The branch ${branch} was rewritten during a batch: commit ${tip} is no longer on it.`,
    `Put it back to resume (git reset --soft ${tip}), or end the run with "specloop cancel --remove-state".`,
  );
}

/**
 * What a crash left of an integration is taken out of the user's tree before the run goes on: the work is in its worktree
 * still. Nothing else may be under way. `recorded` is the task whose commit was made all the same.
 */
export async function undoIntegration(state: RunState, world: World, recorded: string | undefined): Promise<void> {
  for (const [key, { at, attempt, base }] of state.progress) {
    if ((at !== 'COMMITTING' && at !== 'HOLDING') || key === recorded || isInTree(state, key)) continue;
    const place = await world.workspaces.find(key);
    const paths = place ? await world.git.changedSince(place.tree, base) : await integrated(world, { key, attempt });
    await takeOut(state, world, { key, attempt, paths });
  }
}

/** Which paths an integration was about to change, for when the worktree went as well. */
async function integrated({ folder }: World, { key, attempt }: AttemptKey): Promise<readonly string[]> {
  const text = await folder.readRecord(INTEGRATION);
  const last: (AttemptKey & { readonly paths: readonly string[] }) | undefined = text && JSON.parse(text);
  return last?.key === key && last.attempt === attempt ? last.paths : [];
}

/**
 * Takes out of the user's tree what an integration brought there, its tick included; all else stays as it is. It is kept
 * under a ref first: a person may have worked on it.
 */
export async function takeOut(
  state: RunState,
  world: World,
  { paths, ...at }: AttemptKey & { readonly paths: readonly string[] },
): Promise<void> {
  const { git, tree } = world;
  const { head = state.tip, changes } = await git.inspect(tree);
  const ours = new Set([...paths, progressPath(world)]);
  ours.delete(planPath(world));
  const changed = changes.map(({ path }) => path);
  if (changed.some((path) => ours.has(path))) {
    const exclude = changed.filter((path) => !ours.has(path));
    await keep(exclude, world, { ...at, base: head });
    await git.restore(tree, { branch: state.branch, commit: head, exclude });
  }
  const unticked = await editPlan(world, state.batch?.members ?? [], asItIs);
  if (unticked.ok) await writePlan(world, unticked.plan);
}

/** Removes what a recorded member no longer needs; what is left of it goes when the batch is closed. */
export async function discardPlace(world: World, key: string): Promise<void> {
  if (world.lane.kind === 'worktree') await world.workspaces.close(key).catch(() => undefined);
}

/** What of the member's work is not as it was proved in its worktree; `undefined` if it was not proved in this process (R-VER-13). */
async function movedInPlace(
  world: World,
  at: AttemptKey,
  { place, work }: FoundWork,
): Promise<readonly string[] | undefined> {
  const proved = world.proofs.of(at);
  if (proved === undefined) return undefined;
  const moved = await movedSince({ ...world, tree: place.tree }, proved.work);
  return [...moved, ...(work?.paths ?? []).filter((path) => !proved.work.has(path))];
}

interface Merged extends AttemptKey {
  /** The state of the user's tree before the work was brought, and the paths that were. */
  readonly before: Inspection;
  readonly paths: readonly string[];
}

/** Proves the work once more on the merged tree; what the command does there is measured as in its own (R-PAR-3, R-VER-13). */
async function proveMerged(state: RunState, world: World, merged: Merged): Promise<RunEvent | undefined> {
  const { git, tree } = world;
  const { key, attempt, before, paths } = merged;
  const commands = verifyCommands(state, key);
  if (commands.length === 0) return undefined;
  const base = before.head ?? state.tip;
  const [now, work] = await Promise.all([git.inspect(tree), git.fingerprint(tree, paths)]);
  const proven = await prove(world, state, { key, attempt, commands, base, work, before: now });
  if (proven === 'cancelled') return { type: 'check-cancelled', task: key, attempt };
  const { verify, proof, noticed } = proven;
  const failed = verify.find((run) => run.how !== 'exited' || run.exitCode !== 0);
  const wrong = [...noticed.violations, ...proofFailures(proof, state.branch)];
  if (proof.moved)
    await git.restore(tree, { branch: state.branch, commit: base, exclude: now.changes.map(({ path }) => path) });
  const command = failed?.command ?? commands.at(-1) ?? '';
  if (failed || wrong.length > 0)
    return { type: 'merge-rejected', task: key, attempt, command, output: failed?.output ?? wrong.join('\n') };
  return undefined;
}

/** What the agent learned in its own copy of the progress file comes along (R-PAR-4). */
async function takeLearnings(world: World, place: Workspace, base: string): Promise<void> {
  const theirs = await readIfText(place.files, world.spec.progressFile);
  const ours = await world.files.read(world.spec.progressFile);
  const before = await world.git.fileAt(world.tree, base, progressPath(world));
  const merged = mergeLearnings(before, theirs, ours);
  if (merged !== (ours ?? '')) await world.files.write(world.spec.progressFile, merged);
}
