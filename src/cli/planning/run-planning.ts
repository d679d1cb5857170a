import type { PlanningOrder, PlanningOutcome } from '../../app/planning/start-planning.ts';
import { stepsAhead } from '../../core/view/steps-ahead.ts';
import { exitCodeOf } from '../implement/exit-code.ts';
import { screenOf } from '../implement/screen.ts';
import { onSignals } from '../implement/signals.ts';
import { type Call, isSet } from '../shared/command.ts';
import { EXIT } from '../shared/exit.ts';

/** How a run of planning ended for a command. */
export interface PlanningEnd {
  readonly code: number;
  /** All its documents are recorded, and no person is asked about one. */
  readonly isComplete: boolean;
}

/** Shows a run of planning, or with `--dry-run` what it would do (R-START-8). Throws `UserError` and `HaltedRun`. */
export async function runPlanning(
  call: Call,
  start: (shown: Pick<PlanningOrder, 'surfaces' | 'onStop'>) => Promise<PlanningOutcome>,
): Promise<PlanningEnd> {
  const { surfaces, end } = screenOf(call, { json: isSet(call, '--json'), agentEvents: isSet(call, '--agent-events') });
  const outcome = await start({ surfaces, onStop: onSignals });
  if (outcome.is === 'preview') {
    call.stdout.write(`${[...stepsAhead(outcome.ahead), 'Nothing was changed.'].join('\n')}\n`);
    return { code: EXIT.ok, isComplete: false };
  }
  const { state } = outcome;
  await end(state);
  return { code: exitCodeOf(state), isComplete: state.ended?.result === 'completed' };
}
