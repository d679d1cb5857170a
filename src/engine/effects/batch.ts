import type { Plan, Task } from '../../core/plan/data/task.ts';
import type { Edited } from '../../core/plan/edit/edit.ts';
import type { LeftByCommands, RunEvent } from '../../core/run/data/event.ts';
import type { Batch, RunState } from '../../core/run/data/state.ts';
import { taskOf } from '../../core/run/data/state.ts';
import { filledIn } from '../../core/run/record/commit-message.ts';
import { untouchedPaths } from '../../core/run/start/users-paths.ts';
import { verifyCommands } from '../../core/run/verify-commands.ts';
import { firstOf } from '../../core/text/first-of.ts';
import type { Inspection } from '../../ports/git.ts';
import { isProblem } from '../../ports/workspace.ts';
import { commitsBelow } from '../attempt/commits-meanwhile.ts';
import { asItIs, editPlan } from '../attempt/edit-plan.ts';
import { keptRef } from '../attempt/kept-ref.ts';
import { keepAndPutBack, noted } from '../attempt/leftovers.ts';
import { blocked } from '../attempt/make-commit.ts';
import { runVerify } from '../attempt/verify.ts';
import type { World } from '../lane/world.ts';
import { commitPlan } from './commit-plan.ts';
import { expectBranch } from './integrate.ts';

type Broken = Extract<RunEvent, { type: 'batch-closed' }>['broken'][number];
type RecordedMember = Batch['commits'][number];

const PROBE = 'probe';
const NAMED_MAX = 20;

/**
 * All members are in: each one's Verify command runs once more on the merged tree, while their worktrees go. One that fails
 * there is laid at the door of the member whose record broke it, and that one's box is opened again (R-PAR-3, R-PAR-5).
 */
export async function closeBatch(state: RunState, world: World): Promise<RunEvent> {
  const { commits = [] } = state.batch ?? {};
  const before = await world.git.inspect(world.tree);
  await expectBranch(state, world, before);
  const proof = commits.length > 1 ? findFailing(state, world, commits) : [];
  const [failing] = await Promise.all([proof, world.workspaces.prune()]);
  const left = commits.length > 1 ? await putProofBack(world, before) : {};
  const broken = await findBroken(world, failing);
  if (failing.length > 0) await world.workspaces.prune(); // What the bisection made.
  const { head = state.tip, changes } = await world.git.inspect(world.tree);
  // What a person changed while members worked elsewhere is no work of the next task.
  const foreign = untouchedPaths(
    changes.map(({ path }) => path),
    world.spec,
    state.tasks,
  );
  const { notes: below = [] } = await commitsBelow(state, world, before.head);
  const notes = [...below, ...meanwhile(state, foreign)];
  if (broken.length === 0) return { type: 'batch-closed', broken, head, foreign, ...noted(notes), ...left };
  const opened = await editPlan(world, [], (plan) => reopen(world, plan, new Set(broken.map(({ task }) => task))));
  if (!opened.ok) throw new Error(`The boxes of a batch can't be opened again: ${opened.reason}`);
  const ids = broken.map(({ task }) => taskOf(state, task).id).join(', ');
  const message = filledIn(world.commits.reopen, { spec: world.spec.name, tasks: ids });
  const done = await commitPlan(state, world, { plan: opened.plan, message });
  if (done.how === 'blocked') return blocked(done.done, done.cause, { message });
  return { type: 'batch-closed', broken, head: done.head, foreign, ...noted(notes, done.notes), ...left };
}

/** What became uncommitted in the user's tree while members worked elsewhere: a person's, or a member's that left its tree (R-PAR-3). */
function meanwhile(state: RunState, foreign: readonly string[]): readonly string[] {
  const fresh = foreign.filter((path) => !state.foreign.includes(path));
  if (fresh.length === 0) return [];
  const named = firstOf(fresh, NAMED_MAX);
  return [`Changed in your working tree during the batch, and not committed: ${named}.`];
}

/** What the Verify commands wrote in the user's tree is in no commit: it is kept under a ref and put back (R-VER-13). */
async function putProofBack(world: World, before: Inspection): Promise<LeftByCommands> {
  const exclude = before.changes.map(({ path }) => path);
  const ref = `${keptRef(world.spec, { key: 'batch', attempt: 1 })}-verify`;
  return await keepAndPutBack(world, { ref, exclude, message: 'specloop: what the Verify commands of a batch wrote' });
}

function reopen({ spec }: World, plan: Plan, keys: ReadonlySet<string>): Edited {
  const opened = (before: Edited, task: Task): Edited => (before.ok ? spec.format.untick(before.plan, task) : before);
  return plan.tasks.filter(({ key }) => keys.has(key)).reduce(opened, asItIs(plan));
}

interface Failing {
  readonly command: string;
  readonly output: string;
  /** The record whose command fails and those after it, in order. */
  readonly records: readonly RecordedMember[];
  readonly victim: string;
}

/** The last record has been proven on the tree as it is; each earlier one is proven again, by a command of many once for all. */
async function findFailing(
  state: RunState,
  world: World,
  commits: readonly RecordedMember[],
): Promise<readonly Failing[]> {
  const failing: Failing[] = [];
  const proven = new Set(commits.slice(-1).flatMap(({ task }) => verifyCommands(state, task)));
  for (const [at, { task: victim }] of commits.entries()) {
    for (const command of verifyCommands(state, victim)) {
      if (proven.has(command)) continue;
      proven.add(command);
      const run = await runVerify(world, { key: victim, command, attempt: 0 });
      if (run === 'cancelled' || (run.how === 'exited' && run.exitCode === 0)) continue;
      failing.push({ command, output: run.output, records: commits.slice(at), victim });
    }
  }
  return failing;
}

/** Each member that is to blame, for the first command that it broke. */
async function findBroken(world: World, failing: readonly Failing[]): Promise<readonly Broken[]> {
  const broken = new Map<string, Broken>();
  for (const failed of failing) {
    const { command, output, victim } = failed;
    const task = await culprit(world, failed);
    if (task !== undefined && !broken.has(task)) broken.set(task, { task, command, output, victim });
  }
  return [...broken.values()];
}

/**
 * The first record at which the command fails, by bisection, each commit in a worktree that is made ready like a member's.
 * No one is blamed for a command that passes at the newest record there, or fails at the victim's own: then it is the
 * user's tree that lacks something.
 */
async function culprit(world: World, { command, records, victim }: Failing): Promise<string | undefined> {
  const passes = (at: number) => passesAt(world, { command, commit: records[at]?.commit ?? '', victim });
  if (await passes(records.length - 1)) return undefined;
  if (!(await passes(0))) return undefined;
  let good = 0;
  let bad = records.length - 1;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (await passes(middle)) good = middle;
    else bad = middle;
  }
  return records[bad]?.task;
}

async function passesAt(
  world: World,
  { command, commit, victim }: { readonly command: string; readonly commit: string; readonly victim: string },
): Promise<boolean> {
  // One that a crash left is at another commit.
  await world.workspaces.close(PROBE);
  const workspace = await world.workspaces.open({ name: PROBE, base: commit, signal: world.signal });
  if (isProblem(workspace)) return false;
  const run = await runVerify({ ...world, tree: workspace.tree }, { key: victim, command, attempt: 0 });
  await world.workspaces.close(PROBE);
  return run !== 'cancelled' && run.how === 'exited' && run.exitCode === 0;
}
