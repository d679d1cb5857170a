import { mergeLearnings } from '../../core/progress/merge.ts';
import { isInNoHurry, worksApart } from '../../core/run/batch.ts';
import type { Noted, RunEvent } from '../../core/run/event.ts';
import { followerOf } from '../../core/run/review.ts';
import { progressOf, type RunState } from '../../core/run/state.ts';
import { verifyCommands } from '../../core/run/verify-commands.ts';
import { StuckError } from '../../core/user-error.ts';
import { proofFailures } from '../../core/verify/proof.ts';
import type { Applied, Inspection, Look } from '../../ports/git.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { commitsBelow } from '../commits-meanwhile.ts';
import { asItIs, editPlan } from '../edit-plan.ts';
import { movedSince } from '../measure-work.ts';
import type { Accepted, Found } from '../member-work.ts';
import { prove } from '../prove.ts';
import { readLeft } from '../read-left.ts';
import { specPath, type World } from '../world.ts';
import { writePlan } from './commit-plan.ts';
import { keep, unreadable } from './set-aside.ts';

interface Attempt {
  readonly key: string;
  readonly attempt: number;
}

/** The record of the last integration: whose, and the paths that it changes. */
const INTEGRATION = 'integration.json';

/** A member's work in the user's tree, as it is to be committed there. What its proof made beside it is still being looked for. */
export interface Brought {
  readonly paths: readonly string[];
  readonly asStaged?: readonly string[];
  readonly look: Promise<Look>;
  /** Paths that were changed in the tree before: a person's. */
  readonly known: readonly string[];
}

/** What was brought into the user's tree, or the event that tells why that failed, the tree then being as it was. */
export type Integration =
  /** Nothing is brought for a task that works in the user's tree anyway. */
  | { readonly ok: true; readonly brought?: Brought; readonly noted: Noted }
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
  if (!worksApart(state, at.key)) return { ok: true, noted: {} };
  if (isInNoHurry(state)) {
    await world.calm.come(world.signal);
    world.memberWork.lookAnew();
  }
  const { git, tree } = world;
  await world.watch.settle();
  const { base } = progressOf(state, at.key);
  const taking = world.memberWork.take(world, acceptedOf(state, world, at.key)).catch(unreadable(world));
  const looking = world.memberWork.standingAt(state.tip, world);
  const follower = followerOf(state, at.key);
  if (follower !== undefined) world.memberWork.begin(world, acceptedOf(state, world, follower));
  const [found, before] = await Promise.all([taking, looking]);
  await expectBranch(state, world, before);
  // The Verify command was the last to work there.
  if (found === undefined || found === 'unreadable')
    return { ok: false, event: { type: 'work-lost', task: at.key, attempt: at.attempt } };
  const { place, work } = found;
  const moved = at.isAccepted ? await movedInPlace(world, at, found) : [];
  if (moved === undefined || moved.length > 0)
    return {
      ok: false,
      event: { type: 'check-cancelled', task: at.key, attempt: at.attempt, ...(moved && { moved }) },
    };
  // The commit of a submodule that was made in a worktree goes with it: such work is done again in the user's tree.
  const submodules = await git.submodules(place.tree);
  const inSubmodules = (work?.paths ?? []).filter((path) => submodules.includes(path));
  if (inSubmodules.length > 0)
    return {
      ok: false,
      event: { type: 'merge-conflicted', task: at.key, attempt: at.attempt, paths: inSubmodules },
    };
  if (work) await world.folder.writeRecord(INTEGRATION, JSON.stringify({ ...at, paths: work.paths }));
  const applied = work ? await git.bring(work, tree, before) : ({ how: 'applied' } as const);
  if (applied.how === 'conflict')
    return {
      ok: false,
      event: { type: 'merge-conflicted', task: at.key, attempt: at.attempt, paths: applied.paths },
    };
  const isOvertaken = before.head !== base && at.isAccepted;
  const paths = work?.paths ?? [];
  const rejection = isOvertaken ? await proveMerged(state, world, { ...at, before, paths }) : undefined;
  const brought = broughtBy(world, { before, paths, applied });
  if (rejection) {
    await takeOut(state, world, { ...at, paths: await allPaths(brought) });
    return { ok: false, event: rejection };
  }
  await takeLearnings(world, place, base);
  return { ok: true, brought, noted: await commitsBelow(state, world, before.head) };
}

interface Bringing {
  readonly before: Inspection;
  readonly paths: readonly string[];
  readonly applied: Extract<Applied, { readonly how: 'applied' }>;
}

/** Of the member's own work nothing is left out, whatever was there before. */
function broughtBy(world: World, { before, paths, applied }: Bringing): Brought {
  const { submodules, fresh = [] } = applied;
  const look = world.git.inspect(world.tree).then(({ changes, staged }) => {
    const seen = new Set(changes.map(({ path }) => path));
    return { paths: [], staged, unseen: fresh.filter((path) => !seen.has(path)) };
  });
  look.catch(() => undefined); // Who waits for it is told.
  const known = before.changes.map(({ path }) => path);
  return { paths, look, known, ...(submodules && { asStaged: submodules }) };
}

/** All that was brought, once that is known. */
export async function allPaths({ paths, look }: Brought): Promise<readonly string[]> {
  return [...paths, ...(await look).paths];
}

/** The files in which a record is kept. */
export function booksOf(world: World): readonly string[] {
  return [specPath(world, 'tasks.md'), specPath(world, '.progress.md')];
}

function acceptedOf(state: RunState, world: World, key: string): Accepted {
  const { attempt, base } = progressOf(state, key);
  const uncovered = world.proofs.of({ key, attempt })?.uncovered ?? [];
  return { key, attempt, base, spare: [...booksOf(world), ...uncovered] };
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
      `The working tree is on ${now.branch ?? 'a detached HEAD'} instead of ${branch}, where the batch is to be recorded.`,
      `Switch back (git switch ${branch}), then run the command again: what was checked is not run again.`,
    );
  if (now.head === tip || (now.head !== undefined && (await git.isAncestor(tree, tip, now.head)))) return;
  throw new StuckError(
    `The branch ${branch} was rewritten while a batch was at work: commit ${tip} is no longer on it.`,
    `Put it back to resume (git reset --soft ${tip}), or end the run with "specloop cancel --remove-state".`,
  );
}

/**
 * What a crash left of an integration is taken out of the user's tree before the run goes on: the work is in its worktree
 * still. Nothing else may be under way. `recorded` is the task whose commit came to be all the same.
 */
export async function undoIntegration(state: RunState, world: World, recorded: string | undefined): Promise<void> {
  for (const [key, { at, attempt, base }] of state.progress) {
    if ((at !== 'COMMITTING' && at !== 'HOLDING') || key === recorded || !worksApart(state, key)) continue;
    const place = await world.workspaces.find(key);
    const paths = place ? await world.git.changedSince(place.tree, base) : await integrated(world, { key, attempt });
    await takeOut(state, world, { key, attempt, paths });
  }
}

/** Which paths an integration was about to change, for when the worktree went as well. */
async function integrated({ folder }: World, { key, attempt }: Attempt): Promise<readonly string[]> {
  const text = await folder.readRecord(INTEGRATION);
  const last: (Attempt & { readonly paths: readonly string[] }) | undefined = text && JSON.parse(text);
  return last?.key === key && last.attempt === attempt ? last.paths : [];
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

/** Has removed what a recorded member no longer needs; nothing waits for that. */
export function discardPlace(state: RunState, world: World, key: string): void {
  if (worksApart(state, key)) world.workspaces.retire(key);
}

/** What of the member's work is not as it was proved in its worktree; `undefined` if it was not proved in this process (R-VER-13). */
async function movedInPlace(world: World, at: Attempt, { place, work }: Found): Promise<readonly string[] | undefined> {
  const proved = world.proofs.of(at);
  if (proved === undefined) return undefined;
  const moved = await movedSince({ ...world, tree: place.tree }, proved.work);
  return [...moved, ...(work?.paths ?? []).filter((path) => !proved.work.has(path))];
}

interface Merged extends Attempt {
  /** How the user's tree stood before the work was brought, and the paths that were. */
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
    await git.restore(tree, { branch: state.branch, commit: base, spare: now.changes.map(({ path }) => path) });
  const command = failed?.command ?? commands.at(-1) ?? '';
  if (failed || wrong.length > 0)
    return { type: 'merge-rejected', task: key, attempt, command, output: failed?.output ?? wrong.join('\n') };
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
