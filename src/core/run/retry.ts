import { PROGRESS_FILE } from '../spec-files.ts';
import { unreachable } from '../unreachable.ts';
import { begunOf } from './moves.ts';
import type { Pause } from './pause.ts';
import { type AtStage, type FailedAttempt, type RunState, type TaskProgress, taskOf } from './state.ts';
import { wantsFix, whyNotFixed } from './wants-fix.ts';

/** A pause without a known end doubles from one minute to a quarter of an hour. */
const PAUSE_MS = { first: 60_000, max: 900_000 };

type FailingStage = AtStage<'failed' | 'SETTING-ASIDE'>;

/** Where a task goes once the work of its failed attempt is set aside (R-RETRY-1, R-REC-1). */
export function afterFailure(
  state: RunState,
  key: string,
  aside: { readonly progress: FailingStage; readonly kept?: { readonly ref: string; readonly treeId: string } },
): TaskProgress {
  const { attempt, pauses, failure, blame, resetsAt, failures } = aside.progress;
  const begun = begunOf(aside.progress);
  switch (blame) {
    case 'stop':
    case 'plan':
      return { ...begun, at: 'waiting', attempt: attempt + 1 };
    case 'merge':
      return { ...begun, at: 'waiting', attempt: attempt + 1, note: failure };
    case 'limit':
      return { ...begun, at: 'waiting', pauses: pauses + 1, pause: pauseFor(pauses, resetsAt) };
    case 'setup':
      return { ...begun, at: 'gave-up', result: 'stuck', reason: `ERROR: ${failure.text}` };
    case 'task': {
      const kept = aside.kept ? { treeId: aside.kept.treeId, kept: aside.kept.ref } : {};
      const { note: _told, ...fresh } = begun;
      return afterCounted(state, key, { ...fresh, pauses: 0, failures: [...failures, { attempt, failure, ...kept }] });
    }
    default:
      return unreachable(blame);
  }
}

function pauseFor(pauses: number, resetsAt: string | undefined): Pause {
  return resetsAt === undefined ? { forMs: Math.min(PAUSE_MS.first * 2 ** pauses, PAUSE_MS.max) } : { until: resetsAt };
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
    reason: gaveUp(headline, failures),
  });
  if (!recovers && isStalled(failures, policy.stallAfter)) {
    return stop(
      `ERROR: Stalled at task ${task.id}: the same failure ${policy.stallAfter} times, and no file was changed.`,
    );
  }
  if (failures.length >= policy.maxTaskIterations) {
    return stop(`ERROR: Max retries reached for task ${tasks.indexOf(task)} after ${failures.length} attempts`);
  }
  // After an interruption, and where nothing was changed, there is nothing to repair.
  if (!recovers || last === undefined || last.layer === 'interrupted' || last.layer === 'change')
    return { ...begun, at: 'waiting', attempt: attempt + 1 };
  if (why !== undefined) return stop(why.limit);
  return wantsFix(state, key, { from: begun, failure: last });
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

/** What a person needs when the run stops here: the last failure, where the work is, and the two suggestions (R-RETRY-1, R-RETRY-4). */
function gaveUp(headline: string, failures: readonly FailedAttempt[]): string {
  const last = failures.at(-1);
  const kept = failures.flatMap((failed) =>
    failed.kept === undefined ? [] : [`  attempt ${failed.attempt}: ${failed.kept}`],
  );
  return [
    headline,
    `Last failure: ${last?.failure.text ?? 'unknown'}`,
    ...(kept.length > 0 ? ['The work of the failed attempts is kept:', ...kept] : []),
    `Read the Learnings in ${PROGRESS_FILE} and fix the cause.`,
  ].join('\n');
}
