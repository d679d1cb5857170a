import type { PlanningFacts } from '../planning/planning-facts.ts';
import type { Policy } from '../policy.ts';
import { endedAtOnce, noteAtOnce } from './at-once.ts';
import { metLimit, spend } from './attempt.ts';
import { isMember, leave } from './batch.ts';
import { isAnyFree, noteLimit, noteTime, pauseForFirst } from './choose-agent.ts';
import type { EventOf } from './data/event.ts';
import { type AtStage, type Batch, progressOf, type ReviewProgress, type RunState, taskOf } from './data/state.ts';
import { roundsOf, stepOf } from './drafts.ts';
import { begun, begunOf, expectAt, fail, move } from './moves.ts';
import { isBatchReviewPoint, isReviewPoint } from './review-point.ts';
import { type LimitWait, waitForLimit, waitForService } from './service.ts';
import { isCheckedByNoCommand } from './verify-commands.ts';
import { wantsFix } from './wants-fix.ts';

type Reviewing = AtStage<'REVIEWING'>;

/** How often a reviewer that gives no verdict is asked in one round. */
const ASKED_MAX = 2;

/** Whether accepted work has to be reviewed before it is recorded (R-VER-7). Fix tasks and split tasks are not (R-VER-8). */
export function isReviewDue(state: RunState, key: string): boolean {
  const task = taskOf(state, key);
  const { review, split } = progressOf(state, key);
  if (state.policy.review === 'off' || review.status !== undefined || task.fixes !== undefined || split) return false;
  if (task.step !== undefined) return task.step.topic === undefined && areDraftsReviewed(state);
  // Work that a reviewer has begun to look at is looked at to the end, wherever a fix or a person has moved it.
  if (review.begun) return true;
  if (state.owedReviews.has(key)) return true;
  if (isInDoubt(state, key) || isUnchanged(state, key) || lacksProof(state, key)) return true;
  if (state.batch && isMember(state, key)) return isBatchReviewDue(state, state.batch, key);
  return (
    state.policy.review === 'always' ||
    isReviewPoint(
      state,
      state.tasks.findIndex(({ key }) => key === task.key),
    )
  );
}

/** Where a person looks at each draft, a reviewer does so on request; without gates one always does (R-PLAN-2). */
export function areDraftsReviewed({
  policy,
  planning,
}: {
  readonly policy: Pick<Policy, 'review'>;
  readonly planning?: Pick<PlanningFacts, 'isQuick' | 'reviewsFirst'>;
}): boolean {
  return policy.review !== 'auto' || planning?.isQuick === true || planning?.reviewsFirst === true;
}

/** What a reviewer said of an attempt's work says nothing about that of the next one: it is reviewed from the beginning (R-VER-7). */
export function ofNextAttempt({ begun, suggestions }: ReviewProgress): ReviewProgress {
  return { ...(begun && { begun }), rounds: 0, unanswered: 0, findings: [], suggestions };
}

/** Whether the answer holds signs that something is missing: then a reviewer looks, whichever task it is (R-VER-11). */
function isInDoubt(state: RunState, key: string): boolean {
  const progress = progressOf(state, key);
  return 'answer' in progress && (progress.answer?.doubts ?? []).length > 0;
}

/** Work that changed no file is looked at by a reviewer (R-VER-12). */
function isUnchanged(state: RunState, key: string): boolean {
  const progress = progressOf(state, key);
  return 'verdict' in progress && progress.verdict.unchanged === true;
}

/**
 * A Verify that is prose or a person's to do, a command that cannot fail, and a part of a split task that brought no command
 * leave the work to a reviewer (R-VER-9). A task that was planned without any Verify is reviewed where its plan is (R-VER-7).
 */
function lacksProof(state: RunState, key: string): boolean {
  if (!isCheckedByNoCommand(state, key)) return false;
  const { verifyKind, from } = taskOf(state, key);
  // What others asked for on the forge, and no command proves, is read by somebody else than its author.
  return verifyKind !== 'none' || from !== undefined || state.splits.has(key);
}

/** A batch is reviewed as one, with the last of its members that is not out; its index is that of its first (R-PAR-7). */
function isBatchReviewDue(state: RunState, batch: Batch, key: string): boolean {
  const last = batch.members.findLast((member) => !batch.out.includes(member));
  return last === key && isBatchReviewPoint(state, batch);
}

export function reviewed(state: RunState, event: EventOf<'task-reviewed'>): RunState {
  const spent = spend(state, event);
  const after = endedAtOnce(event) ? noteAtOnce(spent) : spent;
  const progress = expectAt(after, event.task, 'REVIEWING');
  const accepted = (review: ReviewProgress, more: object = {}) =>
    move(after, event.task, {
      ...begunOf(progress),
      at: 'accepted',
      answer: progress.answer,
      verdict: progress.verdict,
      review,
      ...more,
    });
  if (event.how === 'cancelled') return accepted(progress.review);
  if (event.how === 'rate-limited') {
    const limit = metLimit(event);
    const wait = waitForLimit(after, progress, limit);
    if (wait.waits) return afterLimit(noteLimit(noteTime(after, limit.atMs), event, wait.pause), event.task, wait);
    const failure = { layer: 'agent', text: event.message } as const;
    return move(after, event.task, { ...begunOf(progress), at: 'failed', failure, blame: 'limit', limit });
  }
  const retry = event.how === 'overloaded' ? waitForService(progress) : undefined;
  if (retry) return accepted(progress.review, { service: retry.trouble, pause: retry.pause });
  const review = { ...progress.review, suggestions: [...progress.review.suggestions, ...event.findings.spec] };
  // What a reviewer lets pass counts for nothing when it changed what judges the work (R-VER-14).
  const isBiased = event.verdict === 'pass' && (event.noticed?.violations ?? []).length > 0;
  if (event.verdict === 'none' || isBiased) return unanswered(after, { event, progress, review });
  if (event.verdict === 'pass') {
    const doubts = event.doubts ?? [];
    return accepted({
      ...review,
      rounds: review.rounds + 1,
      status: 'passed',
      ...(doubts.length > 0 ? { doubts } : {}),
    });
  }
  if (stepOf(after, event.task) !== undefined) return draftSentBack(after, { event, progress, review });
  if (event.findings.code.length === 0) return blamedOnSpec(after, { event, progress, review });
  return sentBack(after, { event, progress, review });
}

/** Another agent reviews at once, if there is one; else the limit is waited for (R-AGT-3). */
function afterLimit(state: RunState, key: string, wait: Extract<LimitWait, { waits: true }>): RunState {
  const progress = expectAt(state, key, 'REVIEWING');
  const { answer, verdict } = progress;
  const again = { ...begunOf(progress), at: 'accepted', answer, verdict } as const;
  if (isAnyFree(state, 'reviewer')) return move(state, key, again);
  const pause = pauseForFirst(state, 'reviewer', wait.pause);
  return move(state, key, { ...again, service: wait.trouble, pause });
}

interface Round {
  readonly event: EventOf<'task-reviewed'>;
  readonly progress: Reviewing;
  readonly review: ReviewProgress;
}

function unanswered(state: RunState, { event, progress, review }: Round): RunState {
  const asked = review.unanswered + 1;
  const base = { ...begunOf(progress), answer: progress.answer, verdict: progress.verdict };
  if (asked < ASKED_MAX)
    return move(state, event.task, { ...base, at: 'accepted', review: { ...review, unanswered: asked } });
  if (state.policy.review === 'strict' && stepOf(state, event.task) === undefined)
    return faulted(
      state,
      { event, progress, review },
      `The reviewer gave no verdict on task ${idOf(state, event.task)}.`,
    );
  return move(state, event.task, {
    ...base,
    at: 'accepted',
    review: { ...review, unanswered: asked, status: 'unreviewed' },
  });
}

/** No fix of the code can help: a person reads of it below *Review Suggestions*; strict waits for them. It is no pass. */
function blamedOnSpec(state: RunState, round: Round): RunState {
  const { event, progress, review } = round;
  const rounds = review.rounds + 1;
  if (state.policy.review === 'strict')
    return faulted(
      state,
      { ...round, review: { ...review, rounds } },
      `The review of task ${idOf(state, event.task)} failed: it asks for a change to the spec.`,
    );
  return move(state, event.task, {
    ...begunOf(progress),
    at: 'accepted',
    answer: progress.answer,
    verdict: progress.verdict,
    review: { ...review, rounds, status: 'accepted with findings', findings: event.findings.spec },
  });
}

/** A draft goes back to its author with the findings, a few times; then it is recorded with those that are left. */
function draftSentBack(state: RunState, { event, progress, review }: Round): RunState {
  const findings = [...event.findings.code, ...event.findings.spec];
  if (roundsOf(progress) + 1 < state.policy.maxReviewRounds)
    return fail(state, event.task, {
      layer: 'review',
      text: `REVIEW: ${findings.length > 0 ? findings.join('\n') : event.excerpt}`,
    });
  return move(state, event.task, {
    ...begunOf(progress),
    at: 'accepted',
    answer: progress.answer,
    verdict: progress.verdict,
    review: { ...review, rounds: review.rounds + 1, status: 'accepted with findings', findings },
  });
}

function sentBack(state: RunState, round: Round): RunState {
  const { event, progress } = round;
  const review = {
    ...round.review,
    rounds: round.review.rounds + 1,
    unanswered: 0,
    findings: event.findings.code,
  };
  if (review.rounds < state.policy.maxReviewRounds) return faulted(state, { ...round, review });
  if (state.policy.review === 'strict')
    return faulted(
      state,
      { ...round, review },
      `The review of task ${idOf(state, event.task)} failed ${review.rounds} times.`,
    );
  return move(state, event.task, {
    ...begunOf(progress),
    at: 'accepted',
    answer: progress.answer,
    verdict: progress.verdict,
    review: { ...review, status: 'accepted with findings' },
  });
}

/** The work goes into a commit without a tick; then a fix follows, or, with `stop`, a person has to decide. */
function faulted(state: RunState, { event, progress, review }: Round, stop?: string): RunState {
  const found = [...event.findings.code, ...event.findings.spec];
  const text = found.length > 0 ? `REVIEW: ${found.join('\n')}` : `REVIEW: ${event.excerpt}`;
  return move(state, event.task, {
    ...begunOf(progress),
    review,
    at: 'faulted',
    answer: progress.answer,
    failure: { layer: 'review', text },
    ...(stop === undefined ? {} : { stop }),
  });
}

export function held(state: RunState, { task, commit, head }: EventOf<'work-held'>): RunState {
  const { answer, failure, stop, awaits } = expectAt(state, task, 'HOLDING');
  const after = { ...leave(state, task), tip: head };
  const kept = { ...begun(state, task), base: head, held: commit };
  if (awaits) return move(after, task, { ...kept, at: 'awaiting', answer });
  if (stop !== undefined) {
    return move(after, task, {
      ...kept,
      at: 'gave-up',
      result: 'waiting',
      reason: `${stop}\n${failure.text}\nIts work is committed (${commit.slice(0, 8)}), but the task is not ticked. Review the commit.`,
    });
  }
  return move(after, task, wantsFix(state, task, { from: kept, failure, answer }));
}

function idOf(state: RunState, key: string): string {
  return taskOf(state, key).id;
}
