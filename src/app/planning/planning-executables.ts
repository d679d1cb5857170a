import type { AgentSources } from '../agents/agent-choice.ts';
import type { SpecPlace } from '../place.ts';
import { dueReproduction } from '../shell/reproduction.ts';
import { agentExecutables, type ChosenAgents, setupExecutables } from '../trust/executables.ts';
import type { Executable } from '../trust/trust.ts';
import type { PlannedSteps } from './planned-steps.ts';

/** What a run of planning would execute (R-SEC-1), and the command among it that has to show a defect (R-BUG-1). Throws `WaitingError`. */
export function planningExecutables(
  place: SpecPlace,
  { planning, choices }: PlannedSteps,
  {
    chosen,
    sources,
    measures,
  }: {
    readonly chosen: ChosenAgents;
    readonly sources: AgentSources;
    /** Quality commands that a person is asked about, too. */
    readonly measures: readonly Executable[];
  },
): { readonly executables: readonly Executable[]; readonly reproduction: Executable | undefined } {
  const reproduction = dueReproduction(place, { goal: planning.goal, goalClass: choices.goalClass });
  const executables = [
    ...agentExecutables(chosen, sources),
    ...[reproduction ?? []].flat(),
    ...measures,
    ...setupExecutables(place.loaded.settings),
  ];
  return { executables, reproduction };
}
