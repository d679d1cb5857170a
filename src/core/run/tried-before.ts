import { progressOf, type RunState } from './data/state.ts';

/**
 * What earlier attempts at the task ran into, so that the fix does not repeat it. Neither lost attempts nor the numbers of
 * attempts are told: the plan must not depend on when the coordinator was interrupted (R-ADV-2).
 */
export function triedBefore(state: RunState, key: string): readonly string[] {
  const failures = progressOf(state, key).failures.map(({ failure }) => failure);
  return failures
    .filter(({ layer }) => layer !== 'interrupted')
    .map(({ error, text, attemptedFix }) => {
      const tried = attemptedFix === undefined ? '' : ` (tried: ${attemptedFix})`;
      return `${error ?? firstLine(text)}${tried}`;
    });
}

/** The first line that says something. */
export function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? text;
}
