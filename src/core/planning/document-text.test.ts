import { expect, test } from 'vitest';
import { nextCommand } from '../view/next-command.ts';
import { approvedText, decideText } from './document-text.ts';
import type { DocumentState } from './documents.ts';
import { nextStep } from './next-step.ts';
import { DOCUMENTS } from './steps.ts';

/** What a person is asked about documents in these states, in their order, and the command of `status`. */
function asked(states: readonly DocumentState[], more: object = {}): readonly (string | undefined)[] {
  const documents = DOCUMENTS.map((artifact, at) => ({
    artifact,
    state: states[at] ?? 'missing',
    isEdited: false,
    outdatedBy: [],
  }));
  const spec = {
    documents,
    needed: DOCUMENTS,
    isPlanned: true,
    gates: 'each',
    advisesAgainst: false,
    ...more,
  } as const;
  const planning = nextStep(spec);
  if (planning.is !== 'decide') throw new Error(`Nothing to decide: ${planning.is}`);
  return [decideText(planning, 'x'), nextCommand({ spec: 'x', total: 0, done: 0, isRunning: false, planning })];
}

test('where several documents wait, one command approves them all (R-GATE-3, R-PLAN-7)', () => {
  const [text, command] = asked(['approved', 'draft', 'draft', 'draft']);
  expect(text?.split('\n')).toEqual([
    'These wait for your approval: requirements.md, design.md, tasks.md.',
    'To approve them: specloop approve x',
    'To have requirements.md changed: specloop reject x requirements --feedback "TEXT"',
  ]);
  expect(command).toBe('specloop approve x');
});

test.each<[string, readonly DocumentState[], object, string]>([
  ['one waits', ['draft'], {}, 'research'],
  ['another was rejected', ['draft', 'rejected', 'draft'], {}, 'research'],
  ['another is stale', ['draft', 'draft', 'stale'], {}, 'research'],
  ['another was given up', ['draft', 'draft'], { givenUp: 'requirements' }, 'research'],
  ['the first is stale', ['stale', 'draft'], {}, 'research --as-is'],
])('where %s, a document is approved by its name (R-GATE-3)', (_what, states, more, what) => {
  const [text, command] = asked(states, more);
  expect(text).toContain(`To approve it: specloop approve x ${what}\n`);
  expect(command).toBe(`specloop approve x ${what}`);
});

test('an approval given twice says that nothing was left to approve (R-GATE-3)', () => {
  const one = { file: 'design.md', hash: 'abc' };
  expect(approvedText({ ...one, wasApproved: false })).toBe('Approved design.md (content abc).');
  expect(approvedText({ ...one, wasApproved: true })).toBe('design.md is approved already (content abc).');
});
