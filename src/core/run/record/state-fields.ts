import type { JsonValue } from '../../json.ts';
import { currentIndex, progressOf, type RunState } from '../data/state.ts';

/** The fields of `.ralph-state.json` that follow from a run's state (R-START-4, R-FILE-7). `undefined` removes a field. */
export function stateFields(state: RunState): Readonly<Record<string, JsonValue | undefined>> {
  if (state.planning !== undefined) return planningFields(state);
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
    dialect: policy.dialect,
    recoveryMode: policy.recoveryMode,
    maxFixTasksPerOriginal: policy.maxFixTasksPerOriginal,
    maxFixTaskDepth: policy.maxFixTaskDepth,
    ...batchFields(state),
    fixTaskMap: state.carried.fixes as unknown as JsonValue,
    modificationMap: state.carried.modifications as unknown as JsonValue,
  };
}

/** While documents are drafted: which one, and whether a person is asked to approve it (R-GATE-7). */
function planningFields({
  tasks,
  awaitsApproval,
  planning,
}: RunState): Readonly<Record<string, JsonValue | undefined>> {
  const waiting = tasks.find(({ key }) => key === awaitsApproval);
  const step = waiting ?? tasks.find(({ checked }) => !checked) ?? tasks.at(-1);
  return {
    ...(step?.step && { phase: step.step.artifact }),
    awaitingApproval: waiting !== undefined,
    quickMode: planning?.isQuick,
  };
}

/** The batch, with the results of its members; without a batch the fields go (R-PAR-2). */
function batchFields({ batch, tasks, progress }: RunState): Readonly<Record<string, JsonValue | undefined>> {
  if (batch === undefined) return { parallelGroup: undefined, taskResults: undefined };
  const indices = batch.members.map((key) => tasks.findIndex((task) => task.key === key));
  const results = batch.members.map((key, at): readonly [string, JsonValue] => {
    const index = indices[at] ?? -1;
    if (tasks[index]?.checked) return [String(index), { status: 'success' }];
    if (!batch.out.includes(key)) return [String(index), { status: 'pending' }];
    return [String(index), { status: 'failed', error: progress.get(key)?.failures.at(-1)?.failure.text ?? '' }];
  });
  return {
    parallelGroup: {
      startIndex: Math.min(...indices),
      endIndex: Math.max(...indices),
      taskIndices: indices,
      isParallel: true,
    },
    taskResults: Object.fromEntries(results),
  };
}
