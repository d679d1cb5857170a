import { provesNothing } from '../plan/shell/verify-doubts.ts';
import { progressOf, type RunState, taskOf } from './data/state.ts';

/**
 * The Verify commands that decide about an attempt (R-VER-5): the task's own, and those of the tasks it is the
 * last part of (R-MOD-3). None for a fix task, whose original is checked (R-VER-8), and for one that was just split.
 */
export function verifyCommands(state: RunState, key: string): readonly string[] {
  if (isCheckedElsewhere(state, key)) return [];
  return [...ownCommands(state, key), ...(state.alsoVerify.get(key) ?? [])];
}

/**
 * Whether no command can tell that the work of this task is right (R-VER-9): it has none, or none that can fail. A verifier
 * sees a [VERIFY] task, and of a fix task and a split one the original or the parts are checked.
 */
export function isCheckedByNoCommand(state: RunState, key: string): boolean {
  if (taskOf(state, key).verify || isCheckedElsewhere(state, key)) return false;
  return ownCommands(state, key).every(provesNothing);
}

function isCheckedElsewhere(state: RunState, key: string): boolean {
  return taskOf(state, key).fixes !== undefined || progressOf(state, key).split === true;
}

function ownCommands(state: RunState, key: string): readonly string[] {
  const wholes = lineOf(state, key).filter((whole) => isLastPart(state, key, whole));
  return [key, ...wholes].flatMap((of) => taskOf(state, of).verifyCommand ?? []);
}

/** The tasks this one is a part of, nearest first. */
function lineOf({ splits }: RunState, key: string): readonly string[] {
  const line: string[] = [];
  for (let whole = splits.get(key); whole !== undefined && !line.includes(whole); whole = splits.get(whole))
    line.push(whole);
  return line;
}

function isLastPart(state: RunState, key: string, whole: string): boolean {
  return state.tasks.every((task) => task.key === key || task.checked || !lineOf(state, task.key).includes(whole));
}
