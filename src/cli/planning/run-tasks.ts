import type { SpecPlace } from '../../app/place.ts';
import { UntrustedError } from '../../app/trust/trust.ts';
import { WaitingError } from '../../core/user-error.ts';
import { runImplement } from '../implement/run-implement.ts';
import { onSignals } from '../implement/signals.ts';
import type { Call } from '../shared/command.ts';
import { runCall } from '../shared/options.ts';

/** Runs the tasks of a spec whose documents were drafted without gates (R-PLAN-3); resolves with the exit code. */
export async function runTasks(call: Call, { spec }: SpecPlace): Promise<number> {
  try {
    return await runImplement(call, { ...(await runCall(call)), spec: spec.name, afterQuick: true }, onSignals);
  } catch (error) {
    // The commands of the plan are new: a person has to look at them first (R-SEC-1).
    if (error instanceof UntrustedError) throw new WaitingError(error.message, error.hint);
    throw error;
  }
}
