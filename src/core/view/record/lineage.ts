import type { RunState } from '../../run/data/state.ts';

/** Where a task that the plan did not have at first comes from. */
export interface TaskOrigin {
  readonly task: string;
  readonly relation: 'fix of' | 'split from' | 'prerequisite of' | 'follow-up of';
  readonly of: string;
}

const RELATIONS: Readonly<Record<string, TaskOrigin['relation']>> = {
  SPLIT_TASK: 'split from',
  ADD_PREREQUISITE: 'prerequisite of',
  ADD_FOLLOWUP: 'follow-up of',
};

/** The tasks that fixes and modification requests added, in plan order, by id (R-REC-4, R-MOD-3). */
export function origins({ tasks, carried }: Pick<RunState, 'tasks' | 'carried'>): readonly TaskOrigin[] {
  const added = new Map<string, TaskOrigin>();
  for (const [of, { modifications }] of Object.entries(carried.modifications)) {
    for (const { type, tasks: ids } of modifications) {
      const relation = RELATIONS[type];
      if (relation) for (const task of ids) added.set(task, { task, relation, of });
    }
  }
  return tasks.flatMap(({ id, fixes }) => {
    if (fixes !== undefined) return [{ task: id, relation: 'fix of', of: fixes } as const];
    const origin = added.get(id);
    return origin ? [origin] : [];
  });
}
