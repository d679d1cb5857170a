import type { PlannedTask } from '../plan/planned-task.ts';
import { TASKS_FILE } from '../spec-files.ts';
import type { RunEnding } from './ending.ts';
import type { RunState } from './state.ts';

/** The commands of a plan as it was when a start of the run asked for trust in it (R-SEC-1). */
export function commandsOf(tasks: readonly PlannedTask[]): ReadonlySet<string> {
  return new Set(tasks.flatMap(({ verifyCommand }) => verifyCommand ?? []));
}

/**
 * Whether a task brings a command that came into the plan during the run, and that no one was asked about: it is not run
 * before a start asks for trust in it (R-SEC-1). A fix task has the command of its original, which is trusted.
 */
export function isUntrusted({ policy, knownCommands }: RunState, { verifyCommand }: PlannedTask): boolean {
  return policy.holdsAddedCommands === true && verifyCommand !== null && !knownCommands.has(verifyCommand);
}

/** Why the run waits before such a task. */
export function waitsForTrust(state: RunState, task: PlannedTask): RunEnding | undefined {
  if (!isUntrusted(state, task)) return undefined;
  return {
    result: 'waiting',
    reason: `Task ${task.id} was added during the run, with a command that is not trusted yet:\n${task.verifyCommand}\nReview it, then trust it with "${state.policy.trustCommand ?? 'specloop trust'}" (in a terminal, the next run asks), or remove the task from ${TASKS_FILE}.`,
  };
}
