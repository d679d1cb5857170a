import { expect, test } from 'vitest';
import * as hosted from './hosted/scenarios.ts';
import { describe, live } from './live.ts';

const { redChecks, reviewers, others } = hosted;

test.each([redChecks, reviewers, others])(
  'what CI and people do to a pull request breaks no promise, and it is green in the end: $name (R-PR-5)',
  async (scenario) => {
    const life = await live(scenario);
    expect(describe(life, [])).toBe('');
    const last = life.ends.at(-1);
    expect(last?.how === 'over' && last.state.ended?.result).toBe('completed');
  },
);
