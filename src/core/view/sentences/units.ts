import type { RunState } from '../../run/data/state.ts';

/** What people count of a run, done and in all: tasks, or documents, of which the topics of research are parts. */
export function unitsOf({ tasks, planning }: Pick<RunState, 'tasks' | 'planning'>): {
  readonly done: number;
  readonly total: number;
  readonly noun: 'task' | 'document';
} {
  const counted = tasks.filter(({ step }) => step?.topic === undefined);
  return {
    done: counted.filter(({ checked }) => checked).length,
    total: counted.length,
    noun: planning === undefined ? 'task' : 'document',
  };
}
