import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectByText } from '../../src/core/plan/dialects/detect.ts';
import { formatOf } from '../../src/core/plan/dialects/formats.ts';

const PIECES = [
  ...['- [ ] 1.1 A', '- [x] 1.2 (P) B', '  - [ ] 1.2.1 nested', '- [ ] no id', '* [~] T001 [US1] C in src/a.ts'],
  ...[
    '1. [-] ordered',
    '- [ ]* 2.1 optional',
    '- [ ] 2. Group',
    '## Phase 1: A',
    '## 1. Section',
    '### Task 3: heading',
  ],
  ...[
    '# Title',
    '## Notes',
    '## Future',
    '  - **Verify**: `npm test`',
    '  - _Verify: `a`_',
    '  - _Requirements: 1.1, 2_',
  ],
  ...[
    '  - Fixes: 1.1',
    '  - _Depends: 1.1, 9_',
    '**Acceptance criteria:**',
    '**Steps**',
    '```',
    '  ```bash',
    '<!--',
    '-->',
    '`',
  ],
  ...[
    '',
    '   ',
    '---',
    '\t- [ ] 4.1 tab',
    '> - [ ] quoted',
    '- [] empty',
    '- [ x ] odd',
    '- [!] mark',
    '- [ ] ~~gone~~',
  ],
  ...['  goes on', '- detail', '  - [ ] step', '    - [ ] deeper', '- [ ] T002 [P] D', '- [ ] **1.3** bold'],
];
const line = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...PIECES) },
  { weight: 1, arbitrary: fc.string({ maxLength: 12, unit: 'grapheme' }) },
);
const file = fc
  .tuple(fc.array(line, { maxLength: 25 }), fc.constantFrom('\n', '\r\n'), fc.boolean(), fc.boolean())
  .map(([lines, eol, mark, last]) => `${mark ? '\uFEFF' : ''}${lines.join(eol)}${last ? eol : ''}`);
const bare = (text: string) => text.replace(/\[[ \t]*[^\]\s]?[ \t]*\]/gu, '[]');

describe.each(['spec-kit', 'kiro', 'openspec', 'checklist'] as const)('a plan of %s', (dialect) => {
  const format = formatOf(dialect);

  test('of any text can be read, and its places, blocks and keys hold (R-PARSE-2, R-PARSE-3)', () => {
    fc.assert(
      fc.property(file, (text) => {
        detectByText(text);
        const plan = format.parse(text);
        format.describe(plan);
        expect(format.parse(text)).toEqual(plan);
        expect(new Set(plan.tasks.map(({ key }) => key)).size).toBe(plan.tasks.length);
        let last = 0;
        for (const { span, block, box, boxes = [box.offset], checklist = [] } of plan.tasks) {
          expect(span.start).toBeGreaterThanOrEqual(last);
          last = span.end;
          expect(text.slice(span.start, span.start + block.length)).toBe(block);
          for (const at of [...boxes, ...checklist]) expect(text.slice(at - 1)).toMatch(/^\[[ \t]*[^\]\s]?[ \t]*\]/u);
        }
        for (const { children } of plan.groups) for (const child of children) expect(plan.tasks[child]).toBeDefined();
      }),
      { numRuns: 400 },
    );
  });

  test('is ticked and opened again in its boxes alone (R-DIA-2, R-DIA-6)', () => {
    fc.assert(
      fc.property(file, fc.nat(), (text, pick) => {
        const plan = format.parse(text);
        fc.pre(plan.tasks.length > 0);
        const task = plan.tasks[pick % plan.tasks.length];
        if (task === undefined) return;
        const ticked = format.tick(plan, task);
        if (!ticked.ok) throw new Error(ticked.reason);
        expect(bare(ticked.text)).toBe(bare(text));
        expect(ticked.plan.tasks[task.index]?.checked).toBe(true);
        const states = (tasks: typeof plan.tasks) =>
          tasks.map(({ id, state }) => (id === task.id ? '' : `${id} ${state}`));
        expect(states(ticked.plan.tasks)).toEqual(states(plan.tasks));
        const opened = format.untick(ticked.plan, { ...task });
        if (!opened.ok) throw new Error(opened.reason);
        expect(opened.plan.tasks[task.index]?.checked).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  test('takes in a fix of any error as one open task, or refuses it and stays (R-DIA-6, R-REC-4)', () => {
    fc.assert(
      fc.property(
        file,
        fc.nat(),
        fc.oneof(line, fc.string({ maxLength: 80, unit: 'grapheme' })),
        (text, pick, error) => {
          const plan = format.parse(text);
          fc.pre(plan.tasks.length > 0);
          const original = plan.tasks[pick % plan.tasks.length];
          if (original === undefined) return;
          const edited = format.insertFix(plan, { id: '', original, error, attemptedFix: error });
          if (!edited.ok) return;
          const known = new Set(plan.tasks.map(({ key }) => key));
          const [fix, ...others] = edited.plan.tasks.filter(({ key }) => !known.has(key));
          expect(others).toEqual([]);
          expect(fix).toMatchObject({ checked: false, parallel: false });
          expect(fix?.verifyCommand ?? null).toBe(original.verifyCommand);
          let start = 0;
          while (start < text.length && text[start] === edited.text[start]) start++;
          expect(edited.text.endsWith(text.slice(start))).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});

test.each(['spec-kit', 'kiro', 'openspec', 'checklist'] as const)(
  'a plan of %s is read in linear time (R-PARSE-7)',
  (dialect) => {
    const text = (count: number) =>
      Array.from({ length: count }, (_, n) => `- [ ] ${n}. A\n  - [ ] ${n}.1 B\n    - c\n`).join('');
    const format = formatOf(dialect);
    const cost = (count: number) => {
      const whole = text(count);
      const from = process.cpuUsage();
      format.parse(whole);
      detectByText(whole);
      return process.cpuUsage(from).user;
    };
    cost(200);
    expect(cost(4_000)).toBeLessThan(60 * Math.max(cost(400), 5_000));
  },
);
