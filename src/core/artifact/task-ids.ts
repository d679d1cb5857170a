import type { Plan, Task } from '../plan/data/task.ts';
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
  const { leading, mentions } = readIds(artifact);
  const byLine = new Map<number, IdMention[]>();
  for (const mention of [...leading, ...mentions])
    byLine.set(mention.line, [...(byLine.get(mention.line) ?? []), mention]);
  return plan.tasks.map((task) => {
    const first = task.box.line;
    const lines = task.block.split('\n').map((_, at) => first + at);
    const named: readonly IdMention[] = [
      ...lines.flatMap((line) => byLine.get(line) ?? []),
      ...task.requirements.flatMap((field) =>
        mentionsIn(
          withBareCriteria(field, (id) => requirements.defined.has(id)),
          first,
        ),
      ),
    ];
    const expanded = named.map((mention) => expand(mention, requirements.index));
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
