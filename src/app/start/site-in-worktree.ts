import { gitCli } from '../../adapters/git/git-cli.ts';
import { specFiles } from '../../adapters/store/spec-files.ts';
import { missingPlan } from '../../adapters/store/spec-folder.ts';
import type { Plan } from '../../core/plan/data/task.ts';
import { planPathOf } from '../../core/spec-files.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { UserError } from '../../core/user-error.ts';
import { readPlanText } from '../../engine/lane/plan-text.ts';
import { agentSources } from '../agents/agent-choice.ts';
import { agentNames, chooseAgents, findAgents } from '../agents/agents.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { archiveOf, latestRun } from '../run/runs.ts';
import { executablesOf } from '../trust/executables.ts';
import { requireTrust } from '../trust/trust.ts';
import { type Chosen, chooseWorktree } from '../worktree/choose.ts';
import { chooseAtRest } from '../worktree/choose-at-rest.ts';
import { bringHooks } from '../worktree/hooks.ts';
import { makeWorktree, tellWhere } from '../worktree/make.ts';
import { placeInTree } from '../worktree/place.ts';
import { surveyFor } from '../worktree/survey.ts';
import { withLocks } from './locks.ts';
import type { OnStop, StartOrder, StartOutcome } from './order.ts';
import { policySource } from './policy.ts';
import type { Site } from './site.ts';
import { readState } from './state-text.ts';
import { relayStops } from './stop-relay.ts';

type Missing = Extract<Chosen, { readonly is: 'missing' }>;

/**
 * `--worktree`: the spec in a worktree of its own, which is made if it is missing. From then on all is as if the command
 * had been started there, with the settings of the tree that it was started in. Resolves with the outcome where nothing is
 * to be run: after a dry run of what is not there yet, and after a signal. Throws `UserError`.
 */
export async function siteInWorktree(start: SpecPlace, host: Host, order: StartOrder): Promise<Site | StartOutcome> {
  const choice = await choose(start, host);
  const isThere = choice.is === 'there' && (choice.isReady || order.dryRun);
  if (isThere) {
    tellWhere(choice, host);
    const place = await placeInTree(start, choice.dir, host.env);
    if (!order.dryRun) await bringHooks(place.repository, host);
    return siteOf({ start, place }, host, order.onStop);
  }
  const plan = await planFor(choice, start, host);
  if (choice.is === 'missing' && order.dryRun) return await previewBefore(plan, choice, { start, host });
  await check(plan, { start, host, order });
  return await make(choice.branch, { start, host, order });
}

/** What a step before the run needs to know. */
interface Starting {
  /** The spec in the tree that the command was given in. */
  readonly start: SpecPlace;
  readonly host: Host;
  readonly order: StartOrder;
}

function siteOf(
  { start, place }: { readonly start: SpecPlace; readonly place: SpecPlace },
  host: Host,
  onStop: OnStop,
): Site {
  const isSame = start.repository.root === place.repository.root;
  return {
    host: { ...host, cwd: place.roots.cwd },
    place,
    agentSources: agentSources(start),
    onStop,
    ...(isSame ? {} : { madeFrom: start.repository }),
  };
}

async function choose(start: SpecPlace, host: Host): Promise<Chosen> {
  const choice = chooseWorktree(await surveyFor(start, host));
  if (choice.is === 'refused') throw new UserError(choice.message, choice.hint);
  return choice;
}

/** The plan that the worktree has, or will have: that of its branch, else the one in the user's tree. Throws `UserError`. */
async function planFor(choice: Chosen, start: SpecPlace, { env }: Host): Promise<Plan> {
  const { root } = start.repository;
  const { format } = start.spec;
  const isNew = choice.is === 'missing' && choice.at !== undefined;
  const git = gitCli({ root, env });
  const tip = isNew ? undefined : await git.readRef(`refs/heads/${choice.branch}`);
  const committed = tip && (await git.fileAt({ dir: root }, tip, planPathOf(start.spec)));
  if (committed !== undefined) return readPlanText(format, committed);
  const problem = await missingPlan(start.spec);
  if (problem) throw new UserError(problem.message, problem.hint);
  return readPlanText(format, await specFiles(start.spec.dir).read(format.file));
}

/** What would be refused in the worktree is refused before there is one (R-START-1). Throws `UserError`. */
async function check(plan: Plan, { start, host, order }: Starting): Promise<void> {
  const bringsState = (await archiveOf(start).latest()) === undefined && !order.resetState;
  if (bringsState) await readState(specFiles(start.spec.dir), start.spec);
  const agents = chooseAgents(agentSources(start));
  findAgents(agents, host);
  const executables = executablesOf(plan, start, agents);
  await requireTrust({ place: start, executables, trust: order.trust === true }, host);
}

/** The order of the tasks; which worktree would be made for them is a notice (R-START-8). */
async function previewBefore(
  plan: Plan,
  { dir, branch, at }: Missing,
  { start, host }: Pick<Starting, 'start' | 'host'>,
): Promise<StartOutcome> {
  const latest = await latestRun(archiveOf(start));
  const policy = policySource(start, latest?.state).policyFor(plan, {});
  const agents = agentNames(chooseAgents(agentSources(start)));
  host.notify(`Would create the worktree ${dir}, on the ${at === undefined ? '' : 'new '}branch ${branch}.`);
  return { is: 'preview', preview: { place: start, plan, policy, agents } };
}

/**
 * Makes the worktree ready under the locks of spec and branch, so that of two starts one is refused (R-FILE-6). What was
 * there to choose from may have changed before they were ours. The run takes the locks again.
 */
async function make(branch: string, { start, host, order }: Starting): Promise<Site | StartOutcome> {
  const { onStop, asked } = relayStops(order.onStop);
  const place = await withLocks({ place: start, branch }, async () => {
    const choice = await chooseAtRest(() => choose(start, host), start.repository);
    return await makeWorktree(choice, start, { host, onStop, isStopped: () => asked() !== undefined });
  });
  const signal = asked();
  if (signal === undefined) {
    await bringHooks(place.repository, host);
    return siteOf({ start, place }, host, onStop);
  }
  host.notify(
    `Stopped before the run began. Run \`specloop implement ${commandLine(start.spec.operand)} --worktree\` to continue.`,
  );
  return { is: 'stopped', signal };
}
