import type { HandOver } from '../../src/core/run/data/hand-over.ts';
import type { RunState } from '../../src/core/run/data/state.ts';
import { handOvers } from '../../src/core/run/drivers.ts';
import type { HandedOver } from '../../src/engine/lane/handed-over.ts';
import { Chance } from './chance.ts';
import type { World } from './world.ts';

/** Sessions that drive a run, and the process that runs it in between (R-SES-4). */
export interface SessionScript {
  /** Who makes the nth start; `headless` runs the agents itself. */
  readonly driver: (start: number) => Driver;
  /** What becomes of the answer of the nth agent that worked elsewhere. */
  readonly answer: (nth: number) => AnswerFate;
}

type Driver = 'headless' | 'session:a' | 'session:b';

/** `late`: after its time. `never`: it is lost. `twice`: a second, other text comes for the same token. */
type AnswerFate = 'in time' | 'late' | 'never' | 'twice';

/** A start of the coordinator: who makes it, and whether attempts begin. */
export interface Turn {
  readonly driver: string | undefined;
  readonly begins: boolean;
}

/** How sessions behave with this seed: they often stay with a run, and seldom lose an answer. */
export function sessionOf(seed: number): SessionScript {
  const driver = (start: number): Driver => {
    // One driver for some starts in a row.
    const chance = new Chance(seed, 'driver', Math.floor(start / 4));
    return chance.weighted<Driver>({ 'session:a': 5, 'session:b': 2, headless: 2 });
  };
  const answer = (nth: number): AnswerFate =>
    new Chance(seed, 'answer', nth).weighted<AnswerFate>({ 'in time': 12, late: 2, never: 1, twice: 3 });
  return { driver, answer };
}

/** Who makes the next start: after an answer, the session hands it in first, and no attempt begins (R-SES-2). */
export function turnOf({ scenario, starts, reportedBy }: World): Turn {
  if (scenario.session === undefined) return { driver: scenario.isDriven ? 'simulated' : undefined, begins: true };
  if (reportedBy !== undefined) return { driver: reportedBy, begins: false };
  const driver = scenario.session.driver(starts);
  return { driver: driver === 'headless' ? undefined : driver, begins: true };
}

/** The agents of a driver that is taken over did nothing wrong, and their attempts do not count. */
export function noteOvertaken(world: World, state: RunState | undefined, { driver }: Turn): void {
  const lost = handOvers(state).filter(({ holder }) => holder.driver !== driver);
  for (const { effect } of lost)
    for (const call of world.agentCalls)
      if (call.task.key === effect.task && call.attempt === effect.attempt) call.isOvertaken = true;
}

/** Hands an answer in as the script of the scenario says; tells whether it arrived. */
export async function handIn(
  world: World,
  { holder }: HandOver,
  { handedOver, answer }: { readonly handedOver: HandedOver; readonly answer: string },
): Promise<boolean> {
  const fate = world.scenario.session?.answer(world.agentCalls.length) ?? 'in time';
  if (fate === 'never' || fate === 'late') {
    const { signal } = new AbortController();
    void world.clock.sleepUntil(holder.until, signal);
    while (world.clock.now() < holder.until && world.clock.advance());
  }
  if (fate === 'never') return false;
  await handedOver.report(holder.token, answer);
  if (fate === 'twice') await handedOver.report(holder.token, 'TASK_COMPLETE\nREVIEW_PASS');
  // An answer to a token of before changes nothing.
  for (const token of world.oldTokens) await handedOver.report(token, 'TASK_COMPLETE');
  world.oldTokens.add(holder.token);
  return true;
}
