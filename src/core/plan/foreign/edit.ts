import type { Group, Plan, Task } from '../data/task.ts';
import { boxEnd, boxInside, withMarkIn } from '../edit/box.ts';
import type { Edited, TaskAddress } from '../edit/edit.ts';
import { parseForeign } from './parse.ts';
import type { DialectRules } from './rules.ts';

/**
 * Ticks a task as the owner of the file does (R-DIA-2, R-DIA-6): its box, the boxes of its checklist, and each group whose
 * last required task it was. Everything else stays. A task that is ticked already stays as it is.
 */
export function tickForeign(plan: Plan, address: TaskAddress, rules: DialectRules): Edited {
  const found = taskAt(plan, address);
  if (!found.ok) return found;
  const { task } = found;
  const isOpen = (offset: number): boolean => !isTicked(plan.text, offset);
  const own = (task.boxes ?? [task.box.offset]).filter(isOpen);
  const offsets = task.checked && own.length === 0 ? [] : [...own, ...(task.checklist ?? []).filter(isOpen)];
  const groups = plan.groups.filter((group) => isCompleted(plan, group, task.index)).map(({ box }) => box.offset);
  return withBoxes(plan, [...offsets, ...groups], { mark: tickLetter(plan, rules), rules });
}

/** Opens the box of a task again, and those of the groups above; its checklist stays as it is. */
export function untickForeign(plan: Plan, address: TaskAddress, rules: DialectRules): Edited {
  const found = taskAt(plan, address);
  if (!found.ok) return found;
  const { task } = found;
  const groups = plan.groups.filter(({ children }) => children.includes(task.index)).map(({ box }) => box.offset);
  const own = task.boxes ?? [task.box.offset];
  const offsets = [...own, ...groups].filter((offset) => isTicked(plan.text, offset));
  return withBoxes(plan, offsets, { mark: ' ', rules });
}

function taskAt(
  plan: Plan,
  { index, id }: TaskAddress,
): { readonly ok: true; readonly task: Task } | { readonly ok: false; readonly reason: string } {
  const task = plan.tasks[index];
  if (task === undefined)
    return { ok: false, reason: `The plan has no task at position ${index}; task ${id} was removed.` };
  if (task.id !== id)
    return { ok: false, reason: `Task ${id} is no longer at position ${index}; ${task.id} is there.` };
  const isBox = (offset: number): boolean =>
    plan.text[offset - 1] === '[' &&
    /^[ \t]*[^\]\s]?[ \t]*$/u.test(boxInside(plan.text, offset)) &&
    boxEnd(plan.text, offset) >= offset;
  if (![...(task.boxes ?? [task.box.offset]), ...(task.checklist ?? [])].every(isBox))
    return { ok: false, reason: `The box of task ${id} is no longer on line ${task.box.line}.` };
  return { ok: true, task };
}

function withBoxes(
  plan: Plan,
  offsets: readonly number[],
  { mark, rules }: { readonly mark: string; readonly rules: DialectRules },
): Edited {
  if (offsets.length === 0) return { ok: true, text: plan.text, plan };
  const text = withMarkIn(plan.text, offsets, mark);
  return { ok: true, text, plan: parseForeign(text, rules) };
}

function isTicked(text: string, offset: number): boolean {
  return boxInside(text, offset).trim().toLowerCase() === 'x';
}

/** Whether a group is still open and all that it needs is done once this task is. */
function isCompleted(plan: Plan, { children, state, optional }: Group, index: number): boolean {
  if (state === 'done' || !children.includes(index)) return false;
  const required = children.filter((child) => plan.tasks[child]?.optional === false);
  const counted = optional === true || required.length === 0 ? children : required;
  return counted.every((child) => child === index || plan.tasks[child]?.checked === true);
}

/** The letter of the first task that is done; without one, or where the owner knows one letter only, that of the dialect. */
function tickLetter(plan: Plan, { tick }: DialectRules): 'x' | 'X' {
  if (tick === 'only-x') return 'x';
  const done = plan.tasks.find(({ checked }) => checked);
  if (done === undefined) return tick;
  return boxInside(plan.text, done.box.offset).trim() === 'X' ? 'X' : 'x';
}
