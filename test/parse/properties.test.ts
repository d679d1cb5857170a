import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Plan } from '../../src/core/plan/data/task.ts';
import { insertBlock, tick } from '../../src/core/plan/edit/edit.ts';
import { parsePlan } from '../../src/core/plan/read/parse.ts';

const PIECES = [
  '- [ ] 1.1 A',
  '- [x] 1.2 [P] B',
  '  - [ ] 1.2.1 nested',
  '- [ ] no id',
  '* [~] T001 [US1] C in src/a.ts',
  '1. [-] ordered',
  '- [ ]* 2.1 optional',
  '- [ ] 2. Group',
  '## Phase 1: A',
  '### Task 3: heading',
  '# Title',
  '## Notes',
  '  - **Do**: x',
  '  - **Verify**: `npm test`',
  '  - **Verify**: `a',
  'b`',
  '  - **Files**: a.ts, `b c.ts`',
  '  - **Commit**: None',
  '  - **Done when**:',
  '    - [ ] criterion',
  '```',
  '  ```bash',
  '~~~',
  '````markdown',
  '<!--',
  '-->',
  '`',
  '``',
  '',
  '   ',
  '---',
  '\t- [ ] 4.1 tab',
  'text - [ ] 9.9',
  '> - [ ] quoted',
  '_Requirements: 1.1_',
  '- _Depends: 1.1, T001_',
  '- [ ] ',
  '- [ x ] odd',
];
const line = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...PIECES) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...PIECES), fc.constantFrom(...PIECES))
      .map(([left, right]) => `${left} ${right}`),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 12, unit: 'grapheme' }) },
);
const file = fc
  .tuple(fc.array(line, { maxLength: 25 }), fc.constantFrom('\n', '\r\n'), fc.boolean(), fc.boolean())
  .map(([lines, eol, mark, last]) => `${mark ? '\uFEFF' : ''}${lines.join(eol)}${last ? eol : ''}`);

/** The text put together again from what the plan says about it. */
function written(plan: Plan): string {
  let text = '';
  let from = 0;
  for (const task of plan.tasks) {
    text += plan.text.slice(from, task.span.start) + task.block;
    from = task.span.start + task.block.length;
  }
  return text + plan.text.slice(from);
}

test('any text can be read, and its places, blocks and keys hold (R-PARSE-2, R-PARSE-3)', () => {
  fc.assert(
    fc.property(file, (text) => {
      const plan = parsePlan(text);
      expect(plan.text).toBe(text);
      expect(written(plan)).toBe(text);
      expect(new Set(plan.tasks.map((task) => task.key)).size).toBe(plan.tasks.length);
      let last = -1;
      for (const [index, task] of plan.tasks.entries()) {
        expect(task.index).toBe(index);
        expect(task.id).not.toBe('');
        expect(task.span.start).toBeGreaterThan(last);
        expect(task.span.end).toBeGreaterThanOrEqual(task.span.start + task.block.length);
        last = task.span.start;
        for (const at of task.boxes ?? [task.box.offset]) expect(text.slice(at - 1, at + 2)).toMatch(/^\[[ xX~-]\]$/);
        expect(
          `${task.title}${task.verifyCommand ?? ''}${task.commit ?? ''}${task.steps ?? ''}${task.files.join()}`,
        ).not.toMatch(/\r\n|\uFEFF/);
      }
      for (const group of plan.groups) for (const child of group.children) expect(plan.tasks[child]).toBeDefined();
    }),
    { numRuns: 2_000 },
  );
});

test('reading twice gives the same, made-up ids included (R-PARSE-3)', () => {
  fc.assert(
    fc.property(file, (text) => {
      expect(parsePlan(text)).toEqual(parsePlan(text));
    }),
    { numRuns: 200 },
  );
});

test('line breaks and a byte order mark change no value (R-READ-15)', () => {
  const seen = (text: string) => parsePlan(text).tasks.map(({ block, box, span, boxes, ...rest }) => rest);
  fc.assert(
    fc.property(
      fc.array(
        line.filter((text) => !text.includes('\r')),
        { maxLength: 25 },
      ),
      (lines) => {
        expect(seen(`\uFEFF${lines.join('\r\n')}`)).toEqual(seen(lines.join('\n')));
      },
    ),
    { numRuns: 1_000 },
  );
});

test('a tick changes the boxes of its task and groups, and nothing else (R-PARSE-3)', () => {
  fc.assert(
    fc.property(file, fc.nat(), (text, pick) => {
      const plan = parsePlan(text);
      fc.pre(plan.tasks.length > 0);
      const task = plan.tasks[pick % plan.tasks.length];
      if (task === undefined) return;
      const edited = tick(plan, task);
      expect(edited.ok).toBe(true);
      if (!edited.ok) return;
      const boxes = new Set([...(task.boxes ?? [task.box.offset]), ...plan.groups.map((group) => group.box.offset)]);
      expect(edited.text.length).toBe(text.length);
      for (let at = 0; at < text.length; at++)
        if (!boxes.has(at)) expect(edited.text.charCodeAt(at)).toBe(text.charCodeAt(at));
      expect(edited.plan).toEqual({ ...parsePlan(edited.text), dialect: plan.dialect });
    }),
    { numRuns: 1_000 },
  );
});

test('an insertion leaves every other byte, or is refused (R-FILE-5)', () => {
  fc.assert(
    fc.property(file, fc.nat(), fc.boolean(), (text, pick, before) => {
      const plan = parsePlan(text);
      fc.pre(plan.tasks.length > 0);
      const at = pick % plan.tasks.length;
      const edited = insertBlock(plan, before ? { before: at } : { after: at }, '- [ ] 7.7.7 New\n  - **Do**: it');
      if (!edited.ok) return;
      const block = `- [ ] 7.7.7 New${plan.eol}  - **Do**: it`;
      const start = edited.text.indexOf(block);
      const [head, tail] = [edited.text.slice(0, start), edited.text.slice(start + block.length)];
      const breaks = (part: string): string => part.replaceAll(/[\r\n]/g, '');
      expect(breaks(head + tail)).toBe(breaks(text));
      expect(text.startsWith(head.trimEnd()) && text.endsWith(tail.trimStart())).toBe(true);
      expect(edited.plan.tasks.map((task) => task.id).filter((id) => id !== '7.7.7')).toEqual(
        plan.tasks.map((task) => task.id),
      );
    }),
    { numRuns: 1_000 },
  );
});
