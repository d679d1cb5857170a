import { insertTasks } from '../plan/data/inserted.ts';
import type { Plan } from '../plan/data/task.ts';
import type { ModificationRequest } from '../plan/edit/modification.ts';
import { isWithin } from '../progress/scope-bounds.ts';
import { judgeClaim } from './attempt.ts';
import type { Answer } from './data/answer.ts';
import type { RunEvent } from './data/event.ts';
import { type RunState, taskOf } from './data/state.ts';
import { isInTree } from './lane-of.ts';
import { begunOf, expectAt, fail, move } from './moves.ts';

/** The plan holds what the agent asked for (R-MOD-3, R-MOD-4). */
export function planModified(state: RunState, event: Extract<RunEvent, { type: 'plan-modified' }>): RunState {
  const { task, request, inserted, reason, head } = event;
  const progress = expectAt(state, task, 'MODIFYING');
  const { id } = taskOf(state, task);
  const before = state.carried.modifications[id] ?? { count: 0, modifications: [] };
  const record = {
    count: before.count + 1,
    modifications: [...before.modifications, { type: request, tasks: inserted.tasks.map((added) => added.id), reason }],
  };
  const after: RunState = {
    ...state,
    tip: head,
    tasks: insertTasks(state.tasks, inserted),
    splits:
      request === 'SPLIT_TASK'
        ? new Map([...state.splits, ...inserted.tasks.map((added) => [added.key, task] as const)])
        : state.splits,
    carried: { ...state.carried, modifications: { ...state.carried.modifications, [id]: record } },
  };
  // A member's worktree still is where its batch began.
  const begun = isInTree(state, task) ? { ...begunOf(progress), base: head } : begunOf(progress);
  switch (request) {
    case 'ADD_PREREQUISITE':
      return move(after, task, {
        ...begun,
        at: 'failed',
        failure: { layer: 'agent', text: 'The attempt asked for a prerequisite task.' },
        blame: 'plan',
      });
    case 'SPLIT_TASK':
      return move(after, task, { ...begun, at: 'returned', answer: progress.answer, split: true });
    case 'ADD_FOLLOWUP':
      return move(after, task, { ...begun, at: 'returned', answer: progress.answer });
  }
}

/**
 * The attempt is judged as if the request had not been made; the next one learns why it was refused (R-MOD-2). What a
 * verifier claims with a split is the split: it has not verified the whole.
 */
export function modificationRefused(
  state: RunState,
  { task, reason }: Extract<RunEvent, { type: 'modification-refused' }>,
): RunState {
  const { answer } = expectAt(state, task, 'MODIFYING');
  if (taskOf(state, task).verify && asksForSplit(answer)) {
    const text = `The verification did not finish: the answer asked to split the task, which was refused: ${reason}`;
    return fail(state, task, { layer: 'signal', text });
  }
  return judgeClaim(
    state,
    { task, how: 'completed', message: '', answer },
    `\nIts modification request was refused: ${reason}`,
  );
}

function asksForSplit({ request }: Answer): boolean {
  return request !== undefined && 'type' in request && request.type === 'SPLIT_TASK';
}

/**
 * Why the tasks that a request adds, which are in the plan by these ids, go beyond the scope of the spec; `undefined` if they do
 * not (R-SCOPE-2). A split does the work of a task that a person wrote. `own` is the spec's folder.
 */
export function beyondScope(
  { type }: Pick<ModificationRequest, 'type'>,
  { tasks }: Plan,
  { ids, bounds, own }: { readonly ids: readonly string[]; readonly bounds?: readonly string[]; readonly own: string },
): string | undefined {
  if (bounds === undefined || type === 'SPLIT_TASK') return undefined;
  for (const { id, files } of tasks.filter((task) => ids.includes(task.id))) {
    const outside = files.find((file) => !isWithin(file, [...bounds, own]));
    if (outside !== undefined)
      return `Task ${id} would change ${outside}, which is outside of the scope: ${bounds.join(', ')}.`;
  }
  return undefined;
}
