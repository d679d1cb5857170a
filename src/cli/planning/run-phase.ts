import type { SpecPlace } from '../../app/place.ts';
import type { Drafted } from '../../core/plan/step.ts';
import { exitCodeOf } from '../implement/exit-code.ts';
import { screenOf } from '../implement/screen.ts';
import { onSignals } from '../implement/signals.ts';
import { type Call, isSet } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { flagsOf } from '../shared/setting-options.ts';
import { choicesOf } from './options.ts';

/** A phase that a command runs. */
export interface PhaseCall {
  readonly artifact: Drafted;
  readonly feedback?: string;
  /** The goal of a new spec. */
  readonly goal?: string;
  /** Brings a new spec about. */
  readonly make?: () => Promise<void>;
}

/** Drafts one document of a spec and shows that; resolves with the exit code (R-UX-4). Throws `UserError` and `HaltedRun`. */
export async function runPhase(call: Call, place: SpecPlace, phase: PhaseCall): Promise<number> {
  const { draftPhase } = await import('../../app/planning/phase.ts');
  const { surfaces, end } = screenOf(call, { json: isSet(call, '--json'), agentEvents: isSet(call, '--agent-events') });
  const state = await draftPhase(place, hostOf(call), {
    ...phase,
    asIs: isSet(call, '--as-is'),
    choices: choicesOf(call),
    settings: flagsOf(call),
    trust: isSet(call, '--trust'),
    surfaces,
    onStop: onSignals,
  });
  await end(state);
  return exitCodeOf(state);
}
