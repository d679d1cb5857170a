import { isLeftOut } from '../../core/plan/data/left-out.ts';
import { isLifecycleTask } from '../../core/plan/data/lifecycle.ts';
import type { Effect } from '../../core/run/data/effect.ts';
import type { LeftByCommands, Noted, RunEvent } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { filledIn } from '../../core/run/record/commit-message.ts';
import { progressAtEnd, withLearned } from '../../core/run/record/progress-text.ts';
import { isCurrentSpec, isPrivate, stateFileOf } from '../../core/spec-files.ts';
import { firstOf } from '../../core/text/first-of.ts';
import { keptRef } from '../attempt/kept-ref.ts';
import { putLeftoversBack } from '../attempt/leftovers.ts';
import { blocked, blockedBy, isUnmade, makeOwnCommit } from '../attempt/make-commit.ts';
import { forgetChanges } from '../attempt/users-changes.ts';
import { readPlanText } from '../lane/plan-text.ts';
import { planPath, progressPath, type World } from '../lane/world.ts';
import { putBackProgress } from './commit-plan.ts';
import { finishPlanning } from './finish-planning.ts';

const NAMED_MAX = 20;

/** Brings a run to its end: the last commit and the archive when all is done, otherwise only the word (R-ADV-3, R-RETRY-5). */
export async function finish(
  effect: Extract<Effect, { do: 'finish' }>,
  state: RunState,
  world: World,
): Promise<RunEvent> {
  const { result, reason } = effect;
  await restoreKept(state, world);
  if (state.planning !== undefined) return await finishPlanning(effect, state, world);
  if (result === 'interrupted') return { type: 'run-halted', result, reason };
  // The commit that waits for a person comes first.
  if (state.gate) return { type: 'run-finished', result, reason, head: state.tip };
  const { commits, spec } = world;
  if (result !== 'completed') {
    const last = await commitWhatIsLeft(state, world, filledIn(commits.progress, { spec: spec.name }));
    const unsaid =
      last.blocked && `\nThe last notes of ${spec.progressFile} were not committed:\n${last.blocked.output}`;
    return {
      type: 'run-finished',
      result,
      reason: world.redact(`${reason}${unsaid ?? ''}`),
      head: last.head,
      ...last.left,
    };
  }
  const open = await untickedTasks(state, world);
  if (open.length > 0) {
    return {
      type: 'run-finished',
      result: 'stuck',
      reason: `ERROR: ${world.spec.format.file} has open tasks again: ${open.join(', ')}.`,
      head: state.tip,
    };
  }
  const last = await lastCommit(state, world);
  if (last.blocked) return last.blocked;
  await archiveState(world);
  await forgetChanges(state, world);
  return { type: 'run-finished', result, reason, head: last.head, ...last.left, ...(await uncommittedAtEnd(world)) };
}

/** The last commit of a run that is done. Where the lifecycle made it, it is pushed, and another one would be in no pull request. */
async function lastCommit(state: RunState, world: World): Promise<Last> {
  if (state.pullRequest?.recorded === state.tip) return { head: state.tip, left: {} };
  const { commits, spec } = world;
  const index = await world.renewIndex();
  return await commitWhatIsLeft(state, world, filledIn(commits.final, { spec: spec.name }), index);
}

/** All is done, and what is in the tree and in no commit is none of it: it is named (R-ADV-1). */
async function uncommittedAtEnd({ git, tree }: World): Promise<Noted> {
  const { changes } = await git.inspect(tree);
  const paths = changes.map(({ path }) => path).filter((path) => !isPrivate(path) && !isCurrentSpec(path));
  if (paths.length === 0) return {};
  return { notes: [`Not committed, in your working tree: ${firstOf(paths, NAMED_MAX)}.`] };
}

/** The end names the refs that keep work: one that someone removed or moved is made again (R-RETRY-4). */
async function restoreKept({ kept }: RunState, { git }: World): Promise<void> {
  for (const [ref, commit] of kept) if ((await git.readRef(ref)) !== commit) await git.setRef(ref, commit);
}

async function untickedTasks({ policy }: RunState, { files, spec }: World): Promise<readonly string[]> {
  const plan = readPlanText(spec.format, await files.read(spec.format.file));
  return plan.tasks
    .filter((task) => !task.checked && !isLeftOut(task, policy) && !isLifecycleTask(task))
    .map((task) => task.id);
}

interface Last {
  readonly head: string;
  readonly left: LeftByCommands;
  readonly blocked?: Extract<RunEvent, { type: 'commit-blocked' }>;
}

/** The last words of the progress file, in a commit of their own (R-ADV-1); where it is not made, the file is as it was. */
async function commitWhatIsLeft(
  state: RunState,
  world: World,
  message: string,
  index: readonly string[] = [],
): Promise<Last> {
  const { files, spec } = world;
  const { changes } = await world.git.inspect(world.tree);
  const before = await files.read(spec.progressFile);
  const isOfAgent = state.policy.bookkeeping === 'agent';
  const after = isOfAgent ? withLearned(state, before ?? '') : progressAtEnd(state, before ?? '');
  if (after !== (before ?? '')) await files.write(spec.progressFile, after);
  const done = await makeOwnCommit(world, {
    message,
    trailers: {},
    paths: [planPath(world), progressPath(world), ...index],
    keepsStaged: state.foreign.length > 0,
  });
  const ref = `${keptRef(world.spec, { key: 'final', attempt: 1 })}-hooks`;
  const exclude = changes.map(({ path }) => path);
  // Hooks run also where nothing comes of it.
  if (!isUnmade(done)) {
    const left = await putLeftoversBack(world, { ref, exclude });
    return { head: done.how === 'committed' ? done.commit : state.tip, left };
  }
  await putBackProgress(world, before);
  const cause = blockedBy(done, { own: true, ownMessage: true }) ?? 'own';
  return { head: state.tip, left: {}, blocked: blocked(done, cause, { message }) };
}

/** The file itself goes once the end is written down: after a crash before that, it is all that holds unknown fields. */
async function archiveState({ files, folder, spec }: World): Promise<void> {
  const text = await files.read(stateFileOf(spec));
  if (text !== undefined) await folder.writeRecord('ralph-state.json', text);
}
