import { unreachable } from '../unreachable.ts';
import type { Effect } from './effect.ts';
import { ending } from './ending.ts';
import type { PlannedTask } from './planned-task.ts';
import { isUnderWay, progressOf, type RunState } from './state.ts';

/** Decides what to start next, or nothing if the run can only wait. Same state, same answer. */
export function next(state: RunState): Effect | undefined {
  switch (state.phase) {
    case 'starting':
      return { do: 'prepare' };
    case 'executing':
      return nextInExecution(state);
    case 'PREPARING':
    case 'FINISHING':
    case 'over':
      return undefined;
    default:
      return unreachable(state.phase);
  }
}

/** What was begun is brought to rest first; then the run ends, or the next task begins. */
function nextInExecution(state: RunState): Effect | undefined {
  const begun = state.tasks.filter((task) => state.progress.has(task.key));
  for (const task of begun) {
    const effect = nextOfBegun(state, task);
    if (effect) return effect;
  }
  if (begun.some((task) => isUnderWay(progressOf(state, task.key)))) return undefined;
  const end = ending(state);
  if (end) return { do: 'finish', ...end };
  const task = state.tasks.find((candidate) => !candidate.checked);
  return task === undefined ? { do: 'finish', result: 'completed', reason: 'Every task is verified and recorded.' } : begin(state, task);
}

/** The step that follows for a task that was begun and is at rest; nothing for one that has to be begun (again). */
function nextOfBegun(state: RunState, { key }: PlannedTask): Effect | undefined {
  const progress = progressOf(state, key);
  const { attempt } = progress;
  switch (progress.at) {
    case 'returned':
      return state.stopping ? undefined : { do: 'check', task: key, attempt };
    case 'accepted':
      return { do: 'commit', task: key, attempt };
    case 'failed':
      return { do: 'set-aside', task: key, attempt, keepChanges: state.policy.keepFailedChanges };
    case 'waiting':
    case 'PAUSED':
    case 'WORKING':
    case 'CHECKING':
    case 'COMMITTING':
    case 'SETTING-ASIDE':
    case 'gave-up':
      return undefined;
    default:
      return unreachable(progress);
  }
}

function begin(state: RunState, task: PlannedTask): Effect {
  const progress = progressOf(state, task.key);
  const { attempt } = progress;
  if (progress.at === 'waiting' && progress.pause) return { do: 'wait', task: task.key, attempt, pause: progress.pause };
  return { do: 'delegate', task: task.key, attempt, role: task.verify ? 'verifier' : 'executor', base: state.tip };
}
