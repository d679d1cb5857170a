import { expect, test } from 'vitest';
import type { Plan } from '../data/task.ts';
import { parsePlan } from '../read/parse.ts';
import { insertBlock, tick, untick } from './edit.ts';

const KIRO =
  '- [ ] 1. Store\n  - [ ] 1.1 Model\n  - [ ] 1.2 Lookup\n  - [ ]* 1.3 Property tests\n- [ ] 2. Screen\n  - now\n';

function ticked(plan: Plan, index: number): Plan {
  const edited = tick(plan, { index, id: plan.tasks[index]?.id ?? '' });
  if (!edited.ok) throw new Error(edited.reason);
  return edited.plan;
}

test('a tick changes one character and nothing else, CRLF and byte order mark included (R-PARSE-3, R-FILE-5)', () => {
  const text = '\uFEFF# T\r\n\r\n- [ ] 1.1 A\r\n  - **Do**: x  \r\n\r\n- [ ] 1.2 B';
  const plan = ticked(parsePlan(text), 1);
  expect(plan.text).toBe('\uFEFF# T\r\n\r\n- [ ] 1.1 A\r\n  - **Do**: x  \r\n\r\n- [x] 1.2 B');
});

test('the plan after a tick is the plan that reading the new text gives (R-PARSE-1)', () => {
  const texts = [
    KIRO,
    '### Task 1: a\n\n- [x] b\n- [ ] c\n\n### Task 2: d\n- [ ] e\n',
    '- [ ] 1. A\n- [ ] 1.1 B\n- [~] 1.2 C\n',
  ];
  for (const text of texts) {
    let plan = parsePlan(text);
    for (let index = 0; index < plan.tasks.length; index++) {
      plan = ticked(plan, index);
      expect(plan).toEqual(parsePlan(plan.text));
    }
    expect(plan.tasks.every((task) => task.checked)).toBe(true);
  }
});

test('a task is not ticked when another one stands at its position (R-PARSE-4)', () => {
  const plan = parsePlan('- [ ] 1.1 A\n- [ ] 1.2 B\n');
  expect(tick(plan, { index: 0, id: '1.2' })).toEqual({
    ok: false,
    reason: 'Task 1.2 is no longer at position 0; 1.1 is there.',
  });
  expect(tick(plan, { index: 2, id: '1.3' }).ok).toBe(false);
});

test('ticking a task that is already ticked changes nothing', () => {
  const plan = parsePlan('- [X] 1.1 A\n- [ ] 1.2 B\n');
  expect(ticked(plan, 0)).toBe(plan);
});

test('a group is ticked with its last required task; an optional one does not hold it up (R-READ-7)', () => {
  const one = ticked(parsePlan(KIRO), 0);
  expect(one.text).toContain('- [ ] 1. Store');
  const both = ticked(one, 1);
  expect(both.text).toContain('- [x] 1. Store\n  - [x] 1.1 Model\n  - [x] 1.2 Lookup\n  - [ ]* 1.3');
  expect(both.groups[0]?.state).toBe('done');
});

test('opening a task again opens the group that holds it', () => {
  const plan = ticked(ticked(parsePlan(KIRO), 0), 1);
  const edited = untick(plan, { index: 0, id: '1.1' });
  expect(edited.ok && edited.text).toContain('- [ ] 1. Store\n  - [ ] 1.1 Model\n  - [x] 1.2');
  expect(edited.ok && edited.plan).toEqual(edited.ok && parsePlan(edited.text));
});

test('a heading that is a task is ticked by all its boxes (R-READ-8)', () => {
  const plan = parsePlan('### Task 1: a\n\n- [x] b\n- [ ] c\n- [~] d\n');
  expect(plan.tasks[0]).toMatchObject({ id: '1', title: 'a', checked: false });
  expect(ticked(plan, 0).text).toBe('### Task 1: a\n\n- [x] b\n- [x] c\n- [x] d\n');
});

test('a tick is written as the file or its tool writes it (R-DIA-2)', () => {
  expect(ticked(parsePlan('- [x] T001 A\n- [ ] T002 B\n'), 1).text).toContain('- [x] T002');
  expect(ticked(parsePlan('- [X] 1.1 A\n- [-] 1.2 B\n'), 1).text).toContain('- [X] 1.2');
});

test('a block is inserted with the blank line and the line breaks of the file (R-FILE-5)', () => {
  const before =
    '## Phase 1: A\r\n\r\n- [ ] 1.1 A\r\n  - **Do**: x\r\n\r\n- [ ] 1.2 B\r\n  - **Do**: y\r\n\r\n## Phase 2: B\r\n';
  const edited = insertBlock(parsePlan(before), { after: 0 }, '- [ ] 1.1.1 [FIX 1.1] C\n  - **Do**: z');
  expect(edited.ok && edited.text).toBe(
    before.replace('x\r\n\r\n', 'x\r\n\r\n- [ ] 1.1.1 [FIX 1.1] C\r\n  - **Do**: z\r\n\r\n'),
  );
  expect(edited.ok && edited.plan.tasks.map((task) => task.id)).toEqual(['1.1', '1.1.1', '1.2']);
});

test('a block goes before a task, and after the last one of a file without a final line break', () => {
  const plan = parsePlan('- [ ] 1.1 A\n- [ ] 1.2 B');
  const first = insertBlock(plan, { before: 0 }, '- [ ] 1.0 Z');
  const last = insertBlock(plan, { after: 1 }, '- [ ] 1.3 C\n');
  expect(first.ok && first.text).toBe('- [ ] 1.0 Z\n- [ ] 1.1 A\n- [ ] 1.2 B');
  expect(last.ok && last.text).toBe('- [ ] 1.1 A\n- [ ] 1.2 B\n- [ ] 1.3 C');
});

test('a block after the last task of a phase stays in its phase, apart from the heading below', () => {
  const plan = parsePlan('## Phase 1: A\n\n- [ ] 1.1 A\n  - a\n## Phase 2: B\n\n- [ ] 2.1 B\n  - b\n');
  const edited = insertBlock(plan, { after: 0 }, '- [ ] 1.2 C\n  - c');
  expect(edited.ok && edited.text).toContain('  - a\n\n- [ ] 1.2 C\n  - c\n\n## Phase 2: B');
  expect(edited.ok && edited.plan.tasks[1]?.phase).toBe('Phase 1: A');
});

test.each([
  ['two tasks', '- [ ] 2.1 A\n- [ ] 2.2 B'],
  ['no task', 'some text'],
  ['a ticked task', '- [x] 2.1 A'],
  ['an id that exists', '- [ ] 1.2 A'],
  ['a fence that swallows what follows', '- [ ] 2.1 A\n  ```'],
  ['a comment that swallows what follows', '- [ ] 2.1 A <!--'],
  ['a phase of its own', '## Phase 9: X\n\n- [ ] 2.1 A'],
  ['a task in disguise below it', '- [ ] 2.1 A\n\n# B\n\n- [ ] 2.2 C'],
])('a text with %s is not inserted', (_, block) => {
  const plan = parsePlan('## Phase 1: A\n\n- [ ] 1.1 A\n  - x\n\n- [ ] 1.2 B\n  ```\n  y\n  ```\n  <!-- z -->\n');
  const edited = insertBlock(plan, { after: 0 }, block);
  expect(edited).toMatchObject({ ok: false, reason: expect.stringMatching(/\.$/) });
});

test('a group that somebody ticked before its tasks stays ticked when one of them is', () => {
  const plan = ticked(parsePlan('- [x] 1. A\n  - [ ] 1.1 B\n  - [ ] 1.2 C\n'), 0);
  expect(plan.text).toBe('- [x] 1. A\n  - [x] 1.1 B\n  - [ ] 1.2 C\n');
  expect(plan).toEqual(parsePlan(plan.text));
});
