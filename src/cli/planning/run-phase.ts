import type { SpecPlace } from '../../app/place.ts';
import type { Drafted } from '../../core/plan/step.ts';
import { type Call, isSet } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { choicesOf, commonOrder, quickOf } from './options.ts';
import { runPlanning } from './run-planning.ts';
import { runTasks } from './run-tasks.ts';

/** A phase that a command runs. */
export interface PhaseCall {
  readonly artifact: Drafted;
  readonly feedback?: string;
  /** The goal of a new spec. */
  readonly goal?: string;
  /** Brings a new spec about. */
  readonly make?: () => Promise<void>;
}

/**
 * Drafts a document of a spec, and those after it up to the next gate, and shows that; without gates the tasks are run, too.
 * Resolves with the exit code (R-UX-4). Throws `UserError` and `HaltedRun`.
 */
export async function runPhase(call: Call, place: SpecPlace, phase: PhaseCall): Promise<number> {
  const { draftPhase } = await import('../../app/planning/phase.ts');
  const only = isSet(call, '--only');
  const quick = quickOf(call);
  const { code, isComplete } = await runPlanning(call, { place, isNew: phase.make !== undefined }, async (shown) => {
    const order = {
      ...commonOrder(call),
      ...phase,
      only,
      quick,
      asIs: isSet(call, '--as-is'),
      choices: choicesOf(call),
    };
    return await draftPhase(place, hostOf(call), { ...order, ...shown });
  });
  return isComplete && quick === 'no-gates' && !only ? await runTasks(call, place) : code;
}
