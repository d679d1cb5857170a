import type { PlannedTask } from '../../plan/data/planned-task.ts';
import type { ModificationRequest } from '../../plan/edit/modification.ts';
import { isMadeFrom } from '../../plan/read/ids.ts';
import { unreachable } from '../../unreachable.ts';

/** The messages of the coordinator's own commits. `{spec}`, and what is with each, is filled in. */
export interface CommitMessages {
  /** The files of the spec, before the first task. */
  readonly spec: string;
  /** A task whose *Commit* is None: `{index}`, `{task}`. */
  readonly task: string;
  /** A fix task in the plan: `{task}` is the fix. */
  readonly fix: string;
  /** A change of the plan that an agent asked for: `{change}`, as "add 1.1.1 before 1.1", and `{task}`. */
  readonly plan: string;
  /** Boxes that are opened again after a batch: `{tasks}`. */
  readonly reopen: string;
  /** The progress file, where a run ends before all is done. */
  readonly progress: string;
  /** The progress file, where all is done. */
  readonly final: string;
}

const DEFAULT_COMMIT_MESSAGES: CommitMessages = {
  spec: 'docs(spec): add the spec {spec}',
  task: 'chore(spec): update progress for task {index}',
  fix: 'chore(spec): add fix task {task}',
  plan: 'chore(spec): {change}',
  reopen: 'chore(spec): reopen {tasks}',
  progress: 'chore(spec): update progress of {spec}',
  final: 'chore(spec): final progress update for {spec}',
};

/** The messages that are set, and the defaults for the others. */
export function commitMessages(
  set: { readonly [Name in keyof CommitMessages]?: string | undefined } = {},
): CommitMessages {
  const known = Object.entries(set).filter(([, message]) => message !== undefined);
  return { ...DEFAULT_COMMIT_MESSAGES, ...Object.fromEntries(known) };
}

/** A message with its values filled in. What is no name of a value stays as it is. */
export function filledIn(message: string, values: Readonly<Record<string, string | number>>): string {
  return message.replace(/\{([a-z]+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/**
 * The message of the commit that records a task (R-ADV-1): exactly its *Commit* field; for "None" the
 * coordinator's own; without the field the task's id and title, so that the history still says what was done.
 */
export function commitMessage(
  task: PlannedTask,
  { index, spec, messages }: { readonly index: number; readonly spec: string; readonly messages: CommitMessages },
): string {
  switch (task.commitKind) {
    case 'message':
      return task.commit ?? task.title;
    case 'none':
      return filledIn(messages.task, { index, spec, task: task.id });
    case 'missing':
      return isMadeFrom(task.id, task.title) ? task.title : `${task.id} ${task.title}`;
  }
}

/** What a granted request does to the plan, for the subject of its commit; `added` are the ids of its tasks (R-MOD-3). */
export function planChange(
  { type, originalTaskId }: Pick<ModificationRequest, 'type' | 'originalTaskId'>,
  added: string,
): string {
  switch (type) {
    case 'SPLIT_TASK':
      return `split ${originalTaskId} into ${added}`;
    case 'ADD_PREREQUISITE':
      return `add ${added} before ${originalTaskId}`;
    case 'ADD_FOLLOWUP':
      return `add ${added} after ${originalTaskId}`;
    default:
      return unreachable(type);
  }
}
