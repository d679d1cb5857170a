import { expect, test } from 'vitest';
import { tick } from '../../src/core/plan/edit/edit.ts';
import { parsePlan } from '../../src/core/plan/read/parse.ts';

function planText(count: number): string {
  const task = (id: string): string =>
    `- [ ] ${id} Task ${id}\n  - **Do**:\n    1. Do ${id}\n  - **Files**: src/f${id}.ts\n  - **Done when**: it is there\n  - **Verify**: \`npm test -- ${id}\`\n  - **Commit**: \`feat(x): task ${id}\`\n`;
  return `# Tasks\n\n## Phase 1: A\n\n${Array.from({ length: count }, (_, at) => task(`1.${at + 1}`)).join('\n')}`;
}

/** The least processor time of a few runs, in milliseconds: what else the machine does costs time, but none of ours. */
function cost(run: () => unknown, runs = 5): number {
  let best = Number.POSITIVE_INFINITY;
  for (let at = 0; at < runs; at++) {
    const began = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(began);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

test('ten times the tasks cost about ten times as much, not a hundred times (R-PARSE-7)', () => {
  const small = planText(1_000);
  const large = planText(10_000);
  expect(parsePlan(large).tasks).toHaveLength(10_000);
  const warm = cost(() => parsePlan(small), 20);
  expect(cost(() => parsePlan(large)) / warm).toBeLessThan(40);
});

test('a tick in a large plan costs a fraction of reading it', () => {
  const plan = parsePlan(planText(5_000));
  const reading = cost(() => parsePlan(plan.text));
  expect(cost(() => tick(plan, { index: 2_500, id: '1.2501' })) / reading).toBeLessThan(0.5);
});

/** Texts made to be slow to read: `size` of them is one step, twice `size` should cost about twice as much. */
const HOSTILE: Readonly<Record<string, (size: number) => string>> = {
  'one long line': (size) => `- [ ] ${'x '.repeat(size * 20)}`,
  'blanks in a box line': (size) => `- [ ] a${' '.repeat(size * 20)}b`,
  'bare back-ticks': (size) => '- [ ] a `b\n'.repeat(size),
  'pairs of back-ticks': (size) => '` '.repeat(size * 20),
  'fences that open': (size) => '```a\n'.repeat(size * 4),
  'fences in list items, with boxes between': (size) => '  ```a\n- [ ] 1.1 x\n'.repeat(size),
  'two kinds of fences': (size) => '```a\n~~~b\n'.repeat(size * 2),
  'comments that open': (size) => '<!-- '.repeat(size * 20),
  'comments that open on lines of their own': (size) => `${'x <!-- a\n'.repeat(size * 4)}-->`,
  'comments after blanks': (size) => `${' '.repeat(size * 20)}x${'<!-- '.repeat(size * 5)}\n-->`,
  'brackets at the head': (size) => `- [ ] ${'[A] '.repeat(size * 20)}`,
  'headings that are tasks': (size) => '## Task 1: a\n- [ ] b\n'.repeat(size),
  'bare majors': (size) => '- [ ] 1. a\n- [ ] 1.1 b\n'.repeat(size),
  'the same title': (size) => '- [ ] a\n'.repeat(size * 2),
  'one field again and again': (size) => `- [ ] 1.1 a\n${'  - **Verify**: x\n'.repeat(size * 4)}`,
  'spans joined by and': (size) => `- [ ] 1.1 a\n  - **Verify**: ${'`a` and '.repeat(size * 10)}`,
  'a span over many lines': (size) => `- [ ] 1.1 a\n  - **Verify**: \`a\n${'    x\n'.repeat(size * 10)}\``,
};

test.each(Object.entries(HOSTILE))('a file of %s is read in linear time', (_, make) => {
  const size = 1_000;
  const small = make(size);
  const large = make(16 * size);
  parsePlan(small);
  const few = Math.max(
    1,
    cost(() => parsePlan(small), 3),
  );
  // Linear is 16 times as much, quadratic 256 times: noise of the machine reaches neither end.
  expect(cost(() => parsePlan(large), 3) / few).toBeLessThan(80);
});
