import { gitCli } from '../../adapters/git/git-cli.ts';
import { specFiles } from '../../adapters/store/spec-files.ts';
import { missingPlan } from '../../adapters/store/spec-folder.ts';
import { planned } from '../../core/plan/data/planned-task.ts';
import { planningPolicy } from '../../core/planning/planning-policy.ts';
import { stepPlan } from '../../core/planning/step-plan.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { isUnfinished } from '../../core/run/start/is-unfinished.ts';
import { isUnchanged, type SinceEnd } from '../../core/session/since-end.ts';
import { readPlanText } from '../../engine/lane/plan-text.ts';
import { planPath } from '../../engine/lane/world.ts';
import type { RecordedRun } from '../../ports/store.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { archiveOf, type FoldedRun, holderOf, latestRun } from '../run/runs.ts';
import type { StartOptions } from '../start/order.ts';
import { policySource } from '../start/policy.ts';
import { wantsPullRequest, withPullRequest } from '../start/pull-request.ts';
import { readState } from '../start/state-text.ts';

/**
 * The state of the newest run, if it has ended and no person has acted since: a session gets the same answer again (R-SES-1). Throws
 * `UserError` for a plan or a state file that cannot be read.
 */
export async function endedFor(
  place: SpecPlace,
  host: Pick<Host, 'env'>,
  options: Pick<StartOptions, 'pullRequest'>,
): Promise<RunState | undefined> {
  const latest = await latestRun(archiveOf(place));
  if (latest?.state.ended === undefined || isUnfinished(latest.state)) return undefined;
  if (latest.state.planning !== undefined) return await endedPlanning({ ...place, ...latest }, host);
  if ((await holderOf(place)).held || (await missingPlan(place.spec)) !== undefined) return undefined;
  const now = await sinceEnd({ ...place, ...latest }, host, options);
  return isUnchanged(latest.state, now) ? latest.state : undefined;
}

/** Where planning cannot go on, a person acts with a command, or changes limits or head; the steps are in no file. */
async function endedPlanning(
  { repository, spec, run, state, ...place }: SpecPlace & FoldedRun,
  { env }: Pick<Host, 'env'>,
): Promise<RunState | undefined> {
  const cannotGoOn = state.ended?.result === 'stuck' || state.ended?.result === 'limit';
  if (!cannotGoOn || (await holderOf({ repository, spec })).held) return undefined;
  const { head } = await gitCli({ root: repository.root, env }).inspect({ dir: repository.root });
  const { policyFor } = policySource({ ...place, repository, spec }, state);
  const { state: stated } = await readState(specFiles(spec.dir, { heldIn: repository.root }), spec);
  const { tasks } = state;
  const steps = tasks.flatMap(({ step, checked, commit }) =>
    step === undefined ? [] : [{ step, isDone: checked, commit: commit ?? '' }],
  );
  const policy = planningPolicy(policyFor(stepPlan(steps, spec), stated));
  const now = { tasks, policy, head, endedAt: endOfRun(run), isPlanEdited: false };
  return isUnchanged(state, now) ? state : undefined;
}

/** What a person may have changed since the run ended. */
async function sinceEnd(
  { repository, spec, run, state, ...place }: SpecPlace & FoldedRun,
  { env }: Pick<Host, 'env'>,
  { pullRequest }: Pick<StartOptions, 'pullRequest'>,
): Promise<SinceEnd> {
  const git = gitCli({ root: repository.root, env });
  const tree = { dir: repository.root };
  const files = specFiles(spec.dir, { heldIn: repository.root });
  const plan = readPlanText(spec.format, await files.read(spec.format.file));
  const { state: stated } = await readState(files, spec);
  const { hadPullRequest, policyFor } = policySource({ ...place, repository, spec }, state);
  const policy = policyFor(plan, stated);
  const { head } = await git.inspect(tree);
  const committed = head === undefined ? undefined : await git.fileAt(tree, head, planPath({ spec }));
  const isWanted = wantsPullRequest(plan, { pullRequest, facts: { hadPullRequest } });
  return {
    tasks: plan.tasks.map((task) => planned(task, policy.workdir ?? '')),
    policy: withPullRequest(policy, place.loaded.settings, isWanted),
    head,
    endedAt: endOfRun(run),
    isPlanEdited: policy.commitSpec && committed !== undefined && committed !== plan.text,
  };
}

/** The commit at which a run ended. */
function endOfRun({ envelopes }: RecordedRun): string | undefined {
  const end = envelopes.findLast(({ event }) => event.type === 'run-finished')?.event;
  return end?.type === 'run-finished' ? end.head : undefined;
}
