import { gitCli } from '../../adapters/git/git-cli.ts';
import { prepareLocks } from '../../adapters/store/kernel-lock.ts';
import { specFiles } from '../../adapters/store/spec-files.ts';
import type { Role } from '../../core/agent/role.ts';
import type { Plan } from '../../core/plan/data/task.ts';
import type { PlanningChoices } from '../../core/planning/choices.ts';
import type { PlanningFacts } from '../../core/planning/planning-facts.ts';
import { planningPolicy } from '../../core/planning/planning-policy.ts';
import { type ListedStep, stepFormat, stepPlan } from '../../core/planning/step-plan.ts';
import { commitSubject } from '../../core/planning/steps.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { isUnfinished } from '../../core/run/start/is-unfinished.ts';
import { planPathOf } from '../../core/spec-files.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { UserError } from '../../core/user-error.ts';
import type { PlanningAhead, RoleAhead } from '../../core/view/steps-ahead.ts';
import { agentSources } from '../agents/agent-choice.ts';
import { chooseAgents, fallbackAgents, findAgent, findAgents } from '../agents/agents.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { openQuestionsOf, requireFitting } from '../run/answers.ts';
import { archiveOf, latestRun } from '../run/runs.ts';
import { dueReproduction, knownReality } from '../shell/reproduction.ts';
import { requireConfinement } from '../start/confinement.ts';
import { factsAtStart } from '../start/facts-at-start.ts';
import { afterKilledRuns } from '../start/killed-runs.ts';
import { requireState } from '../start/known-state.ts';
import { withLocks } from '../start/locks.ts';
import type { StartOrder } from '../start/order.ts';
import { requireRunHere } from '../start/run-here.ts';
import { startRun } from '../start/start-run.ts';
import { limitsOf } from '../start/world.ts';
import { agentExecutables, type ChosenAgents } from '../trust/executables.ts';
import { requireTrust } from '../trust/trust.ts';
import { draftingFor } from './drafting.ts';

/** The list of a planning run, and what it is made with. */
export interface PlannedSteps {
  readonly steps: readonly ListedStep[];
  readonly planning: PlanningFacts;
  readonly choices: PlanningChoices;
}

/** What came of a start of planning. */
export type PlanningOutcome =
  | { readonly is: 'run'; readonly state: RunState }
  /** What would be run; nothing was changed (R-START-8). */
  | { readonly is: 'preview'; readonly ahead: PlanningAhead };

/** A start of planning, as it was asked for. */
export interface PlanningOrder
  extends Pick<
    StartOrder,
    'settings' | 'trust' | 'answers' | 'assumes' | 'takeOver' | 'driver' | 'begins' | 'surfaces' | 'onStop' | 'dryRun'
  > {
  /** Decides what is drafted, from the spec as it is. */
  readonly list: () => Promise<PlannedSteps>;
  /** Brings about what a new run needs, once nothing keeps it from starting; done again it changes nothing. */
  readonly make?: (on: { readonly newBranch: boolean }) => Promise<void>;
}

/**
 * Starts a run that drafts documents of a spec, or takes up the one that was interrupted (R-PLAN-2). Checks everything first:
 * nothing is changed before. Throws `UserError`, and `HaltedRun` for a fault that came later.
 */
export async function startPlanning(place: SpecPlace, host: Host, order: PlanningOrder): Promise<PlanningOutcome> {
  requireFolder(place);
  const killed = order.dryRun ? undefined : await afterKilledRuns(host);
  if (!order.dryRun) prepareLocks();
  await requireRunHere(place, host);
  const { repository, spec, loaded } = place;
  const git = gitCli({ root: repository.root, env: host.env });
  const archive = archiveOf(place);
  const facts = await factsAtStart(place, { host, order, git, archive, isPlanning: true });
  const sources = agentSources(place);
  const latest = await latestRun(archive);
  if (latest !== undefined) requireFitting(await openQuestionsOf(place, latest), order);
  const unfinished = takenUp(latest?.state);
  const { steps, planning, choices } = unfinished ?? (await order.list());
  const chosen = order.driver === undefined ? chooseAgents(sources, rolesOf(steps)) : undefined;
  if (order.dryRun) {
    const policy = planningPolicy(facts.policyFor(stepPlan(steps, spec), {}));
    return { is: 'preview', ahead: { planning, steps, policy, role: roleIn(chosen ?? {}, loaded) } };
  }
  const agents = chosen && findAgents(chosen, host);
  const fallback = chosen ? fallbackAgents(sources).map((agent) => findAgent(agent, host)) : [];
  await requireConfinement(loaded.settings, host);
  const { goal } = planning;
  const reproduction = dueReproduction(place, { goal, goalClass: choices.goalClass });
  const executables = [...agentExecutables(chosen ?? {}, loaded.settings), ...[reproduction ?? []].flat()];
  await requireTrust({ place, executables, trust: order.trust === true }, host);
  return await withLocks({ place, branch: facts.newBranch ?? facts.branch }, async (guard) => {
    if (unfinished === undefined) await order.make?.({ newBranch: facts.newBranch !== undefined });
    const files = specFiles(spec.dir, { heldIn: repository.root });
    await requireState(files, spec, archive);
    const plan: Plan = stepPlan(steps, spec);
    const known = reproduction ?? knownReality(place);
    const drafting = draftingFor(place, host, { goal, choices, files, reproduction: known?.command });
    const state = await startRun({
      host,
      place: { ...place, spec: { ...spec, format: stepFormat(plan) } },
      agentSources: sources,
      onStop: order.onStop,
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
      drafts: { planning, drafting, reproduction: reproduction?.command },
    });
    return { is: 'run', state };
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

/** Who works in a role, and how long an attempt may take. */
function roleIn(chosen: ChosenAgents, { settings }: SpecPlace['loaded']): (role: Role) => RoleAhead {
  return (role) => ({ agent: chosen[role]?.name ?? '', ...limitsOf(settings, role) });
}

/** The list of a planning run that was interrupted: it goes on with what it was started with. */
export function takenUp(state: RunState | undefined): PlannedSteps | undefined {
  if (state?.planning === undefined || !isUnfinished(state)) return undefined;
  const { planning, tasks } = state;
  const steps = tasks.flatMap(({ step, checked, commit }) =>
    step === undefined
      ? []
      : [{ step, isDone: checked, commit: commit ?? commitSubject(planning.spec, step.artifact) }],
  );
  const { goalClass, workflow, skipped = [], tasksSize = 'fine' } = planning;
  return { steps, planning, choices: { goalClass, workflow, skipped, tasksSize } };
}

/** The roles of the steps that are to be done, and of those who look at their drafts. */
function rolesOf(steps: readonly ListedStep[]): readonly Role[] {
  const open = steps.filter(({ isDone }) => !isDone).map(({ step }) => step.role);
  return [...new Set<Role>([...open, 'reviewer'])];
}
