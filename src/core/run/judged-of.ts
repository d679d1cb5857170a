import type { Judged } from '../verify/judge.ts';
import { progressOf, type RunState, taskOf } from './data/state.ts';
import { isInTree } from './lane-of.ts';
import { verifyCommands } from './verify-commands.ts';

/** What an attempt at this task is judged by. */
export function judgedOf(state: RunState, key: string): Judged {
  const { base, held, split, failures } = progressOf(state, key);
  const { policy, branch } = state;
  // A member has a branch of its own, which is measured.
  const own = isInTree(state, key) ? branch : undefined;
  const commands = verifyCommands(state, key);
  const task = taskOf(state, key);
  const isHeld = held !== undefined;
  const isWork = !task.verify && task.fixes === undefined && !isHeld && split === undefined;
  // Its work may be in the commit of a fix task.
  const isFixed = state.tasks.some(({ fixes, checked }) => fixes === task.id && checked);
  return {
    task,
    policy,
    branch: own,
    base,
    commands,
    isHeld,
    isToChange: isWork && !isFixed && task.files.length > 0 && task.commitKind === 'message',
    wasUnchanged: failures.some(({ failure }) => failure.layer === 'change'),
  };
}
