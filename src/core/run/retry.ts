import type { Answered } from '../answer/answered.ts';
import type { PlannedTask } from '../plan/data/planned-task.ts';
import { TOPIC_ATTEMPTS_MAX } from '../planning/topics.ts';
import { unreachable } from '../unreachable.ts';
import type { Failure } from '../verify/failure.ts';
import { isAnyFree, pauseForFirst } from './choose-agent.ts';
import { roleOf } from './data/role-of.ts';
import { noTrouble } from './data/service-trouble.ts';
import {
  type AtStage,
  type Begun,
  type FailedAttempt,
  type RunState,
  type TaskProgress,
  taskOf,
} from './data/state.ts';
import { begunOf } from './moves.ts';
import { answerFor, keepsChanges } from './question.ts';
import { afterQuestions } from './questions.ts';
import { waitForLimit, waitForService } from './service.ts';
import { wantsFix, whyNotFixed } from './wants-fix.ts';

type FailingStage = AtStage<'failed' | 'SETTING-ASIDE'>;

/** Where a task goes once the work of its failed attempt is set aside (R-RETRY-1, R-REC-1). */
export function afterFailure(
  state: RunState,
  key: string,
  aside: { readonly progress: FailingStage; readonly kept?: { readonly ref: string; readonly treeId: string } },
): TaskProgress {
  const { attempt, failure, blame, failures, limit = {}, question = failure.text } = aside.progress;
  const begun = begunOf(aside.progress);
  switch (blame) {
    case 'stop':
    case 'plan':
      return { ...begun, at: 'waiting', attempt: attempt + 1 };
    case 'merge':
      return { ...begun, at: 'waiting', attempt: attempt + 1, note: failure };
    case 'limit': {
      const role = roleOf(taskOf(state, key));
      if (isAnyFree(state, role)) return { ...begun, at: 'waiting' };
      const wait = waitForLimit(state, begun, limit);
      if (!wait.waits) return { ...begun, at: 'gave-up', result: 'limit', reason: wait.reason };
      return { ...begun, at: 'waiting', service: wait.trouble, pause: pauseForFirst(state, role, wait.pause) };
    }
    case 'service': {
      const wait = waitForService(begun);
      if (wait) return { ...begun, at: 'waiting', service: wait.trouble, pause: wait.pause };
      break;
    }
    case 'person': {
      const { kept } = aside;
      const { questions } = aside.progress;
      if (questions) return afterQuestions(state, key, { begun, questions, ...(kept && { kept: kept.ref }) });
      const answer = answerFor(state, key, question);
      if (answer !== undefined) {
        const answered = withAnswer(begun, { question, answer });
        return keepsChanges(state) ? { ...answered, hasWork: true } : answered;
      }
      return { ...begun, at: 'asking', question, ...(kept && { kept: kept.ref }) };
    }
    case 'budget':
      return { ...begun, at: 'gave-up', result: 'limit', reason: budgetReached(state, failure) };
    case 'setup':
      return { ...begun, at: 'gave-up', result: 'stuck', reason: `ERROR: ${failure.text}` };
    case 'task':
      break;
    default:
      return unreachable(blame);
  }
  const kept = aside.kept ? { treeId: aside.kept.treeId, kept: aside.kept.ref } : {};
  const { note: _told, ...fresh } = begun;
  const counted = { ...fresh, service: noTrouble, failures: [...failures, { attempt, failure, ...kept }] };
  return afterCounted(state, key, counted);
}

/** The task goes on with its next attempt, which is told the answer. */
export function withAnswer(begun: Begun, answered: Answered): AtStage<'waiting'> {
  const { attempt, answered: before = [] } = begun;
  return { ...begun, at: 'waiting', attempt: attempt + 1, answered: [...before, answered] };
}

function budgetReached({ policy, spent }: RunState, { text }: Failure): string {
  const budget = policy.maxCostUsd === undefined ? 'The budget' : `The budget of ${policy.maxCostUsd} USD`;
  return `ERROR: ${budget} is used up (spent ${spent.costUsd.toFixed(2)}): ${text} A new run starts counting at zero; --max-cost raises the limit.`;
}

function afterCounted(state: RunState, key: string, begun: ReturnType<typeof begunOf>): TaskProgress {
  const { policy, tasks } = state;
  const { failures, attempt } = begun;
  const task = taskOf(state, key);
  const last = failures.at(-1)?.failure;
  const why = whyNotFixed(state, key);
  const recovers = why !== 'not-recovering';
  const stop = (headline: string): TaskProgress => ({
    ...begun,
    at: 'gave-up',
    result: 'stuck',
    reason: gaveUp(headline, failures, task.step === undefined ? OF_TASK : OF_STEP),
  });
  if (!recovers && isStalled(failures, policy.stallAfter)) {
    return stop(
      `ERROR: Stalled at task ${task.id}: the same failure ${policy.stallAfter} times, and no file was changed.`,
    );
  }
  const counted =
    task.step === undefined ? failures : failures.filter(({ failure }) => failure.layer !== 'interrupted');
  if (counted.length >= attemptsMax(policy, task.step)) {
    const what = task.step === undefined ? `task ${tasks.findIndex((one) => one.key === task.key)}` : task.step.file;
    return stop(`ERROR: Max retries reached for ${what} after ${counted.length} attempts`);
  }
  // After an interruption, and where nothing was changed, there is nothing to repair.
  if (!recovers || last === undefined || last.layer === 'interrupted' || last.layer === 'change')
    return { ...begun, at: 'waiting', attempt: attempt + 1 };
  if (why !== undefined) return stop(why.limit);
  return wantsFix(state, key, { from: begun, failure: last });
}

/**
 * How often a task is tried (R-RETRY-1). A topic of research is given up sooner: the document is made without it. Attempts at a
 * document that a crash cut off do not count, as nothing that is planned is lost by a crash (R-PLAN-3).
 */
export function attemptsMax({ maxTaskIterations }: RunState['policy'], step: PlannedTask['step']): number {
  return step?.topic === undefined ? maxTaskIterations : Math.min(TOPIC_ATTEMPTS_MAX, maxTaskIterations);
}

/** R-RETRY-3. An interrupted attempt says nothing about the next one. */
function isStalled(failures: readonly FailedAttempt[], stallAfter: number): boolean {
  const last = failures.slice(-stallAfter);
  const text = last[0]?.failure.text;
  return (
    last.length === stallAfter &&
    last.every(
      ({ failure, treeId }) => failure.text === text && failure.layer !== 'interrupted' && treeId === undefined,
    )
  );
}

const OF_TASK = 'Read the Learnings in the progress file and fix the cause.';
const OF_STEP = 'Read the last failure, then state the goal more clearly, or choose another agent.';

/** What a person needs when the run stops here: the last failure, where the work is, and the two suggestions (R-RETRY-1, R-RETRY-4). */
function gaveUp(headline: string, failures: readonly FailedAttempt[], advice: string): string {
  const last = failures.at(-1);
  const kept = failures.flatMap((failed) =>
    failed.kept === undefined ? [] : [`  attempt ${failed.attempt}: ${failed.kept}`],
  );
  return [
    headline,
    `Last failure: ${last?.failure.text ?? 'unknown'}`,
    ...(kept.length > 0 ? ['The work of the failed attempts is kept:', ...kept] : []),
    advice,
  ].join('\n');
}
