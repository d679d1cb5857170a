import type { Effect } from '../../core/run/data/effect.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import { progressOf, type RunState } from '../../core/run/data/state.ts';
import { STATE_FILE } from '../../core/spec-files.ts';
import { draftBefore } from '../attempt/draft-before.ts';
import { draftingOf } from '../attempt/drafting-of.ts';
import { readIfText } from '../lane/read-if-text.ts';
import { progressPath, specPath, type World } from '../lane/world.ts';
import { keep, setAsideMember } from './set-aside.ts';

/**
 * Keeps what a failed attempt at a draft left under a ref and puts everything back but the draft, which is revised next. Where
 * its author was cut off in it, the document comes back as it was before (R-PLAN-2, R-RETRY-4, R-ASK-1).
 */
export async function setDraftAside(
  { task, attempt, keepChanges }: Extract<Effect, { do: 'set-aside' }>,
  state: RunState,
  world: World,
): Promise<RunEvent> {
  const { step } = draftingOf(state, task, world);
  const { git, tree, files } = world;
  const own = specPath(world, step.file);
  const progress = progressOf(state, task);
  const { base } = progress;
  const asked = progress.at === 'SETTING-ASIDE' ? progress.questions : undefined;
  const how =
    asked === undefined
      ? ({ type: 'work-set-aside' } as const)
      : ({ type: 'questions-asked', questions: asked } as const);
  if (world.lane.kind === 'worktree')
    return { ...(await setAsideMember(world, { key: task, attempt, base: world.lane.base })), ...how };
  const putBack = await files.takeBack();
  const kept = await keep(state.foreign, world, { key: task, attempt, base });
  const stays = keepChanges && (await readIfText(files, step.file)) !== undefined;
  if (!stays) await files.remove(step.file); // No commit would take away a folder, a pipe, or what git ignores.
  // Where the spec is in no commit, nothing but this would bring its progress file back.
  const books = state.policy.commitSpec ? [] : [progressPath(world)];
  if (books.length > 0) await world.progress.mend();
  await git.restore(tree, {
    branch: state.branch,
    commit: base,
    exclude: [...state.foreign, ...books],
    unstage: stays ? [own] : [],
  });
  const text = stays ? undefined : await draftBefore(world, { key: task, attempt });
  if (text !== undefined) await files.write(step.file, text);
  await world.progress.accept();
  const isTouched = await world.stateFile.isTouched();
  await world.stateFile.repair();
  return {
    ...how,
    task,
    attempt,
    ...(kept ? { kept: { ref: kept.ref, treeId: kept.treeId, commit: kept.commit } } : {}),
    repaired: [...putBack, ...(isTouched ? [`${STATE_FILE}: put back`] : [])],
  };
}
