import type { Group, Task } from '../data/task.ts';
import { type Lines, startOf } from './lines.ts';
import type { Box, Outline } from './outline.ts';
import type { Roles } from './roles.ts';
import type { TaskBlock } from './task-blocks.ts';

/** What a plan is made of, where the groups are still to be found. */
interface Parts {
  readonly lines: Lines;
  readonly outline: Outline;
  readonly roles: Roles;
  readonly tasks: readonly Task[];
  readonly blocks: readonly TaskBlock[];
}

/** Collects the boxes that only hold tasks, each with its tasks: those nested in it, and those numbered below it (R-READ-7). */
export function readGroups(parts: Parts): readonly Group[] {
  const { outline, roles, lines } = parts;
  if (!roles.roles.includes('group')) return [];
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
  const { boxes } = parts.outline;
  const taskOf = new Map(parts.blocks.map((block, task) => [block.box, task]));
  for (const [index, held] of children) {
    const id = boxes[index]?.head.id;
    if (id === undefined || held.size > 0) continue;
    for (let at = index + 1; boxes[at] !== undefined && isBelow(boxes[at], id); at++) {
      const task = taskOf.get(at);
      if (task !== undefined) held.add(task);
    }
  }
}

/** Whether a box is numbered below an id, or has no id and so ends nothing. */
function isBelow(box: Box | undefined, id: string): boolean {
  return box?.head.id === undefined || box.head.id.startsWith(`${id}.`);
}
