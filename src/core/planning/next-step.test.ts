import { expect, test } from 'vitest';
import type { DocumentState } from './documents.ts';
import { nextStep, type PlannedSpec } from './next-step.ts';
import { DOCUMENTS } from './steps.ts';

/** What comes next, in a word, for documents in these states, in their order. */
function next(states: readonly DocumentState[], more: Partial<PlannedSpec> = {}): string {
  const documents = DOCUMENTS.map((artifact, at) => ({
    artifact,
    state: states[at] ?? 'missing',
    isEdited: false,
    outdatedBy: [],
  }));
  const spec = { documents, needed: DOCUMENTS, isPlanned: true, gates: 'each', advisesAgainst: false } as const;
  const found = nextStep({ ...spec, ...more });
  return found.is === 'implement'
    ? found.is
    : `${found.is} ${found.is === 'draft' ? found.artifact : found.document.artifact}`;
}

test.each([
  ['each', ['draft'], 'decide research'],
  ['final', ['draft'], 'draft requirements'],
  ['final', ['draft', 'draft', 'draft', 'draft'], 'decide tasks'],
  ['none', ['draft', 'approved'], 'draft design'],
  ['none', ['draft', 'draft', 'draft', 'draft'], 'implement'],
  ['none', ['approved', 'stale', 'draft', 'draft'], 'decide requirements'],
] as const)('with gates %s and documents %j comes: %s (R-GATE-6, R-PLAN-1)', (gates, states, what) => {
  expect(next(states, { gates })).toBe(what);
});

test('a draft that was given up is not settled without a gate (R-GATE-6)', () => {
  expect(next(['draft', 'draft'], { gates: 'none', givenUp: 'requirements' })).toBe('decide requirements');
});

test('a research against the goal waits for a person whatever the gates are (R-STOP-1)', () => {
  expect(next(['draft'], { gates: 'none', advisesAgainst: true })).toBe('decide research');
  expect(next(['approved'], { gates: 'none', advisesAgainst: true })).toBe('draft requirements');
});
