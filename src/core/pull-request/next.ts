import type { PlannedTask } from '../plan/data/planned-task.ts';
import { counted } from '../text/words.ts';
import { fixesOf, openRequests, type Request, readChecks, taskFrom, withoutTask } from './assess.ts';
import type { PullRequestEnding } from './ending.ts';
import { NOW } from './evolve.ts';
import { lifecycleIds } from './ids.ts';
import { originOfCheck, writable } from './origin.ts';
import type { PullRequestPolicy } from './policy.ts';
import type { Check, PullRequest, Seen } from './seen.ts';
import type { PullRequestState } from './state.ts';
import type { ForgeFinding, PullRequestStep } from './step.ts';

/** What the lifecycle has to know of the run. */
export interface RunAround {
  readonly policy: PullRequestPolicy;
  readonly tasks: readonly PlannedTask[];
  /** The newest commit of the branch. */
  readonly tip: string;
  /** Checks that work waits for, which is not ticked yet. */
  readonly awaited: readonly string[];
}

/** A step, a wait, or the end of the lifecycle. */
export type NextStep =
  | { readonly do: 'step'; readonly step: PullRequestStep }
  | { readonly do: 'wait'; readonly untilMs: number }
  | { readonly do: 'end'; readonly ending: PullRequestEnding };

/** Decides what the lifecycle does next, once every other task of the plan is recorded. `undefined` while a step is under way. */
export function nextStep(state: PullRequestState | undefined, around: RunAround): NextStep | undefined {
  if (state?.underWay) return undefined;
  if (state === undefined) return step({ step: 'push', commit: around.tip });
  if (state.ended) return { do: 'end', ending: state.ended };
  const limit = limitOf(state, around);
  if (limit) return { do: 'end', ending: limit };
  if (state.pause?.why === 'trouble') return { do: 'wait', untilMs: state.pause.untilMs };
  if (state.merging) {
    const [id = ''] = lifecycleIds(around.tasks, 1);
    return step({ step: 'adopt', id, ...state.merging });
  }
  if (state.isBehind) return step({ step: 'compare' });
  if (state.seen?.pullRequest.state === 'merged') return afterMerge({ ...state, seen: state.seen }, around);
  if (state.pushed !== around.tip) return step({ step: 'push', commit: around.tip });
  if (state.pullRequest === undefined) return step({ step: 'open' });
  if (state.pause) return waitUntil(state, around.policy, state.pause.untilMs);
  if (state.seen === undefined) return step({ step: 'look' });
  return afterLook({ ...state, pullRequest: state.pullRequest, seen: state.seen }, around);
}

function step(order: PullRequestStep): NextStep {
  return { do: 'step', step: order };
}

type AtLook = PullRequestState & Required<Pick<PullRequestState, 'pullRequest' | 'seen'>>;

/** What follows from what was seen; all of it is about the commit that was pushed last (R-PR-10). */
function afterLook(state: AtLook, around: RunAround): NextStep {
  const { seen } = state;
  const { pullRequest } = seen;
  if (pullRequest.state === 'closed') return { do: 'end', ending: closed(pullRequest) };
  if (pullRequest.head !== state.pushed) return step({ step: 'compare' });
  if (pullRequest.mergeable === 'conflict') {
    return step({ step: 'merge', base: pullRequest.base });
  }
  return afterChecks(state, around) ?? afterReviews(state, around);
}

/** A person closed it (R-PR-11). */
function closed({ url }: PullRequest): PullRequestEnding {
  return {
    result: 'waiting',
    reason: `The pull request was closed without a merge: ${url}\nReopen it and run specloop pr to go on; nothing is lost, the branch is pushed.`,
  };
}

/**
 * A person merged it (R-PR-11). What the lifecycle's own tasks speak of holds if the checks were green; then they are ticked,
 * in commits that are on the branch here alone: nothing is pushed to a branch that is done with (R-RETRY-5).
 */
function afterMerge(
  { seen: { pullRequest, checks }, pushed, recorded }: PullRequestState & { readonly seen: Seen },
  { tip, tasks }: RunAround,
): NextStep {
  const { url, head } = pullRequest;
  const left = tasks.filter(({ checked, optional }) => !checked && !optional).map(({ id }) => id);
  const isAll = head === pushed && (tip === pushed || tip === recorded);
  if (!isAll)
    return waitsFor(
      `The pull request was merged at ${head.slice(0, 8)}, before ${tip.slice(0, 8)} was part of it: ${url}\nThe newer commits are on the branch. Open a new pull request for them.`,
    );
  if (left.length === 0) {
    const reason = `Every task is recorded, and the pull request is merged: ${url}`;
    return { do: 'end', ending: { result: 'completed', reason } };
  }
  const { failed, cutOff, pending } = readChecks(checks);
  if (recorded !== tip && failed.length + cutOff.length + pending.length === 0) return step({ step: 'record' });
  return waitsFor(
    `The pull request was merged before all of it was proved: ${url}\nTasks that are open: ${left.join(', ')}. Tick them in the plan if nothing is missing.`,
  );
}

function waitsFor(reason: string): NextStep {
  return { do: 'end', ending: { result: 'waiting', reason } };
}

/** Nothing once the checks that decide are green. */
function afterChecks(state: AtLook, { policy, tasks, awaited }: RunAround): NextStep | undefined {
  const { seen, pushed = '' } = state;
  const checks = readChecks(seen.checks);
  const rerunning = checks.cutOff.filter((check) => isRerunning(state, check));
  if (checks.pending.length > 0 || rerunning.length > 0) return wait(state, policy);
  const again = checks.cutOff.find((check) => check.job !== undefined && !wasRerun(state, check));
  if (again?.job !== undefined) return step({ step: 'rerun', check: again.name, job: again.job });
  const red = [...checks.failed, ...checks.cutOff];
  if (red.length > 0) {
    const fresh = withoutTask(red, { tasks, head: pushed }).filter(({ name }) => !awaited.includes(writable(name)));
    // A task was made and recorded without a new commit: nothing will change by itself.
    if (fresh.length === 0) return wait(state, policy);
    return plan(
      fresh.map((check) => findingOf(check, pushed)),
      tasks,
    );
  }
  const isExpected = checks.deciding.length === 0 && policy.noChecks === 'wait';
  const acceptedAt = (state.pushedAtMs ?? state.nowMs) + policy.noChecksWaitMs;
  if (isExpected && state.nowMs < acceptedAt) return wait(state, policy, { noLaterThan: acceptedAt });
  return undefined;
}

type Unnamed<F> = F extends ForgeFinding ? Omit<F, 'id'> : never;

function plan(findings: readonly Unnamed<ForgeFinding>[], tasks: readonly PlannedTask[]): NextStep {
  const ids = lifecycleIds(tasks, findings.length);
  return step({
    step: 'plan',
    findings: findings.map((finding, at) => ({ ...finding, id: ids[at] ?? '' }) as ForgeFinding),
  });
}

function findingOf(check: Check, head: string): Unnamed<ForgeFinding> {
  const { name, job, summary, url } = check;
  return {
    kind: 'check',
    origin: originOfCheck(check, head),
    name,
    ...(job === undefined ? {} : { job }),
    ...(summary === undefined ? {} : { summary }),
    ...(url === undefined ? {} : { url }),
  };
}

function wasRerun({ rerun, pushed }: PullRequestState, { name }: Check): boolean {
  return rerun.has(`${pushed} ${name}`);
}

/** Run again, and not looked at since. */
function isRerunning(state: PullRequestState, check: Check): boolean {
  return state.rerun.has(`${NOW}${check.name}`) && wasRerun(state, check);
}

/** Green: what people ask for becomes tasks, what was done is answered, and then all is recorded. */
function afterReviews(state: AtLook, around: RunAround): NextStep {
  const { policy, tasks, tip } = around;
  const open = openRequests(state.seen, policy).filter((request) => !state.answered.has(idOf(request)));
  const fresh = open.filter((request) => needsTask(request) && taskFrom(tasks, request.origin) === undefined);
  if (fresh.length > 0) return plan(fresh.map(requestFinding), tasks);
  const [first] = open;
  if (first) {
    const task = taskFrom(tasks, first.origin);
    return step({ step: 'answer', to: answerTo(first), ...(task === undefined ? {} : { task: task.key }) });
  }
  // What was answered is seen once more before anything is concluded from it.
  if (state.answered.size > 0) return step({ step: 'look' });
  if (around.awaited.length > 0) return wait(state, policy);
  if (state.recorded !== tip) return step({ step: 'record' });
  if (state.seen.pullRequest.isDraft && !policy.isDraft) return { do: 'end', ending: draft(state) };
  return {
    do: 'end',
    ending: { result: 'completed', reason: 'Every task is verified and recorded; the pull request is green.' },
  };
}

/** Somebody turned it to a draft: they want it to wait (R-PR-11). */
function draft({ pullRequest: { url } }: AtLook): PullRequestEnding {
  return {
    result: 'waiting',
    reason: `All is green and answered, but the pull request is a draft: ${url}\nMark it as ready for review, then run specloop pr.`,
  };
}

function idOf(request: Request): string {
  return request.kind === 'thread' ? request.comment.id : request.review.id;
}

/** A review that says nothing but that its threads say it all is answered together with them. */
function needsTask(request: Request): boolean {
  return request.kind === 'thread' || request.review.body.trim() !== '';
}

function requestFinding(request: Request): Unnamed<ForgeFinding> {
  if (request.kind === 'review') return { kind: 'review', origin: request.origin, review: request.review };
  return { kind: 'thread', origin: request.origin, thread: request.thread, leftOut: request.leftOut };
}

function answerTo(request: Request) {
  if (request.kind === 'review')
    return { kind: 'review', review: request.review.id, author: request.review.author.name } as const;
  return { kind: 'thread', thread: request.thread.id, comment: request.comment.id } as const;
}

const GROWTH = 1.5;
const WAIT_MS_MAX = 1_800_000;

/** The wait grows with each look since the last push (R-PR-2). */
function wait(
  state: PullRequestState,
  policy: PullRequestPolicy,
  { noLaterThan = Number.POSITIVE_INFINITY } = {},
): NextStep {
  const { intervalMs } = policy;
  const grown = Math.min(intervalMs * GROWTH ** state.waits, Math.max(WAIT_MS_MAX, intervalMs));
  return waitUntil(state, policy, Math.min(state.nowMs + grown, noLaterThan));
}

/** One more wait for checks, unless there were enough (R-PR-5). */
function waitUntil(
  { cycles, pullRequest }: PullRequestState,
  { maxCycles }: PullRequestPolicy,
  untilMs: number,
): NextStep {
  if (cycles < maxCycles) return { do: 'wait', untilMs };
  const what = `The pull request is not done after ${maxCycles} looks at it.`;
  return {
    do: 'end',
    ending: reached(what, `pr.maxCycles raises the limit.${pullRequest ? `\n${pullRequest.url}` : ''}`),
  };
}

/** R-PR-5. */
function limitOf(state: PullRequestState, { policy, tasks }: RunAround): PullRequestEnding | undefined {
  const url = state.pullRequest ? `\n${state.pullRequest.url}` : '';
  if (state.nowMs - (state.sinceMs ?? state.nowMs) >= policy.limitMs)
    return reached(`The pull request is not done after ${hours(policy.limitMs)}.`, `pr.limit raises the limit.${url}`);
  const often = state.seen && failingTooOften({ ...state, seen: state.seen }, { policy, tasks });
  if (often === undefined) return undefined;
  return reached(
    `The check ${often} failed again after ${counted(policy.maxFixesPerCheck, 'fix task')}.`,
    `Fix it yourself, then run specloop pr; pr.maxFixesPerCheck raises the limit.${url}`,
  );
}

/** The name of a check that would become a task once too often; one that was cut off is run again first (R-PR-10). */
function failingTooOften(
  state: PullRequestState & { readonly seen: Seen },
  { policy, tasks }: Pick<RunAround, 'policy' | 'tasks'>,
): string | undefined {
  const { checks, pullRequest } = state.seen;
  if (pullRequest.head !== state.pushed) return undefined;
  const { failed, cutOff, pending } = readChecks(checks);
  if (pending.length > 0) return undefined;
  const isOver = (check: Check) => check.job === undefined || (wasRerun(state, check) && !isRerunning(state, check));
  const fresh = withoutTask([...failed, ...cutOff.filter(isOver)], { tasks, head: pullRequest.head });
  return fresh.find((check) => fixesOf(tasks, check) >= policy.maxFixesPerCheck)?.name;
}

function hours(ms: number): string {
  const count = ms / 3_600_000;
  return count >= 1 ? `${Math.round(count)} hours` : `${Math.round(ms / 1_000)} seconds`;
}

function reached(what: string, then: string): PullRequestEnding {
  return { result: 'limit', reason: `ERROR: ${what} ${then}` };
}
