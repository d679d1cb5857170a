import { systemClock } from '../adapters/clock/system.ts';
import { gitCli } from '../adapters/git/git-cli.ts';
import { specFiles } from '../adapters/store/spec-files.ts';
import type { Role } from '../core/agent/role.ts';
import { planned } from '../core/plan/data/planned-task.ts';
import type { Plan } from '../core/plan/data/task.ts';
import type { PlanFormat } from '../core/plan/format.ts';
import { planningPolicy } from '../core/planning/planning-policy.ts';
import { stepFormat, stepPlan } from '../core/planning/step-plan.ts';
import { DOCUMENTS } from '../core/planning/steps.ts';
import { agentFor } from '../core/run/choose-agent.ts';
import type { RunState } from '../core/run/data/state.ts';
import { evolve } from '../core/run/evolve.ts';
import { nextAttempt } from '../core/run/next-attempt.ts';
import { isUnfinished } from '../core/run/start/is-unfinished.ts';
import { planPathOf } from '../core/spec-files.ts';
import { commandLine } from '../core/text/command-line.ts';
import { UserError } from '../core/user-error.ts';
import { promptOf as promptInRun } from '../engine/attempt/prompt-of.ts';
import { reviewPrompt } from '../engine/attempt/review-prompt.ts';
import { TrustedPlan } from '../engine/lane/trusted-plan.ts';
import { recordTrailers } from '../engine/lane/world.ts';
import { open } from '../engine/open.ts';
import type { Git } from '../ports/git.ts';
import type { SpecFiles } from '../ports/store.ts';
import { agentCalled, agentSources } from './agents/agent-choice.ts';
import { chosenAgents } from './agents/agents.ts';
import type { Host } from './host.ts';
import type { SpecPlace } from './place.ts';
import { draftingFor } from './planning/drafting.ts';
import { phaseSteps } from './planning/phase.ts';
import { type PlannedSteps, takenUp } from './planning/planned-steps.ts';
import { answersIn } from './run/answers.ts';
import { archiveOf, type FoldedRun, holderOf, latestRun } from './run/runs.ts';
import { coverageIfAny } from './spec/coverage.ts';
import { planOf } from './spec/plan-file.ts';
import { policySource } from './start/policy.ts';
import { readState } from './start/state-text.ts';
import { homeOf, notifyElsewhere } from './worktree/home.ts';

/** Which prompt is asked for. */
export interface PromptQuestion {
  /** Id or key of the task, or the name of a document. */
  readonly task: string;
  /** Default: the role that the task's marker gives it. */
  readonly role?: Role | undefined;
}

/**
 * The prompt that an agent would get for its next attempt at a task or a document, made by what makes it in a run (R-AGT-7). Changes nothing.
 * Throws `UserError` for a task that is not in the plan.
 */
export async function promptOf(start: SpecPlace, host: Host, { task: id, role }: PromptQuestion): Promise<string> {
  const home = await homeOf(start, host);
  notifyElsewhere(home, host);
  const { place } = home;
  const { repository, spec } = place;
  const git = gitCli({ root: repository.root, env: host.env });
  const files = specFiles(spec.dir, { heldIn: repository.root });
  const step = await stepAsked(place, host, id);
  const now = await upcoming(place, { git, files, step });
  const task = now.state.tasks.find(({ key }) => key === id) ?? now.state.tasks.find((found) => found.id === id);
  if (task === undefined || !now.plan.tasks.some(({ key }) => key === task.key))
    throw new UserError(
      `${planPathOf(spec)} has no task "${id}".`,
      `List the tasks with "specloop tasks ${commandLine(spec.operand)}".`,
    );
  if (step !== undefined && role !== undefined && role !== 'reviewer')
    throw new UserError(`No ${role} gets ${task.id}.`, 'Leave --role out for its author, or pass --role reviewer.');
  if (task.checked) host.notify(`${step === undefined ? `Task ${task.id}` : task.id} is done: no agent gets it again.`);
  const { state, lane, ...attempt } = nextAttempt(now.state, task.key, role);
  const run = now.run;
  const there = {
    spec: { ...spec, run: run ?? '' },
    plan: new TrustedPlan(now.plan, now.format),
    ...(step && { drafting: draftingFor(place, host, { ...step, goal: step.planning.goal, files }) }),
    files,
    workdir: state.policy.workdir ?? '',
    promptBytesMax: place.loaded.settings.maxPrompt,
    coverage: () => coverageIfAny(place, host),
    lane,
    git,
    tree: { dir: repository.root },
    folder: run === undefined ? noRecords : archiveOf(place).folder(run),
  };
  return attempt.role === 'reviewer'
    ? await reviewPrompt({ ...attempt, round: attempt.attempt }, state, { world: there, place: there })
    : await promptInRun(
        { ...attempt, hasTools: takesTools(place, agentFor(state, attempt.role).agent, attempt.role) },
        state,
        there,
      );
}

/** The list of the run that would draft this document, or of the one that does; `undefined` for what names a task. */
async function stepAsked(place: SpecPlace, host: Host, id: string): Promise<PlannedSteps | undefined> {
  const artifact = DOCUMENTS.find((name) => name === id.split(':')[0]);
  if (artifact === undefined) return undefined;
  const begun = takenUp((await latestRun(archiveOf(place)))?.state);
  const isIn = begun?.steps.some(({ step }) => step.artifact === artifact) === true;
  return isIn ? begun : await phaseSteps(place, host, { artifact, asIs: true });
}

/** The newest run, where it is of the kind that is asked about: the work of one kind means nothing to the other. */
async function newestOfKind(place: SpecPlace, step: PlannedSteps | undefined): Promise<FoldedRun | undefined> {
  const latest = await latestRun(archiveOf(place));
  return (latest?.state.planning === undefined) === (step === undefined) ? latest : undefined;
}

/** Whether the agent that is set would be given the tools of its attempt; without one there are none. */
function takesTools(place: SpecPlace, name: string | undefined, role: Role): boolean {
  const sources = agentSources(place);
  const own = chosenAgents(sources)[role];
  const agent = name === undefined || name === own?.name ? own : agentCalled(name, sources);
  return agent?.kind.about.can.includes('tools') === true;
}

const noRecords = { readRecord: async () => undefined };

interface Upcoming {
  readonly state: RunState;
  readonly plan: Plan;
  readonly format: PlanFormat;
  /** Id of the newest run, where that is the one that goes on. */
  readonly run?: string;
}

/** The state that a start would go on from; of a run that is at work, the one it is in. */
async function upcoming(
  start: SpecPlace,
  { git, files, step }: { readonly git: Git; readonly files: SpecFiles; readonly step: PlannedSteps | undefined },
): Promise<Upcoming> {
  const { repository } = start;
  const plan = step === undefined ? (await planOf(start.spec)).plan : stepPlan(step.steps, start.spec);
  const format = step === undefined ? start.spec.format : stepFormat(plan);
  const spec = { ...start.spec, format };
  const latest = await newestOfKind(start, step);
  if (latest && isUnfinished(latest.state) && (await holderOf(start)).held)
    return { state: latest.state, plan, format, run: latest.run.id };
  const { state: stated } = await readState(files, spec);
  const chosen = policySource(start, latest?.state).policyFor(plan, stated);
  const policy = step === undefined ? chosen : planningPolicy(chosen);
  const tree = { dir: repository.root };
  const opening = await open({
    git,
    tree,
    envelopes: latest?.run.envelopes ?? [],
    spec,
    plan,
    policy,
    stated,
    now: systemClock.now(),
    answers: latest && (await answersIn(archiveOf(start).folder(latest.run.id))),
    trailers: (task) => recordTrailers({ run: latest?.run.id ?? '' }, task),
  });
  if (opening.kind === 'resume')
    return { state: evolve(opening.state, opening.event), plan: opening.plan, format, run: latest?.run.id ?? '' };
  const tasks = plan.tasks.map((task) => planned(task, policy.workdir ?? ''));
  const begun = {
    type: 'run-started',
    policy,
    tasks,
    agents: '',
    carried: opening.carried,
    globalIteration: 0,
    ...(step && { planning: step.planning }),
  } as const;
  const { head = '' } = await git.inspect(tree);
  return { state: { ...evolve(undefined, begun), tip: head }, plan, format };
}
