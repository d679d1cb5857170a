import { randomUUID } from 'node:crypto';
import { systemClock } from '../../adapters/clock/system.ts';
import { gitCli } from '../../adapters/git/git-cli.ts';
import { readFacts } from '../../adapters/git/repository.ts';
import { prepareLocks } from '../../adapters/store/kernel-lock.ts';
import { specFiles } from '../../adapters/store/spec-files.ts';
import { missingPlan } from '../../adapters/store/spec-folder.ts';
import { fold } from '../../core/run/evolve.ts';
import { foreignPaths } from '../../core/run/foreign.ts';
import { preflight } from '../../core/run/preflight.ts';
import { holdsWork } from '../../core/run/resume.ts';
import { UserError } from '../../core/user-error.ts';
import { isUnfinished } from '../../engine/open.ts';
import { readPlanText } from '../../engine/plan-text.ts';
import type { Git } from '../../ports/git.ts';
import type { RunArchive } from '../../ports/store.ts';
import { executablesOf } from '../executables.ts';
import { findSpec, type SpecPlace } from '../place.ts';
import { archiveOf } from '../runs.ts';
import { agentNames, agentSources, chooseAgents, findAgents } from './agents.ts';
import { requireConfinement } from './confinement.ts';
import { dryRun } from './dry-run.ts';
import type { ImplementInput } from './input.ts';
import { afterKilledRuns } from './killed-runs.ts';
import { withLocks } from './locks.ts';
import { policySource } from './policy.ts';
import type { Before, Ready } from './ready.ts';
import { requireRunHere } from './run-here.ts';
import type { Site } from './site.ts';
import { siteInWorktree } from './site-in-worktree.ts';
import { startRun } from './start-run.ts';
import { readState, resetState } from './state-text.ts';
import { requireTrust } from './trust.ts';

/**
 * `specloop implement`: checks everything, then runs the spec to its end. Nothing is changed before all checks pass
 * (R-START-1). Resolves with the exit code; throws `UserError` for what a person has to put right first.
 */
export async function runImplement(given: ImplementInput): Promise<number> {
  const killed = given.options.dryRun ? undefined : await afterKilledRuns(given);
  const input = killed === undefined ? given : { ...given, killed };
  const finding = findSpec(input, input.spec, input.flags);
  if (!input.options.dryRun) prepareLocks(); // Git is at work meanwhile.
  const place = await finding;
  if (!input.options.worktree) {
    await requireRunHere(place, input);
    return await implementAt({ input, place, agents: agentSources(place) });
  }
  const site = await siteInWorktree(input, place);
  return typeof site === 'number' ? site : await implementAt(site);
}

async function implementAt({ input, place, madeFrom, agents: sources }: Site): Promise<number> {
  const { env, cwd, options } = input;
  const problem = await missingPlan(place.spec);
  if (problem) throw new UserError(problem.message, problem.hint);
  const chosen = chooseAgents(sources);
  const files = specFiles(place.spec.dir, { heldIn: place.repository.root });
  const clock = systemClock;
  const { repository } = place;
  const git = gitCli({ root: repository.root, env });
  const archive = archiveOf(place);
  const standing = facts(input, place, { git, archive });
  standing.catch(() => undefined); // What is wrong with the plan is told first.
  const plan = readPlanText(await files.read('tasks.md'));
  if (!options.resetState) await readState(files, place.spec.path);
  const before = await standing;
  if (options.dryRun)
    return dryRun(plan, {
      ...input,
      settings: place.loaded.settings,
      agents: agentNames(chosen),
      spec: place.spec,
      policy: before.policyFor(plan.tasks.length, {}),
    });
  const agents = findAgents(chosen, { cwd, env });
  const executables = executablesOf(plan, place);
  const trusted = { executables, loaded: place.loaded, trust: options.trust, clock, ...(madeFrom && { madeFrom }) };
  await requireConfinement(place.loaded.settings, input);
  await requireTrust({ repository, ...trusted }, input);
  const branch = before.newBranch ?? before.branch;
  return await withLocks({ place, branch, clock }, async (guard) => {
    const backup = options.resetState ? await resetState(files, clock.now()) : undefined;
    if (backup !== undefined) input.stderr.write(`The old state file is kept as ${place.spec.path}/${backup}.\n`);
    const ready: Ready = {
      input,
      place,
      files,
      plan,
      git,
      archive: guard(archive),
      clock,
      agents,
      before,
      newId: randomUUID,
    };
    return await startRun(ready);
  });
}

/** How repository and last run stand, and whether a run may begin (R-START-2). Throws `UserError`. */
async function facts(
  { env, stderr, options }: ImplementInput,
  place: SpecPlace,
  { git, archive }: { readonly git: Git; readonly archive: RunArchive },
): Promise<Before> {
  const { repository, spec, loaded } = place;
  const [{ head, branch, operation, changes }, known, latest] = await Promise.all([
    git.inspect({ dir: repository.root }),
    readFacts(repository, env),
    archive.latest(),
  ]);
  const state = latest && fold(latest.envelopes.map(({ event }) => event));
  const resumes = state !== undefined && isUnfinished(state);
  const foreign = foreignPaths(
    changes.map(({ path }) => path),
    spec.path,
  );
  const isInFlight = resumes && [...state.progress.values()].some(holdsWork);
  const { allowDirty, allowDefaultBranch } = loaded.settings;
  const checked = preflight(
    { spec: spec.name, head, branch, operation, foreign, isInFlight, ...known },
    { allowDirty: allowDirty || options.dryRun, allowDefaultBranch },
  );
  if (!checked.ok) throw new UserError(checked.message, checked.hint);
  if (options.dryRun && foreign.length > 0 && !allowDirty && !isInFlight)
    stderr.write(
      'A run would refuse to start, as there are uncommitted changes outside the spec; see --allow-dirty.\n',
    );
  return { branch: branch ?? '', newBranch: checked.newBranch, foreign, ...policySource(place, state) };
}
