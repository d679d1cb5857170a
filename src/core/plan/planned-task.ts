import { isLifecycleTask, originOf } from './lifecycle.ts';
import type { Task } from './task.ts';
import { filesFrom } from './workdir.ts';

/** What the machine needs to know of a task. Taken from the plan when the run starts, so that no later edit changes what is judged. */
export type PlannedTask = Pick<
  Task,
  | 'key'
  | 'id'
  | 'title'
  | 'checked'
  | 'parallel'
  | 'verify'
  | 'files'
  | 'filesKnown'
  | 'verifyKind'
  | 'verifyCommand'
  | 'commitKind'
  | 'commit'
> & {
  readonly phase?: string;
  readonly fixes?: string;
  readonly dependsOn?: readonly string[];
  /** What on the forge it was made from, as the plan says it (R-PR-3). */
  readonly from?: string;
  /** The lifecycle of the pull request does it, not an agent (R-PR-9). */
  readonly isOfLifecycle?: true;
};

/** The machine's view of a task of the plan: its *Files* are relative to the repository's root, wherever commands run. */
export function planned(task: Task, workdir: string): PlannedTask {
  const {
    key,
    id,
    title,
    checked,
    parallel,
    verify,
    files,
    filesKnown,
    verifyKind,
    verifyCommand,
    commitKind,
    commit,
  } = task;
  const from = originOf(task);
  return {
    key,
    id,
    title,
    checked,
    parallel,
    verify,
    files: filesFrom(workdir, files),
    filesKnown,
    verifyKind,
    verifyCommand,
    commitKind,
    commit,
    ...(task.phase === undefined ? {} : { phase: task.phase }),
    ...(task.fixes === undefined ? {} : { fixes: task.fixes }),
    ...(task.dependsOn.length === 0 ? {} : { dependsOn: task.dependsOn }),
    ...(from === undefined ? {} : { from }),
    ...(isLifecycleTask(task) ? { isOfLifecycle: true } : {}),
  };
}
