import { gitCli } from '../../adapters/git/git-cli.ts';
import { prepareLocks } from '../../adapters/store/kernel-lock.ts';
import { specFiles } from '../../adapters/store/spec-files.ts';
import type { Plan } from '../../core/plan/data/task.ts';
import { stepFormat, stepPlan } from '../../core/planning/step-plan.ts';
import { planPathOf } from '../../core/spec-files.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { hasControlCharacter } from '../../core/text/sanitise.ts';
import { UserError } from '../../core/user-error.ts';
import type { AfterKilledRun } from '../../engine/watch/after-killed-run.ts';
import { chooseAgents, fallbackAgents, findAgent, findAgents } from '../agents/agents.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { openQuestionsOf, requireFitting } from '../run/answers.ts';
import { archiveOf, latestRun } from '../run/runs.ts';
import { knownReality } from '../shell/reproduction.ts';
import { requireConfinement } from '../start/confinement.ts';
import { factsAtStart } from '../start/facts-at-start.ts';
import { afterKilledRuns } from '../start/killed-runs.ts';
import { requireState } from '../start/known-state.ts';
import { withLocks } from '../start/locks.ts';
import type { Site } from '../start/site.ts';
import { startRun } from '../start/start-run.ts';
import { requireTrust, untrustedOf } from '../trust/trust.ts';
import { draftingFor } from './drafting.ts';
import { dueMeasures, trustedMeasures } from './measures.ts';
import { rolesOf, takenUp } from './planned-steps.ts';
import { planningAhead } from './planning-ahead.ts';
import { planningExecutables } from './planning-executables.ts';
import type { PlanningOrder, PlanningOutcome } from './planning-order.ts';
import { planningSite } from './planning-site.ts';

/**
 * Starts a run that drafts documents of a spec, or takes up the one that was interrupted (R-PLAN-2). Checks everything first:
 * nothing is changed before. Throws `UserError`, and `HaltedRun` for a fault that came later.
 */
export async function startPlanning(start: SpecPlace, host: Host, order: PlanningOrder): Promise<PlanningOutcome> {
  requireFolder(start);
  const killed = order.dryRun ? undefined : await afterKilledRuns(host);
  if (!order.dryRun) prepareLocks();
  const site = await planningSite(start, host, order);
  return 'is' in site ? site : await planAt(site, order, killed);
}

/**
 * Which commands of a drafted plan may not be tried: with `--trust` all may that a person could read, as they would be run
 * (R-SEC-1).
 */
function untrustedBy({ place, madeFrom, host }: Site, { trust }: Pick<PlanningOrder, 'trust'>) {
  return async (commands: readonly string[]): Promise<ReadonlySet<string>> => {
    const untrusted = trust ? [] : await untrustedOf({ place, madeFrom, commands }, host);
    return new Set([...untrusted, ...commands.filter(hasControlCharacter)]);
  };
}

async function planAt(site: Site, order: PlanningOrder, killed: AfterKilledRun | undefined): Promise<PlanningOutcome> {
  const { host, place, agentSources: sources } = site;
  const { repository, spec, loaded } = place;
  const git = gitCli({ root: repository.root, env: host.env });
  const archive = archiveOf(place);
  const facts = await factsAtStart(place, { host, order, git, archive, isPlanning: true });
  const latest = await latestRun(archive);
  if (latest !== undefined) requireFitting(await openQuestionsOf(place, latest), order);
  const unfinished = takenUp(latest?.state);
  const planned = unfinished ?? (await order.list(place));
  const { steps, planning, choices } = planned;
  const chosen = order.driver === undefined ? chooseAgents(sources, rolesOf(steps)) : undefined;
  if (order.dryRun) return { is: 'preview', ahead: planningAhead(place, planned, { ...facts, chosen: chosen ?? {} }) };
  const agents = chosen && findAgents(chosen, host);
  const fallback = chosen ? fallbackAgents(sources).map((agent) => findAgent(agent, host)) : [];
  await requireConfinement(loaded.settings, host);
  const trust = order.trust === true;
  const due = await dueMeasures(place, host, planned);
  // Without a person to ask, research does without what is not trusted.
  const measures = trust || host.confirm !== undefined ? due : [];
  const { executables, reproduction } = planningExecutables(place, planned, {
    chosen: chosen ?? {},
    sources,
    measures,
  });
  await requireTrust({ ...site, executables, trust }, host);
  const trusted = await trustedMeasures(site, due);
  return await withLocks({ place, branch: facts.newBranch ?? facts.branch }, async (guard) => {
    if (unfinished === undefined) await order.make?.(place, { newBranch: facts.newBranch !== undefined });
    const files = specFiles(spec.dir, { heldIn: repository.root });
    await requireState(files, spec, archive);
    const plan: Plan = stepPlan(steps, spec);
    const known = reproduction ?? knownReality(place);
    const { goal } = planning;
    const drafting = draftingFor(place, host, {
      goal,
      choices,
      files,
      reproduction: known?.command,
      untrusted: loaded.settings.measure ? untrustedBy(site, order) : undefined,
    });
    const state = await startRun({
      ...site,
      place: { ...place, spec: { ...spec, format: stepFormat(plan) } },
      order,
      killed,
      files,
      plan,
      git,
      archive: guard(archive),
      agents,
      fallback,
      facts,
      hosting: undefined,
      drafts: { planning, drafting, reproduction: reproduction?.command, measures: trusted },
    });
    return { is: 'run', state, place };
  });
}

/** Requires a spec with a folder, where documents can be drafted. Throws `UserError` for a plan that is a single file. */
function requireFolder({ spec }: Pick<SpecPlace, 'spec'>): void {
  if (!spec.isSingleFile) return;
  throw new UserError(
    `${planPathOf(spec)} is a single file, and documents are drafted in the folder of a spec.`,
    `Run it as it is (specloop implement ${commandLine(spec.operand)}), or make a spec: specloop new ${spec.name} "GOAL".`,
  );
}
