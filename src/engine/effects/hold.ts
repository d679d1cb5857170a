import type { Effect } from '../../core/run/data/effect.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import { progressOf, type RunState } from '../../core/run/data/state.ts';
import { addedTo, asItIs, editPlan } from '../attempt/edit-plan.ts';
import { foldAgentCommits } from '../attempt/fold-agent-commits.ts';
import { keptRef } from '../attempt/kept-ref.ts';
import { leftoverNotes, noted } from '../attempt/leftovers.ts';
import { isUnmade, makeCommit } from '../attempt/make-commit.ts';
import type { World } from '../lane/world.ts';
import { commitOrder } from './commit-order.ts';
import { writePlan } from './commit-plan.ts';
import { discardPlace, integrate } from './integrate.ts';
import { undoCommit } from './undo-commit.ts';

/** Commits work that a reviewer sent back, without a tick: the fix begins on a clean tree, and nothing is lost (R-VER-7). */
export async function hold(
  { task: key, attempt }: Extract<Effect, { do: 'hold' }>,
  state: RunState,
  world: World,
): Promise<RunEvent> {
  const { spec } = world;
  const { base } = progressOf(state, key);
  const integration = await integrate(state, world, { key, attempt, isAccepted: false });
  if (!integration.ok) return integration.event;
  const folded = await foldAgentCommits(state, world, { key, attempt, base });
  // An agent may have ticked its box; a reviewer has not agreed.
  const unticked = await editPlan(world, state.batch?.members ?? [key], asItIs);
  if (!unticked.ok) throw new Error(unticked.reason);
  await writePlan(world, unticked.plan);
  const { brought } = integration;
  const order = await commitOrder(state, world, { key, attempt, brought });
  const progress = await world.files.read(spec.progressFile);
  const done = await makeCommit(world, order, { task: key, attempt });
  if (isUnmade(done))
    return await undoCommit(state, world, { key, attempt, done, message: order.message, progress, brought });
  const uncovered = world.proofs.of({ key, attempt })?.uncovered ?? [];
  const exclude = [...state.foreign, ...uncovered, ...(brought?.known ?? [])];
  const ref = `${keptRef(spec, { key, attempt })}-hooks`;
  const left = await leftoverNotes(world, { ref, exclude });
  await discardPlace(world, key);
  const commit = done.how === 'committed' ? done.commit : state.tip;
  world.plan.accept(unticked.plan);
  return {
    type: 'work-held',
    task: key,
    attempt,
    commit,
    head: commit,
    ...addedTo(unticked),
    ...noted(integration.noted?.notes, folded.notes, left),
  };
}
