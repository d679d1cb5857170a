import type { RunEvent } from './event.ts';
import type { PlannedTask } from './planned-task.ts';
import { isUnderWay, type RunState, type TaskProgress } from './state.ts';

/**
 * Takes up a run that was cut off or stopped. What was under way falls back to where its effect may be
 * carried out again; that is why every effect is safe twice (R-ADV-2).
 */
export function resume(state: RunState, event: Extract<RunEvent, { type: 'run-resumed' }>): RunState {
  const { stopping: _stopping, outOfTime: _outOfTime, ended: _ended, ...rest } = state;
  const progress = new Map<string, TaskProgress>();
  for (const [key, at] of state.progress) {
    if (key !== event.recorded?.task) progress.set(key, fallBack(at));
  }
  return {
    ...rest,
    phase: state.branch === '' ? 'starting' : 'executing',
    policy: event.policy ?? state.policy,
    tasks: markRecorded(event.tasks ?? state.tasks, event.recorded?.task),
    tip: inFlight(progress) ? state.tip : event.head,
    foreign: event.foreign ?? state.foreign,
    carried: event.recorded ? { ...state.carried, unnamed: { id: idOf(state, event.recorded.task), commit: event.recorded.commit } } : state.carried,
    progress,
  };
}

/** Whether the working tree may hold work of an attempt that is neither recorded nor set aside. */
export function inFlight(progress: ReadonlyMap<string, TaskProgress>): boolean {
  return [...progress.values()].some((task) => isUnderWay(task) || task.at === 'returned' || task.at === 'accepted' || task.at === 'failed');
}

/** Accepted work is measured again: the tree may have changed while nobody watched. */
function fallBack(progress: TaskProgress): TaskProgress {
  const { attempt, base, failures, pauses } = progress;
  const begun = { attempt, base, failures, pauses };
  switch (progress.at) {
    case 'WORKING':
      return { ...begun, at: 'failed', failure: { layer: 'interrupted', text: 'The coordinator ended while this attempt was at work.' }, blame: 'task' };
    case 'CHECKING':
    case 'accepted':
    case 'COMMITTING':
      return { ...begun, at: 'returned', answer: progress.answer };
    case 'SETTING-ASIDE':
      return { ...progress, at: 'failed' };
    case 'PAUSED':
      return { ...begun, at: 'waiting', pause: progress.pause };
    case 'waiting':
    case 'returned':
    case 'failed':
    case 'gave-up':
      return progress;
  }
}

function markRecorded(tasks: readonly PlannedTask[], key: string | undefined): readonly PlannedTask[] {
  return tasks.map((task) => (task.key === key ? { ...task, checked: true } : task));
}

function idOf(state: RunState, key: string): string {
  return state.tasks.find((task) => task.key === key)?.id ?? key;
}
