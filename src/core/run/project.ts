import type { JsonValue } from '../json.ts';
import { currentIndex, progressOf, type RunState } from './state.ts';

/** The fields of `.ralph-state.json` that follow from a run's state (R-START-4, R-FILE-7). `undefined` removes a field. */
export function stateFields(state: RunState): Readonly<Record<string, JsonValue | undefined>> {
  const index = currentIndex(state);
  const current = state.tasks[index];
  const { policy } = state;
  return {
    phase: 'execution',
    taskIndex: index,
    totalTasks: state.tasks.length,
    taskIteration: current ? progressOf(state, current.key).failures.length + 1 : 1,
    maxTaskIterations: policy.maxTaskIterations,
    globalIteration: Math.max(1, state.globalIteration),
    maxGlobalIterations: policy.maxGlobalIterations,
    awaitingApproval: false,
    recoveryMode: policy.recoveryMode,
    maxFixTasksPerOriginal: policy.maxFixTasksPerOriginal,
    maxFixTaskDepth: policy.maxFixTaskDepth,
    fixTaskMap: state.carried.fixes as unknown as JsonValue,
    modificationMap: state.carried.modifications as unknown as JsonValue,
  };
}
