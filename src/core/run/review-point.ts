import type { Batch, RunState } from './data/state.ts';

const EVERY = 5;

/** The first task of a new phase, every fifth, and the last (R-VER-7). */
export function isReviewPoint({ tasks }: Pick<RunState, 'tasks'>, index: number): boolean {
  if (index === tasks.length - 1) return true;
  return index > 0 && (index % EVERY === 0 || tasks[index]?.phase !== tasks[index - 1]?.phase);
}

/** The same for a batch, whose index is that of its first member (R-PAR-7). */
export function isBatchReviewPoint(state: Pick<RunState, 'tasks' | 'policy'>, { members }: Batch): boolean {
  const positions = members.map((member) => state.tasks.findIndex((task) => task.key === member));
  return (
    state.policy.review === 'always' ||
    isReviewPoint(state, positions[0] ?? 0) ||
    positions.at(-1) === state.tasks.length - 1
  );
}
