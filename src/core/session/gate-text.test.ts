import { expect, test } from 'vitest';
import type { PlannedDocument } from '../planning/documents.ts';
import { gateText } from './gate-text.ts';

const draft: PlannedDocument = { artifact: 'design', state: 'draft', sha256: 'a', isEdited: false, outdatedBy: [] };
const newest = {
  awaitsApproval: 'design',
  tasks: [{ key: 'design', step: { artifact: 'design' } }],
  drafts: new Map([['design', { sha256: 'a', problems: [] }]]),
  ended: { result: 'waiting', reason: 'specs/demo/design.md is ready. The checks left 1 finding.' },
} as unknown as Parameters<typeof gateText>[0];

test('the gate of a draft says what the checks left, as long as the draft is as it was recorded (R-GATE-1, R-GATE-3)', () => {
  expect(gateText(newest, draft, 'demo')).toContain('1 finding');
  const edited = gateText(newest, { ...draft, sha256: 'b' }, 'demo');
  expect(edited).toBe(
    'design.md waits for your approval.\nTo approve it: specloop approve demo design\nTo have it changed: specloop reject demo design --feedback "TEXT"',
  );
  expect(gateText(newest, { ...draft, artifact: 'tasks' }, 'demo')).not.toContain('finding');
  expect(gateText(undefined, draft, 'demo')).toBe(edited);
});

test('a stale document is named with its reason, and takes --as-is (R-GATE-3, R-GATE-5)', () => {
  const stale = { ...draft, state: 'stale', outdatedBy: ['requirements'] } as const;
  expect(gateText(newest, stale, 'demo')).toMatch(
    /^design\.md is stale: it was made before requirements\.md changed\.\n.*approve demo design --as-is$/m,
  );
});
