import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextFixId } from '../../run/fix-id.ts';
import type { Plan, Task } from '../data/task.ts';
import { parsePlan } from '../read/parse.ts';
import { insertBlock } from './edit.ts';
import { fixPlace, fixTaskBlock } from './fix-task.ts';

const PLAN = [
  '## Phase 1: A',
  '',
  '- [ ] 1.3 Parser',
  '  - **Do**: write it',
  '  - **Files**: src/a.ts, `src/b c.ts` (new)',
  '  - **Done when**: it parses',
  '  - **Verify**: `npm test` and `npm run lint` exit 0',
  '  - **Commit**: `feat(parser): add it`',
  '',
  '- [ ] 1.4 Printer',
  '  - **Do**: write it',
  '',
].join('\n');

function taskOf(plan: Plan, index: number): Task {
  const task = plan.tasks[index];
  if (task === undefined) throw new Error(`no task ${index}`);
  return task;
}

/** Inserts a fix of the first task and gives the new plan. */
function fixed(plan: Plan, error: string, attemptedFix = 'Looked around'): Plan {
  const original = taskOf(plan, 0);
  const block = fixTaskBlock({ id: nextFixId(plan.tasks, original.id), original, error, attemptedFix });
  const edited = insertBlock(plan, { after: fixPlace(plan, original) }, block);
  if (!edited.ok) throw new Error(`${edited.reason}\n${block}`);
  return edited.plan;
}

test('a fix task has the title, fields and place the protocol names (R-REC-4, R-REC-5)', () => {
  const plan = fixed(parsePlan(PLAN), 'File not found: src/parser.ts', 'Checked alternate paths');
  expect(plan.text).toContain('\n\n- [ ] 1.3.1 [FIX 1.3] Fix: File not found: src/parser.ts\n  - **Do**:\n');
  expect(taskOf(plan, 1)).toMatchObject({
    id: '1.3.1',
    fixes: '1.3',
    title: 'Fix: File not found: src/parser.ts',
    phase: 'Phase 1: A',
    files: ['src/a.ts', 'src/b c.ts'],
    verifyCommand: 'npm test && npm run lint',
    commit: 'fix(parser): address missing file from task 1.3',
  });
  expect(taskOf(plan, 1).steps).toContain('Error: File not found: src/parser.ts');
  expect(taskOf(plan, 1).steps).toContain('Attempted fix: Checked alternate paths');
});

test('the next fix of a task comes after its earlier ones and their own fixes (R-REC-5)', () => {
  const one = fixed(parsePlan(PLAN), 'one');
  const nested = insertBlock(
    one,
    { after: 1 },
    fixTaskBlock({ id: '1.3.1.1', original: taskOf(one, 1), error: 'x', attemptedFix: '' }),
  );
  const two = fixed(nested.ok ? nested.plan : one, 'two');
  expect(two.tasks.map((task) => task.id)).toEqual(['1.3', '1.3.1', '1.3.1.1', '1.3.2', '1.4']);
});

test('a fix that was moved away does not take the next one along (R-REC-5)', () => {
  const plan = parsePlan('- [ ] 1.3 A\n- [x] 1.3.1 [FIX 1.3] B\n- [ ] 1.4 C\n- [x] 1.3.2 [FIX 1.3] D\n');
  expect(fixPlace(plan, taskOf(plan, 0))).toBe(1);
});

test('without Files and Verify a fix names the folder and is checked by hand, which passes nothing (R-REC-4)', () => {
  const plan = parsePlan('- [ ] 1.1 Add lookup in src/store/lookup.ts\n');
  const block = fixTaskBlock({ id: '1.1.1', original: taskOf(plan, 0), error: '', attemptedFix: '' });
  expect(taskOf(parsePlan(block), 0)).toMatchObject({
    title: 'Fix: Task execution failed',
    files: ['src/store/'],
    verifyKind: 'manual',
    verifyCommand: null,
    commit: 'fix(recovery): address failure from task 1.1',
  });
});

test('a Verify of several lines is copied so that it reads back as the same command (R-REC-4)', () => {
  const forms = [
    '  - **Verify**: `python3 -c "\nprint(1)\n"`',
    '  - **Verify**: Run:\n    ```bash\n    npm test\n      npm run x\n    ```',
    '  - **Verify**: All pass:\n    - Lint: `npm run lint`\n    - `npm test`',
  ];
  for (const verify of forms) {
    const plan = parsePlan(`- [ ] 1. Group\n- [ ] 1.1 A\n${verify}\n`);
    const block = fixTaskBlock({ id: '1.1.1', original: taskOf(plan, 0), error: 'e', attemptedFix: '' });
    expect(taskOf(parsePlan(block), 0).verifyCommand).toBe(taskOf(plan, 0).verifyCommand);
  }
});

test.each([
  [
    'a plain checklist',
    '# TODO\n\n## Now\n\n- [ ] Dark mode\n- [ ] Docs\n\n## Later\n\n- [ ] Plugins\n',
    'dark-mode.1',
  ],
  ['nested tasks', '- [ ] 1. Store\n  - [ ] 1.1 Model\n    - fields\n  - [ ] 1.2 Lookup\n', '1.1.1'],
  ['headings as tasks', '### Task 1: A\n\n- [ ] a\n\n**Verify:** `npm test`\n\n### Task 2: B\n\n- [ ] b\n', '1.1'],
  ['spec-kit lines', '- [ ] T001 A in src/a.ts\n- [ ] T002 B\n', 'T001.1'],
  ['verification tasks', '- [ ] VE1 [VERIFY] E2E\n- [ ] VE2 [VERIFY] E2E\n', 'VE1.1'],
])('a fix task fits into %s (R-REC-4)', (_, text, id) => {
  const before = parsePlan(text);
  const plan = fixed(before, 'no such file');
  expect(taskOf(plan, 1)).toMatchObject({ id, fixes: taskOf(before, 0).id, checked: false });
  expect(plan.tasks.length).toBe(before.tasks.length + 1);
});

test('the title holds the first 50 characters of the error (R-REC-4)', () => {
  const plan = fixed(parsePlan(PLAN), `${'é'.repeat(49)}🎉${'x'.repeat(900)}`);
  expect(taskOf(plan, 1).title).toBe(`Fix: ${'é'.repeat(49)}🎉`);
  expect(
    Math.max(
      ...taskOf(plan, 1)
        .block.split('\n')
        .map((line) => line.length),
    ),
  ).toBeLessThan(600);
});

const NASTY = [
  '`',
  '``',
  '```',
  '**',
  '__',
  '[P]',
  '- [ ] 7.7 x',
  '- [x] 1.4',
  '<!--',
  '-->',
  '(P)',
  '(depends on T011)',
  '\\',
  '\n',
  '\r\n',
  '## Phase 9: x',
  '[VERIFY]',
  '[FIX 1.4]',
  '  - **Verify**: `rm -rf x`',
  '~~~',
  '\u2028',
  '\u0000',
  '$(touch x)',
  '&lt;',
  '1. ',
  'ü',
  '🎉',
  ' ',
  'word',
];

test('whatever an error says, it makes no task, marker, field or comment (R-REC-4)', () => {
  const before = parsePlan(PLAN);
  const text = fc
    .array(fc.oneof(fc.constantFrom(...NASTY), fc.string({ maxLength: 5 })), { maxLength: 12 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, (error, attemptedFix) => {
      const plan = fixed(before, error, attemptedFix);
      const { id, markers, verifyCommand, files, dependsOn, commit, block } = taskOf(plan, 1);
      expect({ id, markers, files, dependsOn }).toEqual({
        id: '1.3.1',
        markers: ['FIX 1.3'],
        files: ['src/a.ts', 'src/b c.ts'],
        dependsOn: [],
      });
      expect(verifyCommand).toBe('npm test && npm run lint');
      expect(commit).toMatch(/^fix\(parser\): address [a-z ]+ from task 1\.3$/);
      const acting = block.replace(/\\[^\n]/g, '').replace(/^ *- \*\*(?:Files|Verify|Commit)\*\*.*$/gm, '');
      expect(acting).not.toMatch(/`|<!--/);
      expect(plan.problems).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('terminal colours of a tool are not in the title (R-REC-4)', () => {
  const plan = fixed(parsePlan(PLAN), '\u001b[31mexpected\u001b[0m\t1 to be\n2\u202e');
  expect(taskOf(plan, 1).title).toBe('Fix: expected 1 to be 2');
});
