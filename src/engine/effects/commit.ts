import { commitMessage } from '../../core/run/commit-message.ts';
import type { Effect } from '../../core/run/effect.ts';
import type { RunEvent } from '../../core/run/event.ts';
import { progressWithTask } from '../../core/run/progress-text.ts';
import { progressOf, type RunState, taskOf } from '../../core/run/state.ts';
import { tick } from '../../core/spec/edit.ts';
import type { Plan } from '../../core/spec/task.ts';
import type { Committed } from '../../ports/git.ts';
import { recordTrailers, type World } from '../world.ts';
import { keptRef } from './set-aside.ts';

/** Records accepted work: tick, progress entry and commit, as one unit for recovery (R-ADV-1, R-ADV-2). */
export async function commit(
  { task: key, attempt }: Extract<Effect, { do: 'commit' }>,
  state: RunState,
  world: World,
): Promise<RunEvent> {
  const { git, tree } = world;
  const { base } = progressOf(state, key);
  if (state.policy.bookkeeping === 'agent') return await recordOfAgent(state, world, { key, attempt });
  await foldAgentCommits(state, world, { key, attempt, base });
  const ticked = await tickBox(world, key);
  await world.files.write('.progress.md', progressWithTask(state, key, await world.files.read('.progress.md')));
  const task = taskOf(state, key);
  const index = state.tasks.indexOf(task);
  const done: Committed = await git.commit(tree, {
    message: commitMessage(task, index),
    trailers: recordTrailers(world.spec, { id: task.id, attempt }),
    paths: state.foreign.length === 0 ? 'everything' : await ownPaths(state, world),
    spareIndex: state.foreign.length > 0,
  });
  if (done.how === 'refused') return { type: 'commit-refused', task: key, attempt, output: done.output };
  world.plan.accept(ticked);
  const head = done.how === 'committed' ? done.commit : base;
  return { type: 'task-committed', task: key, attempt, commit: head, head };
}

/** The agent has ticked and committed; its commit is the record. What it left is written down as it stands (R-DEL-5). */
async function recordOfAgent(
  state: RunState,
  world: World,
  { key, attempt }: { readonly key: string; readonly attempt: number },
): Promise<RunEvent> {
  const { head } = await world.git.inspect(world.tree);
  const ticked = tick(world.plan.plan, {
    index: state.tasks.findIndex((task) => task.key === key),
    id: taskOf(state, key).id,
  });
  if (ticked.ok) world.plan.accept(ticked.plan);
  return { type: 'task-committed', task: key, attempt, commit: head ?? '', head: head ?? '' };
}

/** Commits that the agent made all the same become part of the task's commit; a ref remembers them (R-DEL-5). */
export async function foldAgentCommits(
  state: RunState,
  { git, tree, spec }: World,
  at: { readonly key: string; readonly attempt: number; readonly base: string },
): Promise<void> {
  const head = await git.readRef(`refs/heads/${state.branch}`);
  if (head === undefined || head === at.base) return;
  await git.setRef(`${keptRef(spec, at)}-commits`, head);
  await git.unwind(tree, at.base);
}

async function tickBox({ plan, files }: World, key: string): Promise<Plan> {
  const { index, id } = plan.task(key);
  const ticked = tick(plan.plan, { index, id });
  if (!ticked.ok) throw new Error(`The box of task ${id} can't be ticked: ${ticked.reason}`);
  await files.write('tasks.md', ticked.text);
  return ticked.plan;
}

export async function ownPaths({ foreign }: RunState, { git, tree }: World): Promise<readonly string[]> {
  const { changes } = await git.inspect(tree);
  return changes.map(({ path }) => path).filter((path) => !foreign.includes(path));
}
