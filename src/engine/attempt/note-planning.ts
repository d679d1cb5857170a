import type { RunState } from '../../core/run/data/state.ts';
import { hasPlanningNotes, withPlanningNotes } from '../../core/run/record/planning-notes.ts';
import { progressPath, type World } from '../lane/world.ts';

/** Writes into the progress file what a run of planning found out for later ones. Returns the paths that hold it. */
export async function notePlanning(state: RunState, { files, spec }: World): Promise<readonly string[]> {
  if (!hasPlanningNotes(state)) return [];
  const before = (await files.read(spec.progressFile)) ?? '';
  const after = withPlanningNotes(state, before);
  if (after !== before) await files.write(spec.progressFile, after);
  return [progressPath({ spec })];
}
