import { chance } from './chance.ts';
import { type Scenario, scenarios } from './scenarios.ts';

/**
 * When the coordinator dies: after a share of the time that the scenario takes undisturbed, or at once when it has made
 * so many commits or written so many events. The last two find the moments between two steps that belong together.
 */
export type Moment =
  | { readonly after: 'time'; readonly share: number }
  | { readonly after: 'commits' | 'events'; readonly count: number };

/** One death of the coordinator. */
export interface Kill {
  readonly moment: Moment;
  /** The coordinator alone, or with it all that it started, so that git dies in the middle of its work too. */
  readonly whom: 'coordinator' | 'family';
}

/** A run that is killed once or more before it may go on to its end. */
export interface Ordeal {
  readonly number: number;
  readonly scenario: Scenario;
  readonly kills: readonly Kill[];
}

const KILLS_MAX = 3;
const COMMITS_MAX = 4;
const EVENTS_MAX = 40;

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
  // Few kills meet other scenarios each time.
  const scenario = scenarios[(seed + number) % scenarios.length];
  if (scenario === undefined) throw new Error('There is no scenario.');
  return { number, scenario, kills: killsOf(next) };
}

/** One death or more, as chance has it. */
export function killsOf(next: () => number): readonly Kill[] {
  return Array.from({ length: 1 + Math.floor(next() * KILLS_MAX) }, (): Kill => {
    const moment = momentOf(next);
    return { moment, whom: next() < 0.6 ? 'coordinator' : 'family' };
  });
}

function momentOf(next: () => number): Moment {
  const kind = next();
  if (kind < 0.4) return { after: 'time', share: next() };
  if (kind < 0.7) return { after: 'commits', count: 1 + Math.floor(next() * COMMITS_MAX) };
  return { after: 'events', count: 1 + Math.floor(next() * EVENTS_MAX) };
}

export function killText({ moment, whom }: Kill): string {
  return moment.after === 'time'
    ? `${whom} killed at ${(moment.share * 100).toFixed(1)} %`
    : `${whom} killed after ${moment.count} ${moment.after}`;
}
