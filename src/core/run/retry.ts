import { unreachable } from '../unreachable.ts';
import type { Pause } from './pause.ts';
import type { FailedAttempt, RunState, TaskProgress } from './state.ts';

/** A pause without a known end doubles from one minute to a quarter of an hour. */
const PAUSE_MS = { first: 60_000, max: 900_000 };

type Failing = Extract<TaskProgress, { at: 'failed' | 'SETTING-ASIDE' }>;
type Settled = Extract<TaskProgress, { at: 'waiting' | 'gave-up' }>;

/** Where a task goes once the work of its failed attempt is set aside (section 6). */
export function afterFailure(state: RunState, key: string, aside: { readonly progress: Omit<Failing, 'at'>; readonly kept?: { readonly ref: string; readonly treeId: string } }): Settled {
  const { attempt, base, failures, pauses, failure, blame, resetsAt } = aside.progress;
  const begun = { attempt, base, failures, pauses };
  switch (blame) {
    case 'stop':
      return { ...begun, at: 'waiting', attempt: attempt + 1 };
    case 'limit':
      return { ...begun, at: 'waiting', pauses: pauses + 1, pause: pauseFor(pauses, resetsAt) };
    case 'setup':
      return { ...begun, at: 'gave-up', reason: `ERROR: ${failure.text}` };
    case 'task': {
      const kept = aside.kept ? { treeId: aside.kept.treeId, kept: aside.kept.ref } : {};
      return afterCounted(state, key, { ...begun, pauses: 0, failures: [...failures, { attempt, failure, ...kept }] });
    }
    default:
      return unreachable(blame);
  }
}

function pauseFor(pauses: number, resetsAt: string | undefined): Pause {
  return resetsAt === undefined ? { forMs: Math.min(PAUSE_MS.first * 2 ** pauses, PAUSE_MS.max) } : { until: resetsAt };
}

function afterCounted({ policy, tasks }: RunState, key: string, begun: Pick<Settled, 'attempt' | 'base' | 'failures' | 'pauses'>): Settled {
  const { failures, attempt } = begun;
  const index = tasks.findIndex((task) => task.key === key);
  if (isStalled(failures, policy.stallAfter)) {
    return { ...begun, at: 'gave-up', reason: gaveUp(`ERROR: Stalled at task ${index}: the same failure ${policy.stallAfter} times with no change in the tree.`, failures) };
  }
  if (failures.length >= policy.maxTaskIterations) {
    return { ...begun, at: 'gave-up', reason: gaveUp(`ERROR: Max retries reached for task ${index} after ${failures.length} attempts.`, failures) };
  }
  return { ...begun, at: 'waiting', attempt: attempt + 1 };
}

/** R-RETRY-3. An interrupted attempt says nothing about the next one. */
function isStalled(failures: readonly FailedAttempt[], stallAfter: number): boolean {
  const last = failures.slice(-stallAfter);
  const text = last[0]?.failure.text;
  return last.length === stallAfter && last.every(({ failure, treeId }) => failure.text === text && failure.layer !== 'interrupted' && treeId === undefined);
}

/** What a person needs when the run stops here: the last failure, where the work is, and the two suggestions (R-RETRY-1, R-RETRY-4). */
function gaveUp(headline: string, failures: readonly FailedAttempt[]): string {
  const last = failures.at(-1);
  const kept = failures.flatMap((failed) => (failed.kept === undefined ? [] : [`  attempt ${failed.attempt}: ${failed.kept}`]));
  return [
    headline,
    `Last failure: ${last?.failure.text ?? 'unknown'}`,
    ...(kept.length > 0 ? ['The work of the failed attempts is kept:', ...kept] : []),
    'Look at the Learnings in .progress.md, fix what is in the way, then run the same command again to resume.',
  ].join('\n');
}
