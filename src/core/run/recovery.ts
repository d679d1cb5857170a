import { insertTasks } from '../plan/data/inserted.ts';
import type { PlannedTask } from '../plan/data/planned-task.ts';
import type { RunEvent } from './data/event.ts';
import { type RunState, taskOf } from './data/state.ts';
import { fixDepth, lineage } from './fix-id.ts';
import { begunOf, expectAt, move } from './moves.ts';

/** Whether a failure of this task makes a fix task: in recovery mode, and for end-to-end tasks always (R-REC-1, R-REC-8). */
export function isRecovering({ policy }: Pick<RunState, 'policy'>, task: PlannedTask): boolean {
  return policy.recoveryMode || isEndToEnd(task);
}

/** VE tasks start something, check it, and clean up (R-REC-8). */
export function isEndToEnd({ id }: Pick<PlannedTask, 'id'>): boolean {
  return /^VE\d/i.test(id);
}

/** Why no further fix may be made for a task (R-REC-3); `undefined` while one may. */
export function fixLimit({ policy, carried, tasks }: RunState, task: PlannedTask): string | undefined {
  const record = carried.fixes[task.id];
  if (record && record.attempts >= policy.maxFixTasksPerOriginal) {
    return `ERROR: Max fix attempts (${policy.maxFixTasksPerOriginal}) reached for task ${task.id}\nFix history: ${record.fixTaskIds.join(', ')}; last error: ${record.lastError}`;
  }
  if (fixDepth(tasks, task) >= policy.maxFixTaskDepth) {
    return `ERROR: Max fix depth (${policy.maxFixTaskDepth}) reached at task ${task.id}\nLineage: ${lineage(tasks, task).join(' is a fix of ')}`;
  }
  return undefined;
}

/** A task that is recorded waits for nothing: its fix repairs what came of it. */
function forget(state: RunState, task: string): RunState {
  const progress = new Map(state.progress);
  progress.delete(task);
  return { ...state, progress };
}

/** The fix is in the plan: the task waits for it. Fixes that a reviewer asked for have a limit of their own: the rounds. */
export function fixPlanned(
  state: RunState,
  { task, inserted, error, head }: Extract<RunEvent, { type: 'fix-planned' }>,
): RunState {
  const { answer, failure, fix, ...progress } = expectAt(state, task, 'PLANNING-FIX');
  const { id } = taskOf(state, task);
  const made = inserted.tasks[0]?.id ?? fix;
  const before = state.carried.fixes[id] ?? { attempts: 0, fixTaskIds: [], lastError: '' };
  const record = {
    attempts: before.attempts + (failure.layer === 'review' ? 0 : 1),
    fixTaskIds: before.fixTaskIds.includes(made) ? before.fixTaskIds : [...before.fixTaskIds, made],
    lastError: error,
  };
  const after = {
    ...state,
    tip: head,
    tasks: insertTasks(state.tasks, inserted),
    carried: { ...state.carried, fixes: { ...state.carried.fixes, [id]: record } },
  };
  const by = inserted.tasks[0]?.key ?? fix;
  if (taskOf(state, task).checked) return forget(after, task);
  return move(after, task, { ...begunOf(progress), base: head, at: 'blocked', by, ...(answer ? { answer } : {}) });
}
