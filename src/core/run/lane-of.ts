import { taskProgressFile } from '../spec-files.ts';
import type { Lane } from './data/lane.ts';
import type { RunState } from './data/state.ts';
import { holdsWork } from './holds-work.ts';

/** Decides where the attempt at a task works now. */
export function laneOf({ batch, policy, progress, tasks, tip }: LaneFacts, key: string): Lane {
  if (batch === undefined || !batch.members.includes(key)) return { kind: 'tree' };
  const { members, base } = batch;
  if (policy.isolation === 'worktree') return { kind: 'worktree', base };
  const holdsOthers = members.some((member) => {
    const at = progress.get(member);
    return member !== key && at !== undefined && holdsWork(at);
  });
  return { kind: 'shared', members, tip, holdsOthers, progressFile: progressFileOf({ tasks }, key) };
}

type LaneFacts = Pick<RunState, 'batch' | 'policy' | 'progress' | 'tasks' | 'tip'>;

/** Whether a task works in the user's tree. */
export function isInTree(state: LaneFacts, key: string): boolean {
  return laneOf(state, key).kind !== 'worktree';
}

/** Name of the progress file that a task writes while it shares the tree (R-PAR-3). */
export function progressFileOf({ tasks }: Pick<RunState, 'tasks'>, key: string): string {
  return taskProgressFile(tasks.findIndex((task) => task.key === key));
}
