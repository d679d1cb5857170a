import { criteriaOfRequirement, criteriaOfStory, type DefinedId, type Requirements } from './requirements.ts';
import { doesWork, type TaskIds } from './task-ids.ts';

/**
 * The tasks that name an id: itself, for a criterion also its story, and for a requirement that no task names the tasks of
 * all its criteria (R-TRACE-1).
 */
export function tasksOfId(found: DefinedId, tasks: readonly TaskIds[], requirements: Requirements): readonly TaskIds[] {
  const stories = found.kind === 'AC' ? storiesOf(found, requirements) : [];
  const direct = tasks.filter(({ ids }) => ids.includes(found.id) || stories.some((story) => ids.includes(story)));
  if (found.kind !== 'FR' || direct.some(({ task }) => doesWork(task))) return direct;
  const criteria = criteriaOfRequirement(found, requirements);
  const works = (id: string) => tasks.some(({ task, ids }) => doesWork(task) && ids.includes(id));
  if (criteria.length === 0 || !criteria.every(works)) return direct;
  return tasks.filter(({ ids }) => ids.includes(found.id) || criteria.some((id) => ids.includes(id)));
}

/** Whether a task that does work names it. */
export function isCovered(found: DefinedId, tasks: readonly TaskIds[], requirements: Requirements): boolean {
  return tasksOfId(found, tasks, requirements).some(({ task }) => doesWork(task));
}

function storiesOf({ id }: DefinedId, requirements: Requirements): readonly string[] {
  return [...requirements.defined.values()]
    .filter((story) => story.kind === 'US' && criteriaOfStory(story, requirements).includes(id))
    .map((story) => story.id);
}
