import type { SpecPlace } from '../../app/place.ts';
import { draftPhase } from '../../app/planning/phase.ts';
import { type Call, isSet } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';
import { atGate, type PhaseCall } from './at-gate.ts';
import { asIsOption, choicesOf, quickOf } from './options.ts';
import { runPlanning } from './run-planning.ts';
import { runTasks } from './run-tasks.ts';

/**
 * Drafts a document of a spec, and those after it up to the next gate, and shows that; without gates the tasks are run, too.
 * In a terminal it goes on with what a person decides at the gate. Resolves with the exit code (R-UX-4). Throws `UserError`
 * and `HaltedRun`.
 */
export async function runPhase(call: Call, place: SpecPlace, phase: PhaseCall): Promise<number> {
  let next: PhaseCall | number = phase;
  while (typeof next !== 'number') next = await runOnce(call, place, next);
  return next;
}

async function runOnce(call: Call, place: SpecPlace, phase: PhaseCall): Promise<PhaseCall | number> {
  const [only, quick] = [isSet(call, '--only'), quickOf(call)];
  const asked = { ...phase, only, quick, asIs: isSet(call, asIsOption.flag), choices: choicesOf(call) };
  const planned = { place, isNew: phase.make !== undefined };
  const end = await runPlanning(call, planned, (order) => draftPhase(place, hostOf(call), { ...order, ...asked }));
  const { code, isComplete, gate } = end;
  if (gate !== undefined) return await atGate(call, end.place, { artifact: gate, code });
  return isComplete && quick === 'no-gates' && !only ? await runTasks(call, place) : code;
}
