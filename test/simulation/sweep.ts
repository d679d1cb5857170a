import type { Accident } from './accident.ts';
import type { DeedName } from './deeds.ts';
import type { Calls } from './gate.ts';
import type { Life } from './life.ts';
import { describe, live, liveOn } from './live.ts';
import { outcomeOf } from './outcome.ts';
import type { Scenario } from './scenario.ts';
import { World } from './world.ts';

/** Lives a scenario with accidents; what is wrong with that life, measured by one without; empty if nothing is. */
export async function liveThrough(golden: Life, accidents: readonly Accident[]): Promise<string> {
  const { scenario } = golden.world;
  const life = await live(scenario, accidents);
  compare(golden, life);
  return describe(life, accidents);
}

/** A crash may cost attempts: only where there are enough of them can nothing change (I6). */
function isComparable({ world, ends }: Life): boolean {
  const last = ends.at(-1);
  const { isAmple, policy, hosted, session } = world.scenario;
  // What people do at a request depends on how many came before it.
  if (hosted) return false;
  // Who drives, and which answers are lost, depends on how many starts and agents came before.
  if (session) return false;
  // Which members of a batch a reviewer sees together depends on who lost an attempt.
  const isOrderly = (policy.jobs ?? 1) === 1 || policy.review === 'off';
  // A hook that says no to the work once may meet another commit, and a fix is planned for another task.
  if (world.scenario.refusal?.by === 'work') return false;
  // What an agent leaves running changes proved work, which is reviewed once more, unless a crash ends it first.
  if (policy.review !== 'off' && world.agentCalls.some(({ deed }) => LEAVES_A_PROCESS.has(deed))) return false;
  if (last?.how !== 'over' || !isAmple || !isOrderly) return false;
  return last.state.ended?.result === 'completed' || last.state.awaitsApproval !== undefined;
}

const LEAVES_A_PROCESS: ReadonlySet<DeedName> = new Set([
  'good, a process of it lives on',
  'good, a process of it breaks the work',
]);

function compare(golden: Life, life: Life): void {
  if (!isComparable(golden) || life.world.asked > 0) return;
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

export interface Swept {
  readonly lives: number;
  /** What went wrong, one description a life. */
  readonly failures: readonly string[];
}

/**
 * A life for every place at which a crash may end the coordinator: inside and after each call of a port. A call that only
 * reads leaves the world as it was: a crash before or after it, and one before any call, is the one after the last change.
 */
export async function sweepCrashes(scenario: Scenario): Promise<Swept> {
  const crashes: { readonly accident: Accident; readonly world: World }[] = [];
  const golden = await liveOn(new World(scenario), {
    accidents: [],
    onPoint: ({ at, step }, world) => {
      if (step !== 0 && world.calls[at - 1]?.kind !== 'read')
        crashes.push({ accident: { at, step, what: 'crash' }, world: world.fork() });
    },
  });
  const failures = [describe(golden, [])];
  for (const { accident, world } of crashes) {
    const life = await liveOn(world, { accidents: [] });
    compare(golden, life);
    failures.push(describe(life, [accident]));
  }
  return { lives: crashes.length, failures: failures.filter((text) => text !== '') };
}

/** A life for each of these accidents, which are chosen by the calls of a life without any. */
export async function sweep(scenario: Scenario, accidentsOf: (calls: Calls) => readonly Accident[]): Promise<Swept> {
  const golden = await live(scenario);
  const failures = [describe(golden, [])];
  const accidents = accidentsOf(golden.world.calls);
  for (const accident of accidents) failures.push(await liveThrough(golden, [accident]));
  return { lives: accidents.length, failures: failures.filter((text) => text !== '') };
}
