import type { SpecToMake } from '../../app/planning/new-spec.ts';
import type { Drafted } from '../../core/plan/data/step.ts';
import { choicesFor, type StatedChoices } from '../../core/planning/choices.ts';
import { classify } from '../../core/planning/classify.ts';
import { documentsOf } from '../../core/planning/steps.ts';
import type { Call } from '../shared/command.ts';
import { runPhase } from './run-phase.ts';

/** Makes a spec, says how its goal is classed, and drafts its first document; resolves with the exit code. */
export async function runNew(call: Call, made: SpecToMake, stated: StatedChoices): Promise<number> {
  const [artifact = 'tasks'] = sayClass(call, made, stated);
  return await runPhase(call, made.place, { artifact, make: made.make, goal: made.goal });
}

/** Says how a goal is classed and by which words; returns the documents that it gets (R-PLAN-4). */
export function sayClass(call: Call, { place, goal }: SpecToMake, stated: StatedChoices): readonly Drafted[] {
  const { goalClass, skipped } = choicesFor(goal, '', stated);
  const needed = documentsOf(goalClass, skipped);
  const { because } = classify(goal);
  const why = stated.goalClass !== undefined || because.length === 0 ? '' : ` (by "${because.join('", "')}")`;
  const named = `${place.spec.name}: class ${goalClass}${why}; documents: ${needed.join(', ')}.`;
  call.stderr.write(`${named} --class changes that.\n`);
  return needed;
}
