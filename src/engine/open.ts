import { type PlannedTask, planned } from '../core/plan/data/planned-task.ts';
import type { Plan } from '../core/plan/data/task.ts';
import type { PlanFormat } from '../core/plan/format.ts';
import type { Policy } from '../core/policy.ts';
import type { Carried } from '../core/run/data/carried.ts';
import type { Envelope, RunEvent } from '../core/run/data/event.ts';
import { progressOf, type RunState, taskOf } from '../core/run/data/state.ts';
import { drivenMs } from '../core/run/driven-time.ts';
import { isTreeHandedOver } from '../core/run/drivers.ts';
import { fold } from '../core/run/evolve.ts';
import { inFlight } from '../core/run/holds-work.ts';
import { isInTree } from '../core/run/lane-of.ts';
import { answerFor } from '../core/run/question.ts';
import { answerTo } from '../core/run/questions.ts';
import { carry } from '../core/run/start/carry.ts';
import { isUnfinished } from '../core/run/start/is-unfinished.ts';
import { trustedCommit } from '../core/run/start/trusted-commit.ts';
import { untouchedPaths } from '../core/run/start/users-paths.ts';
import type { StateFileFields } from '../core/state-file/parse.ts';
import { UserError } from '../core/user-error.ts';
import type { Git, Tree } from '../ports/git.ts';
import { readPlanText } from './lane/plan-text.ts';
import { planPath } from './lane/world.ts';
import { withOwnBoxesOpen } from './pull-request/own-boxes.ts';

/** How a start goes on: with a run that was interrupted, or with a new one. */
export type Opening =
  | {
      readonly kind: 'resume';
      readonly state: RunState;
      readonly event: Extract<RunEvent, { type: 'run-resumed' }>;
      /** The plan to trust: an attempt in flight may have written to the file. */
      readonly plan: Plan;
      /** How long its driver has had it already, in milliseconds. */
      readonly drivenMs: number;
    }
  | {
      readonly kind: 'new';
      readonly carried: Carried;
      /** Why the unfinished run before it cannot be resumed. */
      readonly abandoned?: string;
    };

export interface OpeningFacts {
  readonly git: Git;
  readonly tree: Tree;
  /** Journal of the newest run of this spec. */
  readonly envelopes: readonly Envelope[];
  /** `path` is the spec's folder relative to the repository's root. */
  readonly spec: { readonly path: string; readonly format: PlanFormat; readonly progressFile: string };
  /** The plan on disk. */
  readonly plan: Plan;
  readonly policy: Policy;
  /** What the state file tells. */
  readonly stated: StateFileFields;
  /** Who drives the run; absent for a process that runs the agents itself. */
  readonly driver?: string | undefined;
  /** The present moment, ISO 8601 in UTC. */
  readonly now: string;
  /** What a person answered, by the ids of the tasks that asked (R-AGT-6), or of their questions (R-ASK-3). */
  readonly answers?: ReadonlyMap<string, string> | undefined;
  /** Trailers that record an attempt of the unfinished run. */
  readonly trailers: (task: { readonly id: string; readonly attempt: number }) => Readonly<Record<string, string>>;
}

/** Decides whether the newest run is resumed, and with which facts (R-ADV-2, R-RETRY-1, R-FILE-7). Changes nothing. */
export async function open(facts: OpeningFacts): Promise<Opening> {
  const state = fold(facts.envelopes.map(({ event }) => event));
  if (state === undefined) return { kind: 'new', carried: carry(undefined, facts.stated) };
  if (!isUnfinished(state)) return { kind: 'new', carried: carry(state, facts.stated) };
  const abandoned = await whyAbandoned(state, facts);
  return abandoned === undefined
    ? await resumed(state, facts)
    : { kind: 'new', carried: carry(state, facts.stated), abandoned };
}

async function whyAbandoned(state: RunState, { git, tree }: OpeningFacts): Promise<string | undefined> {
  if (state.branch === '' || isTreeHandedOver(state)) return undefined;
  // A roll-back leaves the branch of the run, and may have done so already.
  if (state.rollback !== undefined) return undefined;
  const { branch, head } = await git.inspect(tree);
  if (branch !== state.branch) {
    if ((await git.readRef(`refs/heads/${state.branch}`)) === undefined)
      return `its branch ${state.branch} no longer exists`;
    throw new UserError(
      `An unfinished run of this spec is on the branch ${state.branch}, but the working tree is on ${branch ?? 'a detached HEAD'}.`,
      `Switch back to resume it (git switch ${state.branch}), or end it with "specloop cancel --remove-state".`,
    );
  }
  if (head !== undefined && (await git.isAncestor(tree, state.tip, head))) return undefined;
  const key = inFlight(state).find((key) => isInTree(state, key));
  if (key === undefined) return `the branch ${state.branch} was rewritten`;
  // Whether a person did that or the agent: a run on what is left would trust ticks that no one proved.
  throw new UserError(
    `The branch ${state.branch} was rewritten while task ${taskOf(state, key).id} was running: commit ${state.tip} is no longer on it.`,
    `Put it back to resume (git reset --soft ${state.tip}), or end the run with "specloop cancel --remove-state".`,
  );
}

async function resumed(state: RunState, facts: OpeningFacts): Promise<Opening> {
  const { git, tree, policy, driver } = facts;
  const drivenFor = driver === undefined ? 0 : drivenMs(facts.envelopes, { driver, now: facts.now });
  const { maxTimeMs: limitMs } = policy;
  const { head = '', changes } = await git.inspect(tree);
  const recorded = await findRecorded(state, facts);
  const working = inFlight(state).filter((key) => key !== recorded?.task);
  const isPlanning = state.planning !== undefined;
  const plan = isPlanning ? facts.plan : await planToTrust(state, facts, { head, recorded, working });
  const tasks = plan.tasks.map((task) => planned(task, policy.workdir ?? ''));
  const paths = changes.map(({ path }) => path);
  const isTicked = (key: string) => key === recorded?.task && state.progress.get(key)?.at === 'COMMITTING';
  const known = state.tasks.map((task) => (isTicked(task.key) ? { ...task, checked: true } : task));
  const event: Extract<RunEvent, { type: 'run-resumed' }> = {
    type: 'run-resumed',
    head,
    policy,
    ...(driver === undefined ? {} : { driver }),
    ...(limitMs === undefined || drivenFor < limitMs ? {} : { outOfTime: { limitMs } }),
    ...answersTo(state, facts),
    ...(recorded ? { recorded } : {}),
    ...(isPlanning || JSON.stringify(tasks) === JSON.stringify(known) ? {} : { tasks }),
    ...(working.length > 0 || state.policy.keepFailedChanges
      ? {}
      : { foreign: untouchedPaths(paths, facts.spec, state.tasks) }),
  };
  return { kind: 'resume', state, event, plan, drivenMs: drivenFor };
}

interface CutOff {
  readonly head: string;
  readonly recorded: { readonly task: string; readonly commit: string } | undefined;
  /** Keys of the tasks that are in flight. */
  readonly working: readonly string[];
}

async function planToTrust(state: RunState, facts: OpeningFacts, { working, ...found }: CutOff): Promise<Plan> {
  const commit = trustedCommit(state, found);
  return commit === undefined
    ? await withoutHalfRecord(state, { ...facts, head: found.head })
    : await committedPlan(facts, { commit, working, known: state.tasks });
}

/**
 * The plan on disk, without ticks of the lifecycle's own tasks that are in no commit: it ticks them with their proof, and a
 * record that was cut off is made again (R-PR-9).
 */
async function withoutHalfRecord(
  { pullRequest }: RunState,
  { git, tree, spec, plan, head }: OpeningFacts & { readonly head: string },
): Promise<Plan> {
  if (pullRequest === undefined) return plan;
  const text = await git.fileAt(tree, head, planPath({ spec }));
  return text === undefined || text === plan.text
    ? plan
    : withOwnBoxesOpen(spec.format, plan, readPlanText(spec.format, text));
}

/** The answers to what tasks of the run ask: those that a person gave, and those that the start brings for such questions. */
function answersTo(
  state: RunState,
  { policy, answers }: OpeningFacts,
): Pick<Extract<RunEvent, { type: 'run-resumed' }>, 'answers'> {
  const given = [...state.progress].flatMap(([key, progress]) => {
    if (progress.at !== 'asking') return [];
    if (progress.questions !== undefined)
      return progress.questions.flatMap((question) => {
        const found = answerTo({ ...state, policy }, key, question, answers?.get(question.id));
        if (found === undefined) return [];
        const { answer, basis } = found;
        return [{ task: key, question: question.id, answer, ...(basis === 'assumed' && { basis }) }];
      });
    const answer = answers?.get(taskOf(state, key).id) ?? answerFor({ ...state, policy }, key, progress.question);
    return answer === undefined ? [] : [{ task: key, answer }];
  });
  return given.length > 0 ? { answers: given } : {};
}

/** A commit that was under way may have come to be: its trailers prove it (R-ADV-2). */
async function findRecorded(
  state: RunState,
  { git, tree, trailers }: OpeningFacts,
): Promise<{ readonly task: string; readonly commit: string } | undefined> {
  for (const [key, progress] of state.progress) {
    if (progress.at !== 'COMMITTING' && progress.at !== 'HOLDING') continue;
    const { base, attempt } = progressOf(state, key);
    const commit = await git.findRecord(tree, {
      since: base,
      trailers: trailers({ id: taskOf(state, key).id, attempt }),
    });
    if (commit !== undefined) return { task: key, commit };
  }
  return undefined;
}

/**
 * What the last commit made by specloop says, with the tasks of the run that are in no commit yet, which are on disk. A tick of
 * a task in flight was written by its agent, or before its record was made.
 */
async function committedPlan(
  { git, tree, spec, plan }: OpeningFacts,
  {
    commit,
    working,
    known,
  }: { readonly commit: string; readonly working: readonly string[]; readonly known: readonly PlannedTask[] },
): Promise<Plan> {
  const text = await git.fileAt(tree, commit, planPath({ spec }));
  if (text === plan.text) return plan;
  const committed = text === undefined ? undefined : readPlanText(spec.format, text);
  if (committed && known.every(({ key }) => committed.tasks.some((task) => task.key === key))) return committed;
  const open = withBoxesOpen(spec.format, plan, working);
  return committed ? spec.format.reconcile(committed, open.text, { own: working }).plan : open;
}

function withBoxesOpen(format: PlanFormat, plan: Plan, keys: readonly string[]): Plan {
  let open = plan;
  for (const task of plan.tasks.filter(({ key }) => keys.includes(key))) {
    const edited = format.untick(open, task);
    if (edited.ok) open = edited.plan;
  }
  return open;
}
