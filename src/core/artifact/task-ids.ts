import type { Plan, Task } from '../plan/task.ts';
import type { ArtifactText } from './artifact-text.ts';
import { expand } from './expand.ts';
import { type IdMention, mentionsIn, readIds, withBareCriteria } from './ids.ts';
import type { Requirements } from './requirements.ts';

/** The ids that a task names. */
export interface TaskIds {
  readonly task: Task;
  /** Those that the requirements define. */
  readonly ids: readonly string[];
  readonly unknown: readonly string[];
}

/** Which ids each task of a plan names, in its fields or anywhere in its text. */
export function idsOfTasks(
  plan: Pick<Plan, 'tasks'>,
  artifact: ArtifactText,
  requirements: Requirements,
): readonly TaskIds[] {
  const defined = [...requirements.defined.keys()];
  const { leading, mentions } = readIds(artifact);
  const inText = [...leading, ...mentions];
  return plan.tasks.map((task) => {
    const last = task.box.line + task.block.split('\n').length - 1;
    const first = task.box.line;
    const named: readonly IdMention[] = [
      ...inText.filter(({ line }) => line >= first && line <= last),
      ...task.requirements.flatMap((field) =>
        mentionsIn(
          withBareCriteria(field, (id) => requirements.defined.has(id)),
          first,
        ),
      ),
    ];
    const expanded = named.map((mention) => expand(mention, defined));
    return {
      task,
      ids: [...new Set(expanded.flatMap(({ ids }) => ids))],
      unknown: [...new Set(expanded.flatMap(({ unknown }) => unknown))],
    };
  });
}

/** Whether a task does work, instead of checking that of others. */
export function doesWork({ verify }: Task): boolean {
  return !verify;
}
