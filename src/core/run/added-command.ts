import type { PlannedTask } from '../plan/data/planned-task.ts';
import { isMarkerCommand } from '../plan/marker-command.ts';
import type { RunEnding } from './data/run-ending.ts';
import type { RunState } from './data/state.ts';

/** The commands of a plan as it was when a start of the run asked for trust in it (R-SEC-1). */
export function commandsOf(tasks: readonly PlannedTask[]): ReadonlySet<string> {
  return new Set(tasks.flatMap(({ verifyCommand }) => verifyCommand ?? []));
}

/**
 * Whether a task brings a command that came into the plan during the run, and that no one was asked about: it is not run
 * before a start asks for trust in it (R-SEC-1). A fix task has the command of its original, which is trusted.
 */
export function isUntrusted({ policy, knownCommands }: RunState, { verifyCommand }: PlannedTask): boolean {
  if (policy.holdsAddedCommands !== true || verifyCommand === null) return false;
  return !knownCommands.has(verifyCommand) && !isTrustedAnyway(verifyCommand, policy);
}

/** The command of the tests was trusted at the start, and one that looks for conflict markers only reads (R-PR-11). */
function isTrustedAnyway(command: string, { testCommand }: RunState['policy']): boolean {
  return command === testCommand || isMarkerCommand(command, testCommand);
}

/** Whether the coordinator may write this command into the plan itself, without a person to ask (R-SEC-1). */
export function mayBeAdded(state: RunState, command: string): boolean {
  const { policy, knownCommands } = state;
  return policy.holdsAddedCommands !== true || knownCommands.has(command) || isTrustedAnyway(command, policy);
}

/** Why the run waits before such a task. */
export function waitsForTrust(state: RunState, task: PlannedTask): RunEnding | undefined {
  if (!isUntrusted(state, task)) return undefined;
  return {
    result: 'waiting',
    reason: `Task ${task.id} was added during the run, with a command that is not trusted yet:\n${task.verifyCommand}\nReview it, then trust it with "${state.policy.trustCommand ?? 'specloop trust'}" (in a terminal, the next run asks), or remove the task from the plan.`,
  };
}
