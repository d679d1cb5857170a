import { mergeLearnings } from '../../core/progress/merge.ts';
import { worksApart } from '../../core/run/batch.ts';
import type { RunEvent } from '../../core/run/event.ts';
import { progressOf, type RunState } from '../../core/run/state.ts';
import { verifyCommands } from '../../core/run/verify-commands.ts';
import { findPlace } from '../member.ts';
import { readLeft } from '../read-left.ts';
import { runVerify } from '../verify.ts';
import { specPath, type World } from '../world.ts';
import { keptRef } from './set-aside.ts';

interface Attempt {
  readonly key: string;
  readonly attempt: number;
}

/**
 * Brings the work of a batch's member onto the run's branch, uncommitted (R-PAR-3): it is applied to the branch tip, and
 * proven there once more when a neighbour was recorded before it. Resolves with the event that tells why that failed, the
 * tree then being as it was; with nothing for success and for a task that works in the user's tree anyway.
 */
export async function integrate(state: RunState, world: World, at: Attempt): Promise<RunEvent | undefined> {
  if (!worksApart(state, at.key)) return undefined;
  const { git, tree } = world;
  const { base } = progressOf(state, at.key);
  const place = await findPlace(state, world, at.key);
  if (place === undefined) throw new Error(`The worktree of task ${at.key} is gone.`);
  const tip = await settle(state, world);
  if ((await git.inspect(place.tree)).head !== base) await git.unwind(place.tree, base);
  const spare = [specPath(world, 'tasks.md'), specPath(world, '.progress.md')];
  const work = await git.snapshot(place.tree, {
    ref: memberRef(world, at),
    base,
    message: `specloop: work of task ${at.key}`,
    spare,
  });
  const applied = work ? await git.apply(tree, work.commit) : ({ how: 'applied' } as const);
  if (applied.how === 'conflict')
    return { type: 'merge-conflicted', task: at.key, attempt: at.attempt, paths: applied.paths };
  const rejection = tip === base ? undefined : await proveMerged(state, world, at);
  if (rejection) {
    await git.restore(tree, { branch: state.branch, commit: tip, spare: state.foreign });
    return rejection;
  }
  await takeLearnings(world, place, base);
  return undefined;
}

/** Removes what a recorded member no longer needs. */
export async function discardPlace(state: RunState, world: World, at: Attempt): Promise<void> {
  if (!worksApart(state, at.key)) return;
  await world.workspaces.close(at.key);
  await world.git.setRef(memberRef(world, at), undefined);
}

/** What an integration that was cut off had left in the user's tree goes; commits of a person stay. Returns the branch tip. */
async function settle({ branch, foreign, tip }: RunState, { git, tree }: World): Promise<string> {
  const { head = tip, changes } = await git.inspect(tree);
  if (changes.some(({ path }) => !foreign.includes(path)))
    await git.restore(tree, { branch, commit: head, spare: foreign });
  return head;
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
async function takeLearnings(world: World, place: World, base: string): Promise<void> {
  const theirs = await readLeft(place.files, '.progress.md');
  const ours = await world.files.read('.progress.md');
  const before = await world.git.fileAt(world.tree, base, specPath(world, '.progress.md'));
  const merged = mergeLearnings(before, theirs, ours);
  if (merged !== (ours ?? '')) await world.files.write('.progress.md', merged);
}

function memberRef({ spec }: World, { key, attempt }: Attempt): string {
  return keptRef(spec, { key, attempt }).replace('refs/specloop/kept/', 'refs/specloop/batch/');
}
