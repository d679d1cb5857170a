import type { SpecToMake } from '../../app/planning/new-spec.ts';
import { draftAll } from '../../app/planning/quick.ts';
import { UntrustedError } from '../../app/trust.ts';
import type { StatedChoices } from '../../core/planning/choices.ts';
import { WaitingError } from '../../core/user-error.ts';
import { exitCodeOf } from '../implement/exit-code.ts';
import { runImplement } from '../implement/run-implement.ts';
import { screenOf } from '../implement/screen.ts';
import { onSignals } from '../implement/signals.ts';
import { type Call, isSet } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { flagsOf } from '../shared/setting-options.ts';
import { sayClass } from './run-new.ts';

/**
 * Makes a spec, drafts all its documents and runs its tasks, or with `--plan-only` waits for a person first; resolves with
 * the exit code (R-PLAN-3). Given again after an interruption, it goes on.
 */
export async function runQuick(call: Call, made: SpecToMake, choices: StatedChoices): Promise<number> {
  const { place, goal, make } = made;
  const planOnly = isSet(call, '--plan-only');
  const look = { json: isSet(call, '--json'), agentEvents: isSet(call, '--agent-events') };
  const common = { settings: flagsOf(call), trust: isSet(call, '--trust') };
  sayClass(call, made, choices);
  if (!made.hasPlan) {
    const { surfaces, end } = screenOf(call, look);
    const order = { ...common, goal, choices, planOnly, make, surfaces, onStop: onSignals };
    const state = await draftAll(place, hostOf(call), order);
    await end(state);
    if (planOnly || state.ended?.result !== 'completed') return exitCodeOf(state);
  }
  try {
    return await runImplement(call, { ...common, ...look, spec: place.spec.name, afterQuick: true }, onSignals);
  } catch (error) {
    // The commands of the plan are new: a person has to look at them first (R-SEC-1).
    if (error instanceof UntrustedError) throw new WaitingError(error.message, error.hint);
    throw error;
  }
}
