import type { DraftStep } from '../../core/plan/data/step.ts';
import type { Effect } from '../../core/run/data/effect.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import { progressOf, type RunState, taskOf } from '../../core/run/data/state.ts';
import { draftingOf } from '../attempt/drafting-of.ts';
import { foldAgentCommits } from '../attempt/fold-agent-commits.ts';
import { keptRef } from '../attempt/kept-ref.ts';
import { putLeftoversBack } from '../attempt/leftovers.ts';
import { blockedBy, isUnmade, makeOwnCommit, notCommitted } from '../attempt/make-commit.ts';
import { notePlanning } from '../attempt/note-planning.ts';
import { findPlace } from '../lane/member.ts';
import { readIfText } from '../lane/read-if-text.ts';
import { progressPath, recordTrailers, specPath, type World } from '../lane/world.ts';

/** Records an accepted draft in a commit that holds nothing else (R-PLAN-2). What is recorded is what was checked. */
export async function recordDraft(
  { task, attempt }: Extract<Effect, { do: 'record-draft' }>,
  state: RunState,
  world: World,
): Promise<RunEvent> {
  const { step, drafting } = draftingOf(state, task, world);
  const { git, tree, spec } = world;
  const own = specPath(world, step.file);
  if (step.topic !== undefined) return await recordPart({ task, attempt }, state, world);
  const known = state.drafts.get(task)?.sha256;
  const { sha256, inputs } = await drafting.check(step, spec.dir);
  if (sha256 === undefined || sha256 !== known) return { type: 'check-cancelled', task, attempt, moved: [own] };
  if (state.planning?.isQuick) await drafting.mark(step);
  const recorded = { type: 'draft-recorded', task, attempt, sha256, inputs } as const;
  const { base } = progressOf(state, task);
  const decided = [...(await notePlanning(state, world)), ...(await noteRecorded(step, world))];
  const folded = await foldAgentCommits(state, world, { key: task, attempt, base });
  if (!state.policy.commitSpec) return { ...recorded, head: state.tip, ...folded };
  const { id, commit } = taskOf(state, task);
  const message = commit ?? `spec(${spec.name}): add ${step.file}`;
  const before = (await git.inspect(tree)).changes
    .map(({ path }) => path)
    .filter((path) => path !== own && !decided.includes(path));
  const trailers = recordTrailers(spec, { id, attempt });
  const done = await makeOwnCommit(world, { message, trailers, paths: [own, ...decided], keepsStaged: true });
  if (isUnmade(done))
    return notCommitted(done, blockedBy(done, { own: false, ownMessage: true }), { task, attempt, message });
  const ref = `${keptRef(spec, { key: task, attempt })}-hooks`;
  const left = await putLeftoversBack(world, { ref, exclude: before });
  await world.progress.accept();
  if (done.how !== 'committed') return { ...recorded, head: state.tip, ...left, ...folded };
  // Hooks may have formatted it.
  const after = await drafting.check(step, spec.dir);
  return {
    ...recorded,
    sha256: after.sha256 ?? sha256,
    commit: done.commit,
    head: done.commit,
    ...left,
    ...folded,
  };
}

/** Writes into the progress file what follows from the record of a document. Returns the paths that hold it. */
async function noteRecorded(step: DraftStep, world: World): Promise<readonly string[]> {
  const { drafting, files, spec } = world;
  const before = (await files.read(spec.progressFile)) ?? '';
  const after = (await drafting?.noted(step, before)) ?? before;
  if (after !== before) await files.write(spec.progressFile, after);
  return after === '' ? [] : [progressPath(world)];
}

/** A part of research is in no commit: it is in the spec's folder until the parts are merged. */
async function recordPart(
  { task, attempt }: { readonly task: string; readonly attempt: number },
  state: RunState,
  world: World,
): Promise<RunEvent> {
  const { step, drafting } = draftingOf(state, task, world);
  const place = await findPlace(world, task);
  if (place === undefined) return { type: 'work-lost', task, attempt };
  const { sha256, inputs } = await drafting.check(step, place.spec.dir);
  const text = await readIfText(place.files, step.file);
  if (sha256 === undefined || text === undefined || sha256 !== state.drafts.get(task)?.sha256)
    return { type: 'check-cancelled', task, attempt, moved: [specPath(world, step.file)] };
  if (place !== world) await world.files.write(step.file, text);
  const { base } = progressOf(state, task);
  const folded = await foldAgentCommits(state, world, { key: task, attempt, base });
  return { type: 'draft-recorded', task, attempt, sha256, inputs, head: state.tip, ...folded };
}
