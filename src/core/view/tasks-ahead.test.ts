import { expect, test } from 'vitest';
import { parsePlan } from '../plan/read/parse.ts';
import { defaultPolicy } from '../policy.ts';
import { tasksAhead } from './tasks-ahead.ts';

test('a dry run counts one task as one (R-START-8)', () => {
  const [first] = tasksAhead({
    spec: { name: 'demo', path: 'specs/demo' },
    plan: parsePlan('- [ ] 1.1 Add it\n'),
    policy: defaultPolicy(1),
    agents: 'a',
  });
  expect(first).toMatch(/^demo: 0 of 1 task done; agent: a; /);
});
