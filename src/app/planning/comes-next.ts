import { resolveSpec } from '../../adapters/store/spec-folder.ts';
import type { Drafted } from '../../core/plan/step.ts';
import { nextStep, type PlanningNext } from '../../core/planning/next-step.ts';
import { isUnfinished } from '../../core/run/is-unfinished.ts';
import type { Host } from '../host.ts';
import type { Place, SpecPlace } from '../place.ts';
import { archiveOf, latestRun } from '../runs.ts';
import { documentsIn } from './documents.ts';

/** What comes next for a spec, a planning run that was interrupted included. */
export type ComesNext = PlanningNext | { readonly is: 'resume'; readonly artifact: Drafted; readonly isQuick: boolean };

/** Finds out what comes next for a spec (R-PLAN-1). */
export async function comesNext(place: SpecPlace, host: Host): Promise<ComesNext> {
  const state = (await latestRun(archiveOf(place)))?.state;
  if (state?.planning !== undefined && isUnfinished(state)) {
    const open = state.tasks.find(({ checked }) => !checked) ?? state.tasks.at(-1);
    return { is: 'resume', artifact: open?.step?.artifact ?? 'tasks', isQuick: state.planning.isQuick === true };
  }
  return nextStep(await documentsIn(place, host));
}

/** Whether a spec of this name is there. */
export async function isThere({ roots }: Pick<Place, 'roots'>, name: string): Promise<boolean> {
  return (await resolveSpec(roots, name)).ok;
}
