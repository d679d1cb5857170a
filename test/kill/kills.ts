import { chance } from './chance.ts';
import { type Scenario, scenarios } from './scenarios.ts';

/** One death of the coordinator. */
export interface Kill {
  /** When, as a share of the time that the scenario takes undisturbed. */
  readonly at: number;
  /** The coordinator alone, or with it all that it started, so that git dies in the middle of its work too. */
  readonly whom: 'coordinator' | 'family';
}

/** A run that is killed once or more before it may go on to its end. */
export interface Ordeal {
  readonly number: number;
  readonly seed: number;
  readonly scenario: Scenario;
  readonly kills: readonly Kill[];
}

const KILLS_MAX = 3;

/** Ordeals with this many kills in all; which they are follows from the seed alone. */
export function ordeals(seed: number, killsInAll: number): readonly Ordeal[] {
  const made: Ordeal[] = [];
  for (let left = killsInAll; left > 0; left -= made.at(-1)?.kills.length ?? left) {
    const ordeal = ordealOf(seed, made.length);
    made.push({ ...ordeal, kills: ordeal.kills.slice(0, left) });
  }
  return made;
}

function ordealOf(seed: number, number: number): Ordeal {
  const next = chance(seed + number * 7919);
  const scenario = scenarios[number % scenarios.length];
  if (scenario === undefined) throw new Error('There is no scenario.');
  const count = 1 + Math.floor(next() * KILLS_MAX);
  const kills = Array.from(
    { length: count },
    (): Kill => ({ at: next(), whom: next() < 0.6 ? 'coordinator' : 'family' }),
  );
  return { number, seed, scenario, kills };
}
