import { Chance } from '../chance.ts';
import type { Scenario } from '../scenario.ts';
import { planOf } from '../scenarios.ts';
import type { ActName } from './acts.ts';
import { check, OWN_TASKS, pullRequest } from './scenarios.ts';
import type { CheckResult, CheckScript, HostedScript } from './script.ts';

const RESULTS: Readonly<Record<CheckResult, number>> = { passed: 6, failed: 3, 'cut-off': 2 };

/** What people do, each as often as its weight says. */
const WEIGHTS: Readonly<Record<ActName, number>> = {
  comments: 6,
  'comments without rights': 2,
  'a listed bot comments': 3,
  'another bot comments': 2,
  'comments with our own account': 2,
  replies: 4,
  edits: 3,
  resolves: 3,
  'asks for changes': 4,
  'asks for changes without words': 2,
  approves: 2,
  pushes: 4,
  'pushes a task': 2,
  'changes the base': 2,
  'changes the base in conflict': 3,
  'adds a task here': 3,
  'changes the plan here': 2,
  'edits a file here': 3,
  limited: 3,
  unavailable: 4,
  'unavailable, after it was done': 4,
  rewrites: 1,
  'deletes the branch': 1,
  closes: 1,
  merges: 1,
};

const ACTS_MAX = 8;
const REQUESTS_MAX = 40;

/** The scenario of a seed, with a repository that is hosted, and a pull request at its end. */
export function hostedOf(seed: number, scenario: Scenario): Scenario {
  const chance = new Chance('hosted', seed);
  const tasks = ['1.1', '1.2', '1.3'].slice(0, chance.between(1, 3));
  return {
    ...scenario,
    plan: `${planOf(...tasks)}${chance.happens(0.6) ? OWN_TASKS : ''}`,
    policy: {
      ...scenario.policy,
      bookkeeping: 'coordinator',
      commitSpec: true,
      keepFailedChanges: false,
      pullRequest: {
        ...pullRequest,
        resolves: chance.happens(0.4),
        noChecks: chance.pick(['wait', 'accept']),
        maxCycles: chance.pick([20, 60]),
        maxFixesPerCheck: chance.between(1, 5),
      },
    },
    onDefaultBranch: false,
    specCommitted: true,
    reruns: chance.below(3),
    hosted: scriptOf(chance),
  };
}

function scriptOf(chance: Chance): HostedScript {
  const names = ['CI / build', 'CI / test', 'style', 'a `name` | <of> a check'].filter(() => chance.happens(0.5));
  const acts = Array.from({ length: chance.below(ACTS_MAX + 1) }, () => ({
    at: chance.between(1, REQUESTS_MAX),
    act: chance.weighted(WEIGHTS),
  }));
  return { checks: names.map((name) => checkOf(chance, name)), acts };
}

function checkOf(chance: Chance, name: string): CheckScript {
  const results = Array.from({ length: chance.below(4) }, () => chance.weighted(RESULTS));
  return check(name, {
    isRequired: chance.happens(0.7),
    appearsAfter: chance.pick([0, 0, 0, 1, 6]),
    endsAfter: chance.pick([0, 1, 2, 5, 20]),
    results: [...results, chance.happens(0.9) ? 'passed' : 'failed'] as unknown as CheckScript['results'],
    again: chance.weighted(RESULTS),
  });
}
