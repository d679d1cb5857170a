import type { Effect } from '../../core/run/data/effect.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { stepOf } from '../../core/run/drafts.ts';
import { researchPart } from '../../core/spec-files.ts';
import { draftingOf } from '../attempt/drafting-of.ts';
import { notePlanning } from '../attempt/note-planning.ts';
import { readIfText } from '../lane/read-if-text.ts';
import { specPath, type World } from '../lane/world.ts';
import { draftsRef } from './roll-back.ts';

/** Ends a run of planning; the draft that a person is asked about is named by its content as it is now (R-GATE-1). */
export async function finishPlanning(
  { result, reason, wants }: Extract<Effect, { do: 'finish' }>,
  state: RunState,
  world: World,
): Promise<RunEvent> {
  await removeParts(state, world);
  if (result === 'interrupted') return { type: 'run-halted', result, reason };
  const asBefore = result === 'stuck' ? await putDocumentsBack(state, world) : '';
  if (state.rollback === undefined) await notePlanning(state, world);
  const head = state.rollback === 'done' ? (state.planning?.before?.head ?? state.tip) : state.tip;
  const end = {
    type: 'run-finished',
    result,
    reason: world.redact(reason + asBefore + (await whereDraftsAre(state, world))),
    head,
  } as const;
  if (wants !== undefined && 'questions' in wants) return { ...end, wants };
  const key = state.awaitsApproval;
  const step = wants === undefined || key === undefined ? undefined : stepOf(state, key);
  if (step === undefined || key === undefined) return end;
  const { sha256 } = await draftingOf(state, key, world).drafting.check(step, world.spec.dir);
  const { artifact, file } = step;
  return sha256 === undefined ? end : { ...end, wants: { gate: { artifact, file, sha256 } } };
}

/** The parts that a document was merged from go once it is recorded. */
async function removeParts({ tasks }: RunState, { files }: World): Promise<void> {
  const merged = tasks.flatMap(({ step, checked }) => (checked ? (step?.parts ?? []) : []));
  for (const topic of merged) await files.remove(researchPart(topic));
}

/**
 * A document that a run was to change, and gave up, is again as the last commit has it: a draft that did not pass is not taken for
 * what a person has approved, and the boxes of a plan stay as they are (R-PLAN-2). The draft is kept under a ref. Says so in
 * a further line of the reason.
 */
async function putDocumentsBack(state: RunState, world: World): Promise<string> {
  const { git, tree, files } = world;
  if (!state.policy.commitSpec || state.rollback !== undefined) return '';
  let said = '';
  for (const { checked, step } of state.tasks) {
    if (checked || step === undefined || step.topic !== undefined) continue;
    const before = await git.fileAt(tree, state.tip, specPath(world, step.file));
    if (before === undefined || (await readIfText(files, step.file)) === before) continue;
    await files.write(step.file, before);
    said += `\n${specPath(world, step.file)} is as it was before.`;
  }
  return said;
}

/** What became of drafts that were taken away, as a further line of the reason (R-PLAN-3). */
async function whereDraftsAre({ rollback }: RunState, { git, spec }: World): Promise<string> {
  if (rollback !== 'done') return '';
  const ref = draftsRef(spec);
  const kept = (await git.readRef(ref)) === undefined ? '' : `, and is kept under ${ref}`;
  return `\nWhat was made is removed${kept}.`;
}
