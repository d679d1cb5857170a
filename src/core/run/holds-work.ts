import type { RunState, TaskProgress } from './data/state.ts';

/** Whether a working tree may hold work of this task that is in no commit made by specloop and not set aside. */
export function holdsWork(progress: TaskProgress): boolean {
  switch (progress.at) {
    case 'PAUSED':
      return holdsWork(progress.before);
    case 'waiting':
      return progress.hasWork === true;
    case 'awaiting':
    case 'asking':
    case 'wants-fix':
    case 'PLANNING-FIX':
    case 'blocked':
    case 'gave-up':
      return false;
    default:
      return true;
  }
}

/** Keys of the tasks with such work, in the user's tree or in a worktree. */
export function inFlight({ progress }: Pick<RunState, 'progress'>): readonly string[] {
  return [...progress].flatMap(([key, at]) => (holdsWork(at) ? [key] : []));
}
