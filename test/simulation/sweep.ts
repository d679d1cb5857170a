import type { Accident } from './accident.ts';
import type { Call, Calls } from './gate.ts';
import { outcomeOf } from './invariants.ts';
import type { Life } from './life.ts';
import { describe, live } from './live.ts';
import type { Scenario } from './scenario.ts';

/** Every place at which a crash may end a life that went by these calls: before, inside and behind each. */
export function crashesOf(calls: Calls): readonly Accident[] {
  return calls.flatMap((call, n) => stepsOf(call).map((step): Accident => ({ at: n + 1, what: 'crash', step })));
}

function stepsOf({ steps }: Call): readonly (number | 'after')[] {
  return [...Array.from({ length: steps + 1 }, (_, step) => step), 'after'];
}

/** Lives a scenario with accidents; what is wrong with that life, measured by one without; empty if nothing is. */
export async function liveThrough(golden: Life, accidents: readonly Accident[]): Promise<string> {
  const { scenario } = golden.world;
  const life = await live(scenario, accidents);
  if (isComparable(golden)) compare(golden, life);
  return describe(life, accidents);
}

/** A crash may cost attempts: only where there are enough of them can nothing change (I6). */
function isComparable({ world, ends }: Life): boolean {
  const last = ends.at(-1);
  return world.scenario.isAmple && last?.how === 'over' && last.state.ended?.result === 'completed';
}

function compare(golden: Life, life: Life): void {
  const expected = outcomeOf(golden.world, golden.ends);
  const found = outcomeOf(life.world, life.ends);
  for (const [part, value] of Object.entries(expected)) {
    const [one, other] = [JSON.stringify(value), JSON.stringify(found[part])];
    if (one !== other)
      life.world.violated('I6', `${part} is not as without accidents.\n    ${firstDifference(one, other)}`);
  }
}

function firstDifference(one = '', other = ''): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const from = Math.max(0, at - 60);
  return `without: …${one.slice(from, at + 100)}\n    with:    …${other.slice(from, at + 100)}`;
}

/** All accidents of a sweep, one life each; resolves with the descriptions of the lives that went wrong. */
export async function sweep(
  scenario: Scenario,
  accidentsOf: (calls: Calls) => readonly Accident[],
): Promise<{ readonly lives: number; readonly failures: readonly string[] }> {
  const golden = await live(scenario);
  const failures = [describe(golden, [])];
  const accidents = accidentsOf(golden.world.calls);
  for (const accident of accidents) failures.push(await liveThrough(golden, [accident]));
  return { lives: accidents.length, failures: failures.filter((text) => text !== '') };
}
