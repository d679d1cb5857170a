import type { RunEvent } from '../../core/run/event.ts';
import type { Batch, RunState } from '../../core/run/state.ts';
import { taskOf } from '../../core/run/state.ts';
import { verifyCommands } from '../../core/run/verify-commands.ts';
import { untick } from '../../core/spec/edit.ts';
import { isProblem } from '../../ports/workspace.ts';
import { runVerify } from '../verify.ts';
import type { World } from '../world.ts';
import { commitPlan } from './commit-plan.ts';

type Broken = Extract<RunEvent, { type: 'batch-closed' }>['broken'][number];
type Recorded = Batch['commits'][number];

const PROBE = 'probe';

/**
 * All members are in: each one's Verify command runs once more on the merged tree. One that fails there is laid at the door
 * of the member whose record broke it, and that one's box is opened again (R-PAR-3, R-PAR-5). Worktrees go.
 */
export async function closeBatch(state: RunState, world: World): Promise<RunEvent> {
  const { batch } = state;
  const broken = batch && batch.commits.length > 1 ? await findBroken(state, world, batch.commits) : [];
  await world.workspaces.prune();
  const { head = state.tip } = await world.git.inspect(world.tree);
  if (broken.length === 0) return { type: 'batch-closed', broken, head };
  let plan = world.plan.plan;
  for (const { task } of broken) {
    const { index, id } = world.plan.task(task);
    const opened = untick(plan, { index, id });
    if (opened.ok) plan = opened.plan;
  }
  const ids = broken.map(({ task }) => taskOf(state, task).id).join(', ');
  const done = await commitPlan(state, world, { plan, message: `chore(spec): reopen ${ids}` });
  if (done.how === 'refused') throw new Error(`A commit hook refused to reopen ${ids}: ${done.output}`);
  return { type: 'batch-closed', broken, head: done.head };
}

/** The last record has been proven on the tree as it is; each earlier one is proven again. */
async function findBroken(state: RunState, world: World, commits: readonly Recorded[]): Promise<readonly Broken[]> {
  const broken: Broken[] = [];
  for (const [at, { task: victim }] of commits.slice(0, -1).entries()) {
    for (const command of verifyCommands(state, victim)) {
      const run = await runVerify(world, { key: victim, command, attempt: 0 });
      if (run === 'cancelled' || (run.how === 'exited' && run.exitCode === 0)) continue;
      const task = await culprit(world, { command, suspects: commits.slice(at + 1), victim });
      if (!broken.some((found) => found.task === task)) broken.push({ task, command, output: run.output, victim });
    }
  }
  return broken;
}

interface Case {
  readonly command: string;
  /** The records behind the victim's, in order; the last of them fails. */
  readonly suspects: readonly Recorded[];
  readonly victim: string;
}

/** The first record at which the command fails, by bisection. */
async function culprit(world: World, { command, suspects, victim }: Case): Promise<string> {
  let low = 0;
  let high = suspects.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await passesAt(world, { command, commit: suspects[middle]?.commit ?? '', victim })) low = middle + 1;
    else high = middle;
  }
  return suspects[low]?.task ?? victim;
}

async function passesAt(
  world: World,
  { command, commit, victim }: { readonly command: string; readonly commit: string; readonly victim: string },
): Promise<boolean> {
  // One that a crash left stands at another commit.
  await world.workspaces.close(PROBE);
  const workspace = await world.workspaces.open({ name: PROBE, base: commit, signal: world.signal });
  if (isProblem(workspace)) return true;
  const run = await runVerify({ ...world, tree: workspace.tree }, { key: victim, command, attempt: 0 });
  await world.workspaces.close(PROBE);
  return run !== 'cancelled' && run.how === 'exited' && run.exitCode === 0;
}
