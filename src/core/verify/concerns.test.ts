import { expect, test } from 'vitest';
import { type ChangeFacts, concerns } from './concerns.ts';

const facts = (more: Partial<ChangeFacts>): ChangeFacts => ({
  changed: [],
  deleted: [],
  testPatch: '',
  commands: [],
  isNamed: () => false,
  ...more,
});

test('a changed script that a Verify command runs is a concern, unless the task is about it (R-VER-3)', () => {
  const changed = { changed: ['scripts/check.sh', 'src/a.ts'], commands: ['bash ./scripts/check.sh && npm test'] };
  expect(concerns(facts(changed))).toEqual(['scripts/check.sh was changed, and a Verify command of the plan runs it.']);
  expect(concerns(facts({ ...changed, isNamed: (path) => path === 'scripts/check.sh' }))).toEqual([]);
});

test('a deleted test is a concern, a deleted source file is none (R-VER-3)', () => {
  expect(concerns(facts({ deleted: ['src/a.test.ts', 'src/b.ts', 'tests/login.py', 'pkg/x_test.go'] }))).toEqual([
    'The test src/a.test.ts was deleted.',
    'The test tests/login.py was deleted.',
    'The test pkg/x_test.go was deleted.',
  ]);
});

test('a page of a spec is no test, wherever it lies (R-VER-3)', () => {
  expect(concerns(facts({ deleted: ['specs/demo/design.md', 'tests/README.md'] }))).toEqual([]);
});

test('a skip that was added is a concern, one that was removed or stood there is none (R-VER-3)', () => {
  const testPatch =
    '+++ b/src/a.test.ts\n+it.skip("adds", () => {})\n-it.skip("old")\n it.skip("context")\n+expect(1).toBe(1)\n+++ b/t/b_test.go\n+\tt.Skip("later")';
  expect(concerns(facts({ testPatch }))).toEqual([
    'A test is skipped or singled out in src/a.test.ts: it.skip("adds", () => {})',
    'A test is skipped or singled out in t/b_test.go: t.Skip("later")',
  ]);
});

test('a changed file that a known runner goes through is a concern of the proof, unless the task is about it (R-VER-14)', () => {
  const changed = { changed: ['package.json', 'src/a.ts'], commands: ['npm test'] };
  expect(concerns(facts(changed))).toEqual(['package.json was changed, and the Verify command `npm test` runs it.']);
  expect(concerns(facts({ ...changed, isNamed: (path) => path === 'package.json' }))).toEqual([]);
  expect(concerns(facts({ changed: ['Makefile', 'package.json'], commands: ['cargo test'] }))).toEqual([]);
  expect(concerns(facts({ changed: ['Makefile'], commands: ['make test'] }))).toHaveLength(1);
});
