import { existsSync } from 'node:fs';
import { systemClock } from '../../adapters/clock/system.ts';
import { gitCli } from '../../adapters/git/git-cli.ts';
import { prepareLocks } from '../../adapters/store/kernel-lock.ts';
import { specFiles } from '../../adapters/store/spec-files.ts';
import { missingPlan } from '../../adapters/store/spec-folder.ts';
import type { Plan } from '../../core/plan/data/task.ts';
import { pathInFolder } from '../../core/spec-files.ts';
import { UserError } from '../../core/user-error.ts';
import { readPlanText } from '../../engine/lane/plan-text.ts';
import { planAtStart } from '../../engine/plan-at-start.ts';
import type { AfterKilledRun } from '../../engine/watch/after-killed-run.ts';
import { agentNames, chooseAgents, fallbackAgents, findAgent, findAgents } from '../agents/agents.ts';
import { findSpec } from '../find-spec.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { requireApprovals } from '../planning/require-approvals.ts';
import { archiveOf } from '../run/runs.ts';
import { executablesOf } from '../trust/executables.ts';
import { requireTrust } from '../trust/trust.ts';
import { planningHome } from '../worktree/home.ts';
import { requireConfinement } from './confinement.ts';
import { factsAtStart } from './facts-at-start.ts';
import { findHosting, requireForge } from './hosting.ts';
import { afterKilledRuns } from './killed-runs.ts';
import { requireState } from './known-state.ts';
import { withLocks } from './locks.ts';
import type { StartOrder, StartOutcome } from './order.ts';
import { requireDone, wantsPullRequest, withPullRequest } from './pull-request.ts';
import type { Ready } from './ready.ts';
import { requireRunHere } from './run-here.ts';
import { type Site, siteOf } from './site.ts';
import { siteElsewhere } from './site-elsewhere.ts';
import { startRun } from './start-run.ts';
import { resetState } from './state-text.ts';
import { tasksInWorktree } from './tasks-in-worktree.ts';

/**
 * Starts the run of a spec, or takes up the one that was interrupted: checks everything, then runs it to its end. Nothing is
 * changed before all checks pass (R-START-1). Throws `UserError` for what a person has to put right first, and `HaltedRun`
 * for a fault that came later.
 */
export async function start(host: Host, order: StartOrder): Promise<StartOutcome> {
  const killed = order.dryRun ? undefined : await afterKilledRuns(host);
  const finding = findSpec(host, order.spec, order.settings);
  if (!order.dryRun) prepareLocks(); // Git is at work in the meantime.
  const place = await finding;
  if (order.worktree) {
    const site = await tasksInWorktree(place, host, order);
    return 'is' in site ? site : await startAt(site, order, killed);
  }
  const planned = await plannedElsewhere(place, host, order);
  if (planned !== undefined) return await startAt(planned, order, killed);
  await requireRunHere(place, host);
  return await startAt(siteOf({ start: place, place }, host, order.onStop), order, killed);
}

/** Where a spec was planned that has no run of its tasks yet, or that only another worktree has: its tasks are run there, too. */
async function plannedElsewhere(start: SpecPlace, host: Host, order: StartOrder): Promise<Site | undefined> {
  const { place, elsewhere, run } = await planningHome(start, host);
  const isOnlyThere = !existsSync(start.spec.dir);
  if (elsewhere === undefined || (run?.planning === undefined && !isOnlyThere)) return undefined;
  return await siteElsewhere({ start, place, elsewhere }, host, order);
}

async function startAt(site: Site, order: StartOrder, killed: AfterKilledRun | undefined): Promise<StartOutcome> {
  const { host, place } = site;
  const { spec, repository, loaded } = place;
  const chosen = order.driver !== undefined ? undefined : chooseAgents(site.agentSources);
  const files = specFiles(spec.dir, { heldIn: repository.root });
  const git = gitCli({ root: repository.root, env: host.env });
  const archive = archiveOf(place);
  const findingFacts = factsAtStart(place, { host, order, git, archive });
  findingFacts.catch(() => undefined); // It is awaited below: problems of the plan and of the state file are reported first.
  const plan = await planOnStart(place, { files, git, archive });
  if (!order.resetState) await requireState(files, spec, archive);
  const facts = await findingFacts;
  if (order.onlyPullRequest) requireDone(plan);
  const isWanted = wantsPullRequest(plan, { ...order, facts });
  if (order.dryRun) {
    const policy = withPullRequest(facts.policyFor(plan, {}), loaded.settings, isWanted);
    return { is: 'preview', preview: { place, plan, policy, agents: chosen ? agentNames(chosen) : '' } };
  }
  const agents = chosen && findAgents(chosen, host);
  const fallback = chosen ? fallbackAgents(site.agentSources).map((agent) => findAgent(agent, host)) : [];
  await requireConfinement(loaded.settings, host);
  const hosting = isWanted ? await findHosting(place, host.env, facts.newBranch ?? facts.branch) : undefined;
  if (hosting) await requireForge(hosting, { place, env: host.env });
  else if (order.onlyPullRequest) throw noForge();
  const executables = executablesOf(plan, place, chosen ?? {});
  await requireTrust({ ...site, executables, trust: order.trust === true }, host);
  const approvePlan = order.onlyPullRequest ? undefined : await requireApprovals(place, host, order);
  return await withLocks({ place, branch: facts.newBranch ?? facts.branch }, async (guard) => {
    await approvePlan?.({ newBranch: facts.newBranch !== undefined });
    const backup = order.resetState ? await resetState(files, spec, systemClock.now()) : undefined;
    if (backup !== undefined) host.notify(`The old state file is kept as ${pathInFolder(spec.path, backup)}.`);
    const ready = {
      ...site,
      order,
      killed,
      files,
      plan,
      git,
      archive: guard(archive),
      agents,
      fallback,
      facts,
      hosting,
    };
    return { is: 'run', state: await startRun(ready) };
  });
}

/** The plan that the start goes on from. Throws `UserError` for a spec without one, too. */
async function planOnStart(
  { spec, repository }: SpecPlace,
  { files, git, archive }: Pick<Ready, 'files' | 'git' | 'archive'>,
): Promise<Plan> {
  return await planAtStart({
    git,
    spec,
    tree: { dir: repository.root },
    read: async () => {
      const problem = await missingPlan(spec);
      if (problem) throw new UserError(problem.message, problem.hint);
      return readPlanText(spec.format, await files.read(spec.format.file));
    },
    newest: async () => (await archive.latest())?.envelopes ?? [],
  });
}

function noForge(): UserError {
  return new UserError(
    'The branch has no remote on a forge that is supported (GitHub), so there can be no pull request.',
    'Add one: git remote add origin URL. GH_REPO names the repository if the address does not.',
  );
}
