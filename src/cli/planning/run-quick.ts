import type { SpecToMake } from '../../app/planning/new-spec.ts';
import { draftAll } from '../../app/planning/quick.ts';
import type { StatedChoices } from '../../core/planning/choices.ts';
import { sessionOf } from '../session/session-of.ts';
import { type Call, isSet } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { atGate } from './at-gate.ts';
import { continueSpec } from './continue-spec.ts';
import { commonOrder } from './options.ts';
import { sayClass } from './run-new.ts';
import { runPhase } from './run-phase.ts';
import { runPlanning } from './run-planning.ts';
import { runTasks } from './run-tasks.ts';

/**
 * Makes a spec, drafts all its documents and runs its tasks, or with `--plan-only` waits for a person first; resolves with
 * the exit code (R-PLAN-3). Given again after an interruption, it goes on.
 */
export async function runQuick(call: Call, made: SpecToMake, choices: StatedChoices): Promise<number> {
  const { place, goal, make } = made;
  const planOnly = isSet(call, '--plan-only');
  sayClass(call, made, choices);
  if (made.hasPlan && (planOnly || sessionOf(call) !== undefined)) return await continueSpec(call, place);
  if (!made.hasPlan) {
    const order = { ...commonOrder(call), goal, choices, planOnly, make };
    const drafted = await runPlanning(call, { place, isNew: true }, (shown) =>
      draftAll(place, hostOf(call), { ...order, ...shown }),
    );
    if (drafted.gate !== undefined) {
      const next = await atGate(call, place, { artifact: drafted.gate, code: drafted.code });
      return typeof next === 'number' ? next : await runPhase(call, place, next);
    }
    if (planOnly || !drafted.isComplete) return drafted.code;
  }
  return await runTasks(call, place);
}
