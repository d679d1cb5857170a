import { resolveSpec } from '../../adapters/store/spec-folder.ts';
import type { Drafted } from '../../core/plan/data/step.ts';
import { nextStep, type PlanningNext } from '../../core/planning/next-step.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { isUnfinished } from '../../core/run/start/is-unfinished.ts';
import type { Host } from '../host.ts';
import type { Place, SpecPlace } from '../place.ts';
import { archiveOf, latestRun } from '../run/runs.ts';
import { specsElsewhere } from '../worktree/elsewhere.ts';
import { planningHome } from '../worktree/home.ts';
import { documentsIn, type SpecDocuments } from './documents.ts';

/** What comes next for a spec: also a planning run that was interrupted, or a draft that the last run gave up. */
export type ComesNext = PlanningNext | { readonly is: 'resume' | 'revise'; readonly artifact: Drafted };

/** Finds out what comes next for a spec (R-PLAN-1); with `planOnly` the plan waits for a person in any case (R-PLAN-3). */
export async function comesNext(
  start: SpecPlace,
  host: Pick<Host, 'env'>,
  { planOnly = false }: { readonly planOnly?: boolean } = {},
): Promise<ComesNext> {
  const { place } = await planningHome(start, host);
  if (place.spec.isSingleFile) return { is: 'implement' };
  const state = (await latestRun(archiveOf(place)))?.state;
  const artifact = planningUnderWay(state);
  if (artifact !== undefined) return { is: 'resume', artifact };
  const next = planningNext(state, await documentsIn(place, host), { planOnly });
  // No check let it pass, so it is nothing to approve yet.
  if (next.is === 'decide' && next.document.state === 'draft' && next.document.artifact === givenUp(state))
    return { is: 'revise', artifact: next.document.artifact };
  return next;
}

/** What comes next for the documents of a spec whose newest run is given; no one is asked about what was drafted without a gate. */
export function planningNext(
  state: RunState | undefined,
  spec: SpecDocuments,
  { planOnly = false }: { readonly planOnly?: boolean } = {},
): PlanningNext {
  const gates = planOnly && spec.gates === 'none' ? 'final' : spec.gates;
  const next = nextStep({ ...spec, gates, givenUp: givenUp(state) });
  return next.is === 'decide' && !planOnly && isPlannedWithoutGate(state) ? { is: 'implement' } : next;
}

/** The document that the newest run ended in the middle of. */
export function givenUp(state: RunState | undefined): Drafted | undefined {
  if (state?.planning === undefined || (state.ended?.result !== 'stuck' && state.ended?.result !== 'limit'))
    return undefined;
  return state.tasks.find(({ checked }) => !checked)?.step?.artifact;
}

/** Whether the newest run drafted the plan, and no person was to look at it. */
function isPlannedWithoutGate(state: RunState | undefined): boolean {
  if (state?.planning === undefined || state.ended?.result !== 'completed') return false;
  return state.tasks.some(({ step, checked }) => step?.artifact === 'tasks' && checked);
}

/** The document that an unfinished run of planning comes to next; `undefined` for any other run. */
export function planningUnderWay(state: RunState | undefined): Drafted | undefined {
  if (state?.planning === undefined || !isUnfinished(state)) return undefined;
  const open = state.tasks.find(({ checked }) => !checked) ?? state.tasks.at(-1);
  return open?.step?.artifact ?? 'tasks';
}

/** Whether a spec of this name is there, in this tree or another one. */
export async function isThere(
  place: Place & Pick<SpecPlace, 'repository'>,
  host: Pick<Host, 'env'>,
  name: string,
): Promise<boolean> {
  return (await resolveSpec(place.roots, name)).ok || (await specsElsewhere(place, host, name)).length > 0;
}
