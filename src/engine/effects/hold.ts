import { commitMessage } from '../../core/run/commit-message.ts';
import type { Effect } from '../../core/run/effect.ts';
import type { RunEvent } from '../../core/run/event.ts';
import { progressOf, type RunState, taskOf } from '../../core/run/state.ts';
import { recordTrailers, type World } from '../world.ts';
import { foldAgentCommits, ownPaths } from './commit.ts';

/** Commits work that a reviewer sent back, without a tick: the fix begins on a clean tree, and nothing is lost (R-VER-7). */
export async function hold(
  { task: key, attempt }: Extract<Effect, { do: 'hold' }>,
  state: RunState,
  world: World,
): Promise<RunEvent> {
  const { git, tree, spec } = world;
  const { base } = progressOf(state, key);
  const task = taskOf(state, key);
  await foldAgentCommits(state, world, { key, attempt, base });
  const done = await git.commit(tree, {
    message: commitMessage(task, state.tasks.indexOf(task)),
    trailers: recordTrailers(spec, { id: task.id, attempt }),
    paths: await ownPaths(state, world),
    spareIndex: state.foreign.length > 0,
  });
  if (done.how === 'refused') return { type: 'commit-refused', task: key, attempt, output: done.output };
  const commit = done.how === 'committed' ? done.commit : base;
  return { type: 'work-held', task: key, attempt, commit, head: commit };
}
