import { expect, test } from 'vitest';
import { parsePlan } from '../read/parse.ts';
import { addLifecycleTask } from './add-task.ts';

const BLOCK = '- [ ] 5.3 Fix CI failure: test\n  - **Done when**: It passes\n  - **From**: `check 0123456789ab test`';

/** The text of a plan after a task of the lifecycle was added. */
function added(text: string): string {
  const edited = addLifecycleTask(parsePlan(text), { number: 5 }, BLOCK);
  if (!edited.ok) throw new Error(edited.reason);
  const before = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  // Every line that was there is there still, in its order.
  const after = edited.plan.text.split(/\r?\n/);
  let from = 0;
  for (const line of before) {
    from = after.indexOf(line, from) + 1;
    expect(from, line).toBeGreaterThan(0);
  }
  return edited.plan.text;
}

const lastPhase = (text: string) => parsePlan(text).tasks.find(({ id }) => id === '5.3')?.phase;

test('a plan with phases gets a section of its own at its end (R-PR-2)', () => {
  const plan = '# Tasks\n\n## Phase 1: Do it\n\n- [x] 1.1 A\n  - **Verify**: `true`\n';
  expect(added(plan)).toBe(`${plan}\n## Phase 5: PR Lifecycle\n\n${BLOCK}\n`);
  expect(lastPhase(added(plan))).toBe('Phase 5: PR Lifecycle');
});

test('the section that is there is used, also where others follow it (R-PR-2, R-PARSE-3)', () => {
  const plan =
    '## Phase 1\n\n- [x] 1.1 A\n\n## Phase 5: PR Lifecycle\n\n- [ ] 5.1 Create PR\n- [ ] 5.2 CI passes\n\n## Notes\n\nMine.\n';
  const text = added(plan);
  expect(text.match(/PR Lifecycle/g)).toHaveLength(1);
  expect(parsePlan(text).tasks.map(({ id }) => id)).toEqual(['1.1', '5.1', '5.2', '5.3']);
  expect(lastPhase(text)).toBe('Phase 5: PR Lifecycle');
  expect(text.endsWith('## Notes\n\nMine.\n')).toBe(true);
});

test('line breaks are those of the plan (R-FILE-5)', () => {
  const plan = '## Phase 1\r\n\r\n- [x] 1.1 A\r\n';
  const section = '## Phase 1\r\n\r\n- [x] 1.1 A\r\n\r\n## Phase 5: PR Lifecycle\r\n';
  for (const text of [plan, section.concat('\r\n- [ ] 5.1 Create PR\r\n')])
    expect(added(text).replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
});

test('a last line without a break gets one (R-PARSE-3)', () => {
  expect(added('- [x] 1.1 A')).toBe(`- [x] 1.1 A\n\n## Phase 5: PR Lifecycle\n\n${BLOCK}\n`);
});

test.each([
  ['without phases', '- [x] 1.1 A\n- [x] 1.2 B\n'],
  [
    'with headings of another level',
    '# Plan\n\n### Phase 1: Do it\n\n- [x] 1.1 A\n\n### Phase 2: Do more\n\n- [x] 2.1 B\n',
  ],
  ['with headings that are no phases', '# Plan\n\n## Backend\n\n- [x] 1.1 A\n\n## Notes\n\nText of mine.\n'],
  ['that ends in an open fence', '## Phase 1\n\n- [x] 1.1 A\n\n```\nnever closed\n'],
])('a plan %s keeps its tasks as they are, and has the new one last (R-PR-2)', (_, plan) => {
  const [before, after] = [parsePlan(plan).tasks, parsePlan(added(plan)).tasks];
  expect(after.slice(0, -1).map(({ id, title, phase }) => ({ id, title, phase }))).toEqual(
    before.map(({ id, title, phase }) => ({ id, title, phase })),
  );
  expect(after.at(-1)?.id).toBe('5.3');
});
