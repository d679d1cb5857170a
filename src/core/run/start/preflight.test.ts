import { expect, test } from 'vitest';
import { preflight, type StartFacts } from './preflight.ts';

const strict = { allowDirty: false, allowDefaultBranch: false };
const facts = (more: Partial<StartFacts> = {}): StartFacts => ({
  spec: 'demo',
  head: 'c0',
  branch: 'feat/demo',
  operation: undefined,
  defaultBranch: 'main',
  branches: ['main', 'feat/demo'],
  hasIdentity: true,
  foreign: [],
  isInFlight: false,
  ...more,
});
const message = (more: Partial<StartFacts>) => {
  const found = preflight(facts(more), strict);
  return found.ok ? 'fine' : found.message;
};

test("a branch of one's own with a clean tree is fine (R-START-2)", () => {
  expect(preflight(facts(), strict)).toEqual({ ok: true });
});

test('on the default branch a branch for the spec is made, with the next free number (R-START-2)', () => {
  expect(preflight(facts({ branch: 'main', branches: ['main'] }), strict)).toEqual({
    ok: true,
    newBranch: 'feat/demo',
  });
  expect(preflight(facts({ branch: 'main', branches: ['main', 'feat/demo', 'feat/demo-2'] }), strict)).toEqual({
    ok: true,
    newBranch: 'feat/demo-3',
  });
  expect(preflight(facts({ branch: 'main', branches: ['main', 'feat'] }), strict)).toEqual({
    ok: true,
    newBranch: 'feat-demo',
  });
  expect(preflight(facts({ branch: 'main', branches: ['main', 'feat/demo/old'] }), strict)).toEqual({
    ok: true,
    newBranch: 'feat/demo-2',
  });
  expect(preflight(facts({ branch: 'main' }), { ...strict, allowDefaultBranch: true })).toEqual({ ok: true });
});

test('an operation in progress, a detached HEAD and an empty repository are refused by name (R-START-2)', () => {
  expect(message({ operation: 'rebase', branch: undefined })).toContain('rebase');
  expect(message({ branch: undefined })).toContain('detached');
  expect(message({ head: undefined })).toContain('no commit');
  expect(message({ hasIdentity: false })).toContain('user name and email');
});

test('changes of others are listed and refused, unless they are allowed or the work of a run that is taken up (R-START-2)', () => {
  expect(message({ foreign: ['mine.txt', 'b.txt'] })).toContain('  mine.txt\n  b.txt');
  expect(preflight(facts({ foreign: ['mine.txt'] }), { ...strict, allowDirty: true })).toEqual({ ok: true });
  expect(message({ foreign: ['half.txt'], isInFlight: true })).toBe('fine');
});
