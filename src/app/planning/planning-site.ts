import { readWorktreeRecord } from '../../adapters/store/worktree-record.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { agentSources } from '../agents/agent-choice.ts';
import { chooseAgents, findAgents } from '../agents/agents.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { archiveOf, latestRun, privateFolderOf } from '../run/runs.ts';
import { requireConfinement } from '../start/confinement.ts';
import { policySource } from '../start/policy.ts';
import { requireRunHere } from '../start/run-here.ts';
import { type Site, siteOf } from '../start/site.ts';
import { siteElsewhere } from '../start/site-elsewhere.ts';
import { siteInWorktree } from '../start/site-in-worktree.ts';
import { requireTrust } from '../trust/trust.ts';
import type { Chosen } from '../worktree/choose.ts';
import { type Home, planningHome } from '../worktree/home.ts';
import { placeInTree, placeToMake } from '../worktree/place.ts';
import { type PlannedSteps, rolesOf, takenUp } from './planned-steps.ts';
import { planningAhead } from './planning-ahead.ts';
import { planningExecutables } from './planning-executables.ts';
import type { PlanningOrder, PlanningOutcome } from './planning-order.ts';

/**
 * Where a run of planning works: with `--worktree` in a worktree of the spec's own, which is made if it is missing; else where the
 * spec was planned before, which is said; else here (R-START-2). Resolves with the outcome where nothing is to be run. Throws
 * `UserError`.
 */
export async function planningSite(
  start: SpecPlace,
  host: Host,
  order: PlanningOrder,
): Promise<Site | PlanningOutcome> {
  const home = await planningHome(start, host);
  const { place, elsewhere } = home;
  if (order.worktree || isHalfReady(home))
    return await siteInWorktree<PlanningOutcome>(start, host, {
      ...order,
      placeIn: order.isNew && elsewhere === undefined ? placeToMake : placeInTree,
      check: async (choice) => await check(choice, start, host, order),
      preview: async () => await preview(start, order),
      command: `specloop ${order.isNew ? 'new' : 'start'} ${commandLine(start.spec.operand)} --worktree`,
    });
  if (elsewhere !== undefined) return await siteElsewhere({ start, place, elsewhere }, host, order);
  await requireRunHere(start, host);
  return siteOf({ start, place: start }, host, order.onStop);
}

/** Whether a start was cut off before the worktree was set up. */
function isHalfReady({ place, elsewhere }: Home): boolean {
  const record = readWorktreeRecord(privateFolderOf(place));
  return elsewhere !== undefined && record?.dir === elsewhere.dir && record.stage !== 'ready';
}

/** On a branch that is there, the documents may be others than here: they are looked at once they are. */
async function check(choice: Chosen, start: SpecPlace, host: Host, order: PlanningOrder): Promise<void> {
  if (choice.is !== 'missing' || choice.at === undefined) return;
  const planned = await plannedHere(start, order);
  const sources = agentSources(start);
  const chosen = order.driver === undefined ? chooseAgents(sources, rolesOf(planned.steps)) : {};
  findAgents(chosen, host);
  await requireConfinement(start.loaded.settings, host);
  const { executables } = planningExecutables(start, planned, { chosen, sources, measures: [] });
  await requireTrust({ place: start, executables, trust: order.trust === true }, host);
}

async function preview(start: SpecPlace, order: PlanningOrder): Promise<PlanningOutcome> {
  const planned = await plannedHere(start, order);
  const latest = await latestRun(archiveOf(start));
  const chosen = chooseAgents(agentSources(start), rolesOf(planned.steps));
  const { policyFor } = policySource(start, latest?.state.planning === undefined ? undefined : latest.state);
  return { is: 'preview', ahead: planningAhead(start, planned, { policyFor, chosen }) };
}

async function plannedHere(start: SpecPlace, { list }: PlanningOrder): Promise<PlannedSteps> {
  return takenUp((await latestRun(archiveOf(start)))?.state) ?? (await list(start));
}
