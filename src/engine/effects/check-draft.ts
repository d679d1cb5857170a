import type { DraftStep } from '../../core/plan/data/step.ts';
import type { Effect } from '../../core/run/data/effect.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import { progressOf, type RunState } from '../../core/run/data/state.ts';
import { hasPlanningNotes } from '../../core/run/record/planning-notes.ts';
import { isCurrentSpec, isPrivate, STATE_FILE } from '../../core/spec-files.ts';
import type { Inspection } from '../../ports/git.ts';
import { draftingOf } from '../attempt/drafting-of.ts';
import { probeDraft } from '../attempt/probe-draft.ts';
import { findPlace } from '../lane/member.ts';
import { readIfText } from '../lane/read-if-text.ts';
import { progressPath, specPath, type World } from '../lane/world.ts';
import { undoReview } from './review.ts';

const PATHS_MAX = 200;

/** Measures a draft, and what its author did in addition, which is nothing (R-PLAN-2, R-PLAN-5). */
export async function checkDraft(
  { task, attempt }: Extract<Effect, { do: 'check-draft' }>,
  state: RunState,
  world: World,
): Promise<RunEvent> {
  const { step, drafting } = draftingOf(state, task, world);
  const place = await findPlace(world, task);
  if (place === undefined) return { type: 'work-lost', task, attempt };
  const { git, tree, files } = place;
  await undoReview({ task, attempt }, state, place);
  const putBack = await files.takeBack();
  await place.progress.mend();
  const { base } = progressOf(state, task);
  const now = await git.inspect(tree);
  const paths = now.head === base ? now.changes.map(({ path }) => path) : await git.changedSince(tree, base);
  const own = specPath(place, step.file);
  // A record that was cut off, or an earlier end, has written down what became of questions.
  const isNoted = hasPlanningNotes(state) || !state.policy.commitSpec || (await isNotedAlone(step, place, base));
  const books = isNoted ? [progressPath(place)] : [];
  const excluded = new Set([own, ...books, ...state.foreign]);
  // A worktree has copies of what of the spec is in no commit.
  const isCopy = (path: string) => place !== world && path.startsWith(`${place.spec.path}/`);
  const elsewhere = paths.filter(
    (path) => !excluded.has(path) && !isCopy(path) && !isPrivate(path) && !isCurrentSpec(path),
  );
  const violations = [...putBack, ...(await moved(now, { base, branch: place.ownBranch ?? state.branch }, place))];
  const { sha256, problems, advisesAgainst, scope, probe } = await drafting.check(step, place.spec.dir);
  const isSound = elsewhere.length + violations.length === 0 && problems.every(({ severity }) => severity !== 'error');
  const probed = probe !== undefined && isSound ? await probeDraft(probe, state, world) : undefined;
  if (probed === 'cancelled') return { type: 'check-cancelled', task, attempt };
  const untried = probe?.untrusted ?? 0;
  return {
    type: 'draft-checked',
    task,
    attempt,
    ...(sha256 === undefined ? {} : { sha256 }),
    problems: [...problems, ...(probed?.problems ?? [])],
    ...(probed !== undefined && probed.notes.length > 0 && { notes: probed.notes }),
    ...(untried > 0 && { untried }),
    ...(advisesAgainst && { advisesAgainst }),
    ...(scope && { scope }),
    ...(elsewhere.length > 0 && { elsewhere: elsewhere.slice(0, PATHS_MAX) }),
    ...(violations.length > 0 && { violations }),
  };
}

/** Whether the progress file differs from the commit of the attempt's start only by what a record writes into it. */
async function isNotedAlone(step: DraftStep, place: World, base: string): Promise<boolean> {
  const { git, tree, files, spec, drafting } = place;
  if (drafting === undefined) return false;
  const before = await git.fileAt(tree, base, progressPath(place));
  if (before === undefined) return false;
  return (await drafting.noted(step, before)) === (await readIfText(files, spec.progressFile));
}

/** What was done to the repository and to the state file; commits of the author's own become part of the record. */
async function moved(
  { branch, head, operation }: Inspection,
  before: { readonly base: string; readonly branch: string },
  { git, tree, stateFile }: World,
): Promise<readonly string[]> {
  const isKept = head === before.base || (head !== undefined && (await git.isAncestor(tree, before.base, head)));
  return [
    ...(branch === before.branch
      ? []
      : [`The branch was switched from ${before.branch} to ${branch ?? 'a detached HEAD'}.`]),
    ...(operation === undefined ? [] : [`"git ${operation}" was left half done.`]),
    ...(isKept ? [] : ['Commits that were there before are gone.']),
    ...((await stateFile.isTouched()) ? [`${STATE_FILE} was changed.`] : []),
  ];
}
