import type { ForeignDialect } from '../../src/core/plan/data/dialect.ts';
import { accidentsOf, scenarioOf } from './generate.ts';
import { hostedOf } from './hosted/generate.ts';
import { describe, live } from './live.ts';
import { sessionOf } from './session.ts';
import { liveThrough } from './sweep.ts';

/** The seeds that are lived through: one (`SEED=123`), as many as `RUNS=20000` wants, or those of every change. */
export function seedsFrom(first: number, { runs }: { readonly runs: number }): readonly number[] {
  const { SEED, RUNS } = process.env;
  if (SEED !== undefined) return [Number(SEED)];
  // Each seed is lived through twice: with its accidents, and without.
  const count = Math.ceil(Number(RUNS ?? runs) / 2);
  return Array.from({ length: count }, (_, n) => first + n);
}

/** After so many, more of them tell nothing new. */
const FAILURES_MAX = 5;

export interface SeedOptions {
  readonly batches: boolean;
  /** How the plans are written, if not in specloop's own way. */
  readonly dialect?: ForeignDialect;
  /** Whether the agents work while no coordinator does. */
  readonly isDriven?: boolean;
  /** Whether sessions drive the run, and processes that run the agents in between. */
  readonly hasSessions?: boolean;
  /** Whether the repository is hosted, and the plan ends in a pull request. */
  readonly isHosted?: boolean;
  /** The test that lives through a seed again. */
  readonly file: string;
}

/** Lives through each seed without and with its accidents; resolves with what went wrong and how to see it again. */
export async function liveSeeds(seeds: readonly number[], options: SeedOptions): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const seed of seeds) {
    if (failures.length === FAILURES_MAX) break;
    const what = await liveSeed(seed, options);
    if (what !== '') failures.push(`SEED=${seed} npx vitest run ${options.file}\n${what}`);
  }
  return failures;
}

async function liveSeed(seed: number, options: SeedOptions): Promise<string> {
  const { isDriven = false, hasSessions = false, isHosted = false, dialect } = options;
  const scenario = {
    ...scenarioOf(seed, options),
    isDriven,
    ...(hasSessions && { session: sessionOf(seed) }),
    ...(dialect && { dialect }),
  };
  const golden = await live(isHosted ? hostedOf(seed, scenario) : scenario);
  const found = describe(golden, []);
  if (found !== '') return found;
  return await liveThrough(golden, accidentsOf(seed, golden.world.calls.length));
}
