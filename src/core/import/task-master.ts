import type { ImportedTask, ImportedUnit, ImportReading } from './imported.ts';
import { listOf, objectOf, otherKeys, textOf, textsOf, type Unknown } from './json-value.ts';

const TASK_KEYS = [
  'id',
  'title',
  'description',
  'details',
  'testStrategy',
  'acceptanceCriteria',
  'status',
  'dependencies',
  'priority',
  'subtasks',
];
const MASTER = 'master';
const CANCELLED = ['cancelled', 'canceled'];

/** Reads a `tasks.json` of Task Master, with tags or in its older form (R-DIA-7). */
export function readTaskMaster(root: Unknown, tag: string | undefined): ImportReading {
  const isLegacy = Array.isArray(root.tasks);
  const tags = isLegacy ? [] : Object.keys(root).filter((key) => Array.isArray(objectOf(root[key])?.tasks));
  const chosen = isLegacy ? undefined : chooseTag(tags, tag);
  if (!isLegacy && chosen === undefined)
    return {
      ok: false,
      message: `The file has the tags ${tags.join(', ')}${tag === undefined ? '' : `, and not ${tag}`}.`,
      hint: 'Name one with --tag.',
    };
  const content = chosen === undefined ? root : (objectOf(root[chosen]) ?? {});
  const all = listOf(content.tasks);
  const meta = objectOf(content.meta ?? content.metadata) ?? {};
  const project = textOf(meta.projectName);
  const subtasks = all.flatMap((task) => listOf(task.subtasks));
  const cancelled = all.filter(isCancelled);
  const left = all.filter((task) => !isCancelled(task));
  const units = left.map(unitOf);
  return {
    ok: true,
    list: {
      kind: 'taskmaster',
      name: chosen === undefined || chosen === MASTER ? project || 'taskmaster' : chosen,
      heading: project || (chosen ?? 'Task Master'),
      units,
      hasDependencies: [...all, ...subtasks].some(({ dependencies }) => textsOf(dependencies).length > 0),
      gone: [
        ...cancelled.map(idOf),
        ...left.flatMap((task) =>
          listOf(task.subtasks)
            .filter(isCancelled)
            .map((sub) => `${idOf(task)}.${idOf(sub)}`),
        ),
      ],
      skipped: [
        ...cancelled.map((task) => ({ id: idOf(task), why: 'cancelled' })),
        ...left.flatMap((task) =>
          listOf(task.subtasks)
            .filter(isCancelled)
            .map((sub) => ({ id: `${idOf(task)}.${idOf(sub)}`, why: 'cancelled' })),
        ),
        ...tags.filter((other) => other !== chosen).map((id) => ({ id, why: 'another tag' })),
      ],
      dropped: [
        ...otherKeys(all, TASK_KEYS).map((key) => `tasks.${key}`),
        ...otherKeys(subtasks, TASK_KEYS).map((key) => `subtasks.${key}`),
        ...(content.metadata === undefined
          ? otherKeys([meta], ['projectName']).map((key) => `meta.${key}`)
          : otherKeys([content], ['tasks'])),
      ],
    },
  };
}

function chooseTag(tags: readonly string[], tag: string | undefined): string | undefined {
  if (tag !== undefined) return tags.find((name) => name === tag);
  return tags.length === 1 ? tags[0] : tags.find((name) => name === MASTER);
}

function unitOf(task: Unknown): ImportedUnit {
  const source = idOf(task);
  const subtasks = listOf(task.subtasks).filter((sub) => !isCancelled(sub));
  if (subtasks.length === 0)
    return { source, rank: 0, tasks: [taskOf(task, { source, dependsOn: textsOf(task.dependencies) })] };
  const isDone = stateOf(task) === 'done';
  const context = [textOf(task.description), textOf(task.details), textOf(task.testStrategy)];
  const tasks = subtasks.map((sub): ImportedTask => {
    const dependsOn = [
      ...textsOf(task.dependencies),
      ...textsOf(sub.dependencies).map((other) => (other.includes('.') ? other : `${source}.${other}`)),
    ];
    const made = taskOf(sub, { source: `${source}.${idOf(sub)}`, dependsOn });
    const priority = textOf(sub.priority) || textOf(task.priority);
    return {
      ...made,
      context,
      ...(isDone ? { state: 'done' } : {}),
      ...(priority === '' ? {} : { fields: [['Priority', priority]] }),
    };
  });
  return { source, group: titleOf(task), rank: 0, tasks };
}

function taskOf(
  task: Unknown,
  { source, dependsOn }: { readonly source: string; readonly dependsOn: readonly string[] },
): ImportedTask {
  const priority = textOf(task.priority);
  return {
    ...{ source, title: titleOf(task), state: stateOf(task), dependsOn: [...new Set(dependsOn)] },
    ...(textOf(task.status) === 'deferred' ? { optional: true } : {}),
    do: [textOf(task.description), textOf(task.details)],
    doneWhen: [textOf(task.acceptanceCriteria), textOf(task.testStrategy)],
    ...(priority === '' ? {} : { fields: [['Priority', priority]] }),
  };
}

function idOf({ id }: Unknown): string {
  return textOf(id);
}

function titleOf({ title, description }: Unknown): string {
  return textOf(title) || (textOf(description).split('\n')[0] ?? '') || 'Task';
}

function isCancelled({ status }: Unknown): boolean {
  return CANCELLED.includes(textOf(status));
}

function stateOf({ status }: Unknown): ImportedTask['state'] {
  switch (textOf(status)) {
    case 'done':
    case 'completed':
      return 'done';
    case 'in-progress':
    case 'review':
      return 'in-progress';
    case 'blocked':
      return 'blocked';
    default:
      return 'open';
  }
}
