import { beforeAll, describe, expect, onTestFailed, test } from 'vitest';
import { killText, type Ordeal, ordeals } from './kills.ts';
import { die, journalNumbers, live, outcome, recorded, type Stage, stage, starts } from './life.ts';
import type { Scenario } from './scenarios.ts';

const seed = Number(process.env.SPECLOOP_KILL_SEED ?? Math.floor(Math.random() * 2 ** 31));
const killsInAll = Number(process.env.SPECLOOP_KILLS ?? 6);
const only = process.env.SPECLOOP_KILL_ONLY;

interface Undisturbed {
  readonly tookMs: number;
  readonly outcome: object;
}

const undisturbed = new Map<Scenario, Undisturbed>();

const chosen = ordeals(seed, killsInAll).filter(({ number }) => only === undefined || number === Number(only));
const told = chosen.map((ordeal) => [titleOf(ordeal), ordeal] as const);

beforeAll(async () => {
  for (const scenario of new Set(chosen.map((ordeal) => ordeal.scenario))) {
    const shop = stage(scenario);
    const { code, stderr, tookMs } = await live(shop);
    expect(code, stderr).toBe(codeOf(scenario));
    undisturbed.set(scenario, { tookMs, outcome: outcome(shop) });
    shop.remove();
  }
});

function codeOf({ end }: Scenario): number {
  return end === 'complete' ? 0 : 1;
}

function undisturbedRun(scenario: Scenario): Undisturbed {
  const run = undisturbed.get(scenario);
  if (run === undefined) throw new Error(`"${scenario.name}" did not run.`);
  return run;
}

/** Kills the run as it is told, then lets it end; each life looks whether it did again what was recorded before. */
async function suffer(shop: Stage, { scenario, kills }: Ordeal): Promise<void> {
  const { tookMs } = undisturbedRun(scenario);
  for (const kill of kills) {
    const before = starts(shop);
    const done = recorded(shop);
    await die(shop, kill, tookMs);
    expectUntouched(shop, done, before);
  }
}

function expectUntouched(shop: Stage, done: readonly string[], before: Readonly<Record<string, number>>): void {
  const after = starts(shop);
  expect(done.filter((task) => after[task] !== before[task])).toEqual([]);
}

function titleOf({ scenario, number, kills }: Ordeal): string {
  return `${scenario.name}: ordeal ${number} of seed ${seed}: ${kills.map(killText).join(', ')}`;
}

describe('a run that is killed ends as if it had not been (R-ADV-2, R-DEL-6, R-FILE-7, R-PLAN-3)', () => {
  test.each(told)('%s', async (_, ordeal) => {
    const shop = stage(ordeal.scenario);
    onTestFailed(() => {
      const variables = `SPECLOOP_KILLS=${killsInAll} SPECLOOP_KILL_SEED=${seed} SPECLOOP_KILL_ONLY=${ordeal.number}`;
      process.stderr.write(`Again: ${variables} npx vitest run test/kill\nThe repository: ${shop.dir}\n`);
    });
    await suffer(shop, ordeal);
    const before = starts(shop);
    const done = recorded(shop);
    const { code, stdout, stderr } = await live(shop);
    expect(code, stderr).toBe(codeOf(ordeal.scenario));
    expect(stdout.trimEnd().endsWith('ALL_TASKS_COMPLETE'), stdout).toBe(ordeal.scenario.end === 'complete');
    expectUntouched(shop, done, before);
    expect(outcome(shop)).toEqual(undisturbedRun(ordeal.scenario).outcome);
    const numbers = journalNumbers(shop);
    expect(numbers).toEqual(numbers.map((run) => run.map((_, index) => index + 1)));
    shop.remove();
  });
});
