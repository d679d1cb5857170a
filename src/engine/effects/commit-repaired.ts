import type { Plan } from '../../core/plan/data/task.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { verifyCommands } from '../../core/run/verify-commands.ts';
import { isBookkeeping } from '../../core/spec-files.ts';
import type { Committed } from '../../ports/git.ts';
import { type CommitOrder, makeCommit } from '../attempt/make-commit.ts';
import { runVerify } from '../attempt/verify.ts';
import type { World } from '../lane/world.ts';

interface RepairOrder {
  readonly key: string;
  readonly attempt: number;
  readonly order: CommitOrder;
  readonly plan: Plan;
}

interface Repaired {
  readonly done: Committed;
  /** Files of the task that a hook put right. */
  readonly repaired: readonly string[];
}

/**
 * Commits accepted work. A hook that says no because it has put files right is given what it wants, as a person would:
 * what it made is proved by the task's Verify commands, then committed once more (R-ADV-5).
 */
export async function commitRepaired(
  state: RunState,
  world: World,
  { key, attempt, order }: RepairOrder,
): Promise<Repaired> {
  const about = { task: key, attempt };
  const first = await makeCommit(world, order, about);
  if (first.how !== 'refused' || first.repaired === undefined) return { done: first, repaired: [] };
  const repaired = first.repaired.filter((path) => !isBookkeeping(path, world.spec));
  for (const command of repaired.length === 0 ? [] : verifyCommands(state, key)) {
    const run = await runVerify(world, { key, command, attempt });
    if (run === 'cancelled') return { done: { how: 'stopped' }, repaired };
    if (run.how === 'exited' && run.exitCode === 0) continue;
    const said = `${first.output}\nThe hook changed ${repaired.join(', ')}; after that \`${command}\` fails:\n${run.output}`;
    return { done: { ...first, output: said }, repaired };
  }
  const { staged: _before, ...again } = order; // Hooks and commands have run since.
  return { done: await makeCommit(world, again, about), repaired };
}
