import type { SpecToMake } from '../../app/planning/new-spec.ts';
import { choicesFor, type StatedChoices } from '../../core/planning/choices.ts';
import { classify } from '../../core/planning/classify.ts';
import { documentsOf } from '../../core/planning/steps.ts';
import type { Call } from '../shared/command.ts';
import { runPhase } from './run-phase.ts';

/** Makes a spec, says how its goal is classed, and drafts its first document; resolves with the exit code. */
export async function runNew(call: Call, { place, goal, make }: SpecToMake, stated: StatedChoices): Promise<number> {
  const { goalClass, skipped } = choicesFor(goal, '', stated);
  const needed = documentsOf(goalClass, skipped);
  const { because } = classify(goal);
  const why = stated.goalClass !== undefined || because.length === 0 ? '' : ` (by "${because.join('", "')}")`;
  call.stderr.write(
    `${place.spec.name}: class ${goalClass}${why}; documents: ${needed.join(', ')}. --class changes that.\n`,
  );
  return await runPhase(call, place, { artifact: needed[0] ?? 'tasks', make, goal });
}
