import type { PlannedTask } from '../plan/data/planned-task.ts';
import { batchFrom } from './batch.ts';
import type { RunState } from './data/state.ts';
import { isForAgents } from './pull-request.ts';

/** Tasks that begin together, and the state in which they do. */
interface BatchAhead {
  readonly batch: readonly PlannedTask[];
  readonly state: RunState;
}

/** The order in which the open tasks would run, and which of them together, if none fails (R-START-8). */
export function* batchesAhead(start: RunState): Generator<BatchAhead> {
  let state = start;
  for (let first = firstOpen(state); first; first = firstOpen(state)) {
    const batch = batchFrom(state, first);
    yield { batch, state };
    state = { ...state, tasks: state.tasks.map((task) => (batch.includes(task) ? { ...task, checked: true } : task)) };
  }
}

function firstOpen({ tasks, policy }: RunState): PlannedTask | undefined {
  return tasks.find((task) => !task.checked && isForAgents(task, policy));
}
