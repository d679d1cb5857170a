import { expect, test } from 'vitest';
import { batchAt } from './batches.ts';
import { parsePlan } from './parse.ts';

function batch(lines: readonly string[], index: number): readonly number[] {
  return batchAt(parsePlan(lines.join('\n')).tasks, index);
}

test('consecutive [P] tasks form a batch, which an unmarked task ends (R-PAR-1)', () => {
  const lines = ['- [ ] 1.1 [P] A', '- [ ] 1.2 [P] B', '- [ ] 1.3 C', '- [ ] 1.4 [P] D'];
  expect(batch(lines, 0)).toEqual([0, 1]);
  expect(batch(lines, 1)).toEqual([1]);
  expect(batch(lines, 2)).toEqual([2]);
  expect(batch(lines, 3)).toEqual([3]);
});

test.each(['[VERIFY]', '[SEQUENTIAL]', '[P] [VERIFY]', '[SEQUENTIAL] [P]'])('%s ends a batch (R-PAR-1)', (marker) => {
  expect(batch(['- [ ] 1.1 [P] A', `- [ ] 1.2 ${marker} B`, '- [ ] 1.3 [P] C'], 0)).toEqual([0]);
});

test('a phase heading ends a batch (R-PAR-1)', () => {
  expect(batch(['## Phase 1: A', '- [ ] 1.1 [P] A', '## Phase 2: B', '- [ ] 2.1 [P] B'], 0)).toEqual([0]);
});

test('ticked tasks inside a batch are skipped (R-PAR-1)', () => {
  expect(batch(['- [ ] 1.1 [P] A', '- [x] 1.2 [P] B', '- [ ] 1.3 [P] C'], 0)).toEqual([0, 2]);
});

test('a task that waits for one of the batch is not in it', () => {
  expect(batch(['- [ ] 2.1 (P) A', '- [ ] 2.2 (P) B', '  - _Depends: 2.1_'], 0)).toEqual([0]);
});

test('there is no batch at a ticked task or behind the plan', () => {
  expect(batch(['- [x] 1.1 [P] A', '- [ ] 1.2 [P] B'], 0)).toEqual([]);
  expect(batch(['- [ ] 1.1 [P] A'], 4)).toEqual([]);
});
