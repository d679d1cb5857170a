import { isLifecycleTask, originOf } from './lifecycle.ts';
import type { DraftStep } from './step.ts';
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
  /** A run leaves it out unless it is asked for (R-DIA-4). */
  readonly optional?: true;
  /** What it says it touches, where its dialect has more ways to say so than *Files* (R-PAR-1). */
  readonly touches?: readonly string[];
  /** Only in dialects of other tools: neighbours with the same number may run in parallel. */
  readonly stretch?: number;
  /** What on the forge it was made from, as the plan says it (R-PR-3). */
  readonly from?: string;
  /** The lifecycle of the pull request does it, not an agent (R-PR-9). */
  readonly isOfLifecycle?: true;
  /** It drafts a document of the spec in place of doing a task (R-PLAN-2). */
  readonly step?: DraftStep;
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
    ...(task.optional ? { optional: true } : {}),
    ...(task.touches === undefined ? {} : { touches: filesFrom(workdir, task.touches) }),
    ...(task.stretch === undefined ? {} : { stretch: task.stretch }),
    ...(from === undefined ? {} : { from }),
    ...(isLifecycleTask(task) ? { isOfLifecycle: true } : {}),
    ...(task.step === undefined ? {} : { step: task.step }),
  };
}
