import { systemClock } from '../../adapters/clock/system.ts';
import { gitCli } from '../../adapters/git/git-cli.ts';
import { specFiles } from '../../adapters/store/spec-files.ts';
import { missingPlan } from '../../adapters/store/spec-folder.ts';
import type { Plan } from '../../core/plan/task.ts';
import { UserError } from '../../core/user-error.ts';
import { readPlanText } from '../../engine/plan-text.ts';
import { executablesOf } from '../executables.ts';
import type { SpecPlace } from '../place.ts';
import { archiveOf, latestRun } from '../runs.ts';
import { type Chosen, chooseWorktree } from '../worktree/choose.ts';
import { chooseAtRest } from '../worktree/choose-at-rest.ts';
import { bringHooks } from '../worktree/hooks.ts';
import { makeWorktree, tellWhere } from '../worktree/make.ts';
import { placeInTree } from '../worktree/place.ts';
import { surveyFor } from '../worktree/survey.ts';
import { agentNames, agentSources, chooseAgents, findAgents } from './agents.ts';
import { dryRun } from './dry-run.ts';
import { signalExitCode } from './exit-code.ts';
import type { ImplementInput } from './input.ts';
import { withLocks } from './locks.ts';
import { policySource } from './policy.ts';
import type { Site } from './site.ts';
import { readState } from './state-text.ts';
import { relayStops } from './stop-relay.ts';
import { requireTrust } from './trust.ts';

type Missing = Extract<Chosen, { readonly is: 'missing' }>;

/**
 * `--worktree`: the spec in a worktree of its own, which is made if it is missing. From then on all is as if the command
 * had been started there, with the settings of the tree that it was started in. Resolves with the exit code where nothing is
 * to be run: after a dry run of what is not there yet, and after a signal. Throws `UserError`.
 */
export async function siteInWorktree(input: ImplementInput, start: SpecPlace): Promise<Site | number> {
  const choice = await choose(start, input);
  const isThere = choice.is === 'there' && (choice.isReady || input.options.dryRun);
  if (isThere) {
    tellWhere(choice, input.stderr);
    const place = await placeInTree(start, choice.dir, input.env);
    if (!input.options.dryRun) await bringHooks(place.repository, input);
    return siteOf(input, { start, place });
  }
  const plan = await planFor(choice, start, input);
  if (choice.is === 'missing' && input.options.dryRun) return await dryRunBefore(plan, choice, { input, start });
  await check(plan, start, input);
  return await make(choice.branch, { input, start });
}

function siteOf(
  input: ImplementInput,
  { start, place }: { readonly start: SpecPlace; readonly place: SpecPlace },
): Site {
  const isSame = start.repository.root === place.repository.root;
  return {
    input: { ...input, cwd: place.roots.cwd },
    place,
    agents: agentSources(start),
    ...(isSame ? {} : { madeFrom: start.repository }),
  };
}

async function choose(start: SpecPlace, input: ImplementInput): Promise<Chosen> {
  const choice = chooseWorktree(await surveyFor(start, input));
  if (choice.is === 'refused') throw new UserError(choice.message, choice.hint);
  return choice;
}

/** The plan that the worktree has, or will have: that of its branch, else the one in the user's tree. Throws `UserError`. */
async function planFor(choice: Chosen, start: SpecPlace, { env }: ImplementInput): Promise<Plan> {
  const { root } = start.repository;
  const isNew = choice.is === 'missing' && choice.at !== undefined;
  const git = gitCli({ root, env });
  const tip = isNew ? undefined : await git.readRef(`refs/heads/${choice.branch}`);
  const committed = tip && (await git.fileAt({ dir: root }, tip, `${start.spec.path}/tasks.md`));
  if (committed !== undefined) return readPlanText(committed);
  const problem = await missingPlan(start.spec);
  if (problem) throw new UserError(problem.message, problem.hint);
  return readPlanText(await specFiles(start.spec.dir).read('tasks.md'));
}

/** What would be refused in the worktree is refused before there is one (R-START-1). Throws `UserError`. */
async function check(plan: Plan, start: SpecPlace, input: ImplementInput): Promise<void> {
  const { cwd, env, options } = input;
  const bringsState = (await archiveOf(start).latest()) === undefined && !options.resetState;
  if (bringsState) await readState(specFiles(start.spec.dir), start.spec.path);
  findAgents(chooseAgents(agentSources(start)), { cwd, env });
  const { repository } = start;
  const executables = executablesOf(plan, start);
  await requireTrust(
    { repository, executables, loaded: start.loaded, trust: options.trust, clock: systemClock },
    input,
  );
}

/** Shows the order of the tasks, and which worktree would be made for them (R-START-8). */
async function dryRunBefore(
  plan: Plan,
  { dir, branch, at }: Missing,
  { input, start }: { readonly input: ImplementInput; readonly start: SpecPlace },
): Promise<number> {
  const latest = await latestRun(archiveOf(start));
  const policy = policySource(start, latest?.state).policyFor(plan.tasks.length, {});
  const agents = agentNames(chooseAgents(agentSources(start)));
  input.stderr.write(`Would make the worktree ${dir}, on the ${at === undefined ? '' : 'new '}branch ${branch}.\n`);
  return dryRun(plan, { ...input, settings: start.loaded.settings, spec: start.spec, agents, policy });
}

/**
 * Makes the worktree ready under the locks of spec and branch, so that of two starts one is refused (R-FILE-6). What was
 * there to choose from may have changed before they were ours. The run takes the locks again.
 */
async function make(
  branch: string,
  { input, start }: { readonly input: ImplementInput; readonly start: SpecPlace },
): Promise<Site | number> {
  const stops = relayStops(input.onStop);
  const relayed = { ...input, onStop: stops.onStop, isStopped: () => stops.asked() !== undefined };
  const place = await withLocks({ place: start, branch, clock: systemClock }, async () =>
    makeWorktree(await chooseAtRest(() => choose(start, input), start.repository), start, relayed),
  );
  const signal = stops.asked();
  if (signal === undefined) {
    await bringHooks(place.repository, input);
    return siteOf({ ...input, onStop: stops.onStop }, { start, place });
  }
  input.stderr.write(
    `Stopped before the run began. Run \`specloop implement ${start.spec.name} --worktree\` to go on.\n`,
  );
  return signalExitCode(signal);
}
