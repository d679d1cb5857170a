import type { Judged } from '../verify/judge.ts';
import { worksApart } from './batch.ts';
import { progressOf, type RunState, taskOf } from './state.ts';

/** What an attempt at this task is judged by. */
export function judgedOf(state: RunState, key: string): Judged {
  const { base, held, split, failures } = progressOf(state, key);
  const { policy, branch } = state;
  // A member has a branch of its own, which is measured.
  const own = worksApart(state, key) ? undefined : branch;
  const commands = verifyCommands(state, key);
  const task = taskOf(state, key);
  const isHeld = held !== undefined;
  const isWork = !task.verify && task.fixes === undefined && !isHeld && split === undefined;
  return {
    task,
    policy,
    branch: own,
    base,
    commands,
    isHeld,
    isToChange: isWork && task.files.length > 0 && task.commitKind === 'message',
    wasUnchanged: failures.some(({ failure }) => failure.layer === 'change'),
  };
}

/**
 * The Verify commands that decide about an attempt (R-VER-5): the task's own, and those of the tasks it is the
 * last part of (R-MOD-3). None for a fix task, whose original is checked (R-VER-8), and for one that was just split.
 */
export function verifyCommands(state: RunState, key: string): readonly string[] {
  const task = taskOf(state, key);
  if (task.fixes !== undefined || progressOf(state, key).split) return [];
  const wholes = lineOf(state, key).filter((whole) => isLastPart(state, key, whole));
  const own = [task, ...wholes.map((whole) => taskOf(state, whole))].flatMap(
    ({ verifyCommand }) => verifyCommand ?? [],
  );
  return [...own, ...(state.alsoVerify.get(key) ?? [])];
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
