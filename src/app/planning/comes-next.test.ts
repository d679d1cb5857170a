import { expect, test } from 'vitest';
import type { RunState } from '../../core/run/data/state.ts';
import { planningNext } from './comes-next.ts';
import type { SpecDocuments } from './documents.ts';

test('a plan that --quick drafted waits for a person as long as --plan-only is given, whatever the gates are (R-PLAN-3)', () => {
  const quick = {
    planning: {},
    ended: { result: 'completed' },
    tasks: [{ step: { artifact: 'tasks' }, checked: true }],
  };
  const next = (state: 'draft' | 'approved', gates: 'each' | 'none', planOnly: boolean) => {
    const documents = [{ artifact: 'tasks', state, isEdited: false, outdatedBy: [] }];
    const spec = { documents, needed: ['tasks'], isPlanned: true, gates, advisesAgainst: false };
    return planningNext(quick as unknown as RunState, spec as unknown as SpecDocuments, { planOnly }).is;
  };
  expect([next('draft', 'each', true), next('draft', 'none', true)]).toEqual(['decide', 'decide']);
  expect([next('draft', 'each', false), next('approved', 'each', true)]).toEqual(['implement', 'implement']);
});
