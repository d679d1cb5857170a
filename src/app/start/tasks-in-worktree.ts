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
import type { Chosen } from '../worktree/choose.ts';
import { placeInTree } from '../worktree/place.ts';
import type { StartOrder, StartOutcome } from './order.ts';
import { policySource } from './policy.ts';
import type { Site } from './site.ts';
import { siteInWorktree } from './site-in-worktree.ts';
import { readState } from './state-text.ts';

/** The worktree that the tasks of a spec run in, with `--worktree`; see `siteInWorktree`. */
export async function tasksInWorktree(start: SpecPlace, host: Host, order: StartOrder): Promise<Site | StartOutcome> {
  return await siteInWorktree<StartOutcome>(start, host, {
    ...order,
    placeIn: placeInTree,
    check: async (choice) => await check(await planFor(choice, start, host), { start, host, order }),
    preview: async (choice) => await preview(await planFor(choice, start, host), start),
    command: `specloop implement ${commandLine(start.spec.operand)} --worktree`,
  });
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

async function check(
  plan: Plan,
  { start, host, order }: { readonly start: SpecPlace; readonly host: Host; readonly order: StartOrder },
): Promise<void> {
  const bringsState = (await archiveOf(start).latest()) === undefined && !order.resetState;
  if (bringsState) await readState(specFiles(start.spec.dir), start.spec);
  const agents = chooseAgents(agentSources(start));
  findAgents(agents, host);
  const executables = executablesOf(plan, start, agents);
  await requireTrust({ place: start, executables, trust: order.trust === true }, host);
}

/** The order of the tasks. */
async function preview(plan: Plan, start: SpecPlace): Promise<StartOutcome> {
  const latest = await latestRun(archiveOf(start));
  const policy = policySource(start, latest?.state).policyFor(plan, {});
  const agents = agentNames(chooseAgents(agentSources(start)));
  return { is: 'preview', preview: { place: start, plan, policy, agents } };
}
