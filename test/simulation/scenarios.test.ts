import { expect, test } from 'vitest';
import { describe, live } from './live.ts';
import * as scenarios from './scenarios.ts';

const all = Object.values(scenarios).filter((value) => typeof value === 'object');

test.each(all)(
  'what agents, commands and hooks do breaks no promise, and all is done in the end, or, where documents are drafted, waits for approval or is taken away: $name (R-VER-13, R-ADV-5)',
  async (scenario) => {
    const life = await live(scenario);
    expect(describe(life, [])).toBe('');
    const last = life.ends.at(-1);
    const done = scenario.drafts ? 'waiting' : 'completed';
    expect(last?.how === 'over' && last.state.ended?.result).toBe(scenario.isUndone ? 'stuck' : done);
  },
);
