import type { Drafted } from '../../core/plan/data/step.ts';
import { withoutRejections } from '../../core/planning/rejections.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { hasPlanningNotes, withPlanningNotes } from '../../core/run/record/planning-notes.ts';
import { progressPath, type World } from '../lane/world.ts';

/**
 * Writes into the progress file what a run of planning found out for later ones, and that the document that is being recorded
 * is no longer to be changed. Returns the paths that hold it.
 */
export async function notePlanning(
  state: RunState,
  { files, spec }: World,
  recorded?: Drafted,
): Promise<readonly string[]> {
  const before = (await files.read(spec.progressFile)) ?? '';
  const noted = hasPlanningNotes(state) ? withPlanningNotes(state, before) : before;
  const after = recorded === undefined ? noted : withoutRejections(noted, [recorded]);
  if (after === before && !hasPlanningNotes(state)) return [];
  if (after !== before) await files.write(spec.progressFile, after);
  return [progressPath({ spec })];
}
