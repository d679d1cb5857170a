import { type Lines, startOf } from './lines.ts';
import type { Outline } from './outline.ts';
import type { Roles } from './roles.ts';
import type { Group, Task } from './task.ts';
import type { TaskBlock } from './task-blocks.ts';

/** What a plan is made of, where the groups are still to be found. */
interface Parts {
  readonly lines: Lines;
  readonly outline: Outline;
  readonly roles: Roles;
  readonly tasks: readonly Task[];
  readonly blocks: readonly TaskBlock[];
}

/** Collects the boxes that only hold tasks, each with its tasks: those nested in it, and those numbered below it (rule 7). */
export function readGroups(parts: Parts): readonly Group[] {
  const { outline, roles, lines } = parts;
  const children = nestedTasks(parts);
  addNumberedTasks(parts, children);
  const groups: Group[] = [];
  for (const [index, box] of outline.boxes.entries()) {
    if (roles.roles[index] !== 'group') continue;
    const place = { line: box.line + 1, column: box.at - startOf(lines, box.line) + 1, offset: box.at };
    const sorted = [...(children.get(index) ?? [])].sort((left, right) => left - right);
    groups.push({ id: box.head.id ?? null, title: box.head.title, state: box.state, box: place, children: sorted });
  }
  return groups;
}

/** For each group's box the indices of the tasks nested in it, at any depth. */
function nestedTasks(parts: Parts): Map<number, Set<number>> {
  const children = new Map<number, Set<number>>();
  for (const [index, role] of parts.roles.roles.entries()) if (role === 'group') children.set(index, new Set());
  for (const [task, block] of parts.blocks.entries()) {
    let parent = parts.outline.boxes[block.box ?? -1]?.parent;
    while (parent !== undefined) {
      children.get(parent)?.add(task);
      parent = parts.outline.boxes[parent]?.parent;
    }
  }
  return children;
}

/** `1. Title` also holds the tasks `1.1`, `1.2`, … that follow it directly. */
function addNumberedTasks(parts: Parts, children: Map<number, Set<number>>): void {
  let next = 0;
  for (const [index, box] of parts.outline.boxes.entries()) {
    while ((parts.blocks[next]?.line ?? Number.POSITIVE_INFINITY) <= box.line) next++;
    const held = children.get(index);
    if (held === undefined || box.head.id === undefined || held.size > 0) continue;
    for (let task = next; parts.tasks[task]?.id.startsWith(`${box.head.id}.`); task++) held.add(task);
  }
}
