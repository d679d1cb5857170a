import type { Plan, Task } from '../data/task.ts';

/** Taken ids that are not in the plan yet. */
type MoreIds = readonly string[];

/**
 * The next free id at the level of a task, so that every tool reads it and no task becomes a parent (R-DIA-6); `undefined`
 * for a task without an id, after which none is numbered. Ids of groups and of ticked and optional tasks count.
 */
export function nextIdLike(
  plan: Plan,
  { id, hasOwnId }: Pick<Task, 'id' | 'hasOwnId'>,
  more: MoreIds = [],
): string | undefined {
  if (!hasOwnId) return undefined;
  const own = plan.tasks.filter((task) => task.hasOwnId).map((task) => task.id);
  const ids = [...own, ...plan.groups.flatMap((group) => group.id ?? []), ...more];
  if (id.startsWith('T')) return nextTNumber(ids);
  if (!/^\d/.test(id)) return undefined; // Other letters are ids only in front of a marker.
  const prefix = id.slice(0, id.lastIndexOf('.') + 1);
  const used = ids.flatMap((other) => (other.startsWith(prefix) ? leadingNumber(other.slice(prefix.length)) : []));
  return `${prefix}${Math.max(0, ...used) + 1}`;
}

/** `T042` and `T1000` give `T1001`: with as many digits as the longest, at least three. */
function nextTNumber(ids: readonly string[]): string {
  const numbers = ids.flatMap((id) => /^T(\d+)/.exec(id)?.[1] ?? []);
  const digits = Math.max(3, ...numbers.map((number) => number.length));
  return `T${String(Math.max(0, ...numbers.map(Number)) + 1).padStart(digits, '0')}`;
}

function leadingNumber(text: string): readonly number[] {
  const digits = /^\d+/.exec(text)?.[0];
  return digits === undefined ? [] : [Number(digits)];
}

/** The mark that a task writes after its id, such as the dot of `2.`. */
export function markAfterId({ id, block }: Pick<Task, 'id' | 'block'>): '' | '.' {
  const first = block.slice(0, block.indexOf('\n') < 0 ? undefined : block.indexOf('\n'));
  const at = first.indexOf(id, first.indexOf(']') + 1);
  return at >= 0 && /^\.(?:\s|$|\*\*|__)/.test(first.slice(at + id.length)) ? '.' : '';
}
