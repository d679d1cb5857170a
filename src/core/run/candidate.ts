import type { PlannedTask } from '../plan/data/planned-task.ts';
import { progressOf, type RunState } from './data/state.ts';
import { isForAgents } from './pull-request.ts';
import { isEndToEnd } from './recovery.ts';

/** The task to work on now: the first that is not recorded, or the fix it waits for. `undefined` when all are recorded. */
export function currentTask(state: RunState): PlannedTask | undefined {
  return withFix(
    state,
    state.tasks.find((task) => isToDo(state, task)),
  );
}

/** Whether an agent still has to work on a task, as far as is known. */
export function isToDo(state: RunState, task: PlannedTask): boolean {
  return !task.checked && isForAgents(task, state.policy) && progressOf(state, task.key).at !== 'awaiting';
}

/** The fix that a task waits for, or the fix of that fix: the one at the end of the line. */
function withFix(state: RunState, task: PlannedTask | undefined): PlannedTask | undefined {
  if (task === undefined) return undefined;
  const progress = progressOf(state, task.key);
  if (progress.at !== 'blocked') return task;
  return withFix(
    state,
    state.tasks.find(({ key }) => key === progress.by),
  );
}

/** What end-to-end tasks started is cleaned up although one of them gave up (R-REC-8); `undefined` if there is nothing (more) to do. */
export function cleanUpTask(state: RunState): PlannedTask | undefined {
  if (state.stopping || state.gate) return undefined;
  const index = state.tasks.findIndex((task) => isEndToEnd(task) && progressOf(state, task.key).at === 'gave-up');
  if (index === -1) return undefined;
  const following = state.tasks.slice(index + 1);
  const end = following.findIndex((task) => !isEndToEnd(task));
  const group = following.slice(0, end === -1 ? following.length : end);
  const last = group.findLast((task) => task.fixes === undefined);
  if (last === undefined || last.checked) return undefined;
  const task = withFix(state, last);
  return task && progressOf(state, task.key).at !== 'gave-up' ? task : undefined;
}
