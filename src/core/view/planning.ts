import { isLeftOut } from '../plan/data/left-out.ts';
import type { StateFileFields } from '../state-file/parse.ts';

/** Where a spec is on its way from research to its last task. */
export interface Planning {
  readonly phase: string;
  /** The phase whose result waits for a person's approval. */
  readonly gate: string | null;
  /** The epic that the spec is a part of. */
  readonly epic: string | null;
}

/** What the state file says (R-PLAN-7); without a phase in it, what the plan shows. */
export function planningOf(
  { phase, awaitingApproval, epicName }: StateFileFields,
  tasks: readonly { readonly checked: boolean; readonly optional?: boolean }[],
): Planning {
  const shown =
    tasks.length === 0 ? 'planning' : tasks.every((task) => task.checked || isLeftOut(task)) ? 'completed' : 'tasks';
  const current = phase ?? shown;
  return { phase: current, gate: awaitingApproval === true ? current : null, epic: epicName ?? null };
}
