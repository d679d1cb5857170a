import { expect, test } from 'vitest';
import { readArtifact } from '../../src/core/artifact/artifact-text.ts';
import { coverageOf, type TaskProof } from '../../src/core/artifact/coverage.ts';
import { coverageMarkdown } from '../../src/core/artifact/coverage-markdown.ts';
import { readRequirements } from '../../src/core/artifact/requirements.ts';
import { parsePlan } from '../../src/core/plan/read/parse.ts';

const REQUIREMENTS = '- US-1: Story\n- AC-1.1: a\n- AC-1.2: b | c\n- FR-1: x, see AC-1.1 and AC-1.2\n- FR-2: y\n';
const PROOF: TaskProof = { run: 'r', attempt: 2, command: 'npm test', exitCode: 0, commit: '4f1c9abdeadbeef' };

function coverage(tasks: string, proofs: Readonly<Record<string, TaskProof>> = {}) {
  const artifact = readArtifact('tasks', 'tasks.md', tasks);
  return coverageOf({
    requirements: readRequirements(readArtifact('requirements', 'requirements.md', REQUIREMENTS)),
    plan: { plan: parsePlan(tasks), artifact },
    proofs: new Map(Object.entries(proofs)),
  });
}

function task(box: string, id: string, named: string, verify = '`npm test`'): string {
  return `- [${box}] ${id} Task\n  - **Verify**: ${verify}\n  - _Requirements: ${named}_\n`;
}

test('a story covers its criteria, and a requirement is covered by all its criteria (R-TRACE-1)', () => {
  expect(coverage(task(' ', '1.1', 'US-1')).uncovered).toEqual(['FR-1', 'FR-2']);
  expect(coverage(task(' ', '1.1', 'AC-1.1') + task(' ', '1.2', 'AC-1.2')).uncovered).toEqual(['FR-2']);
  expect(coverage(task(' ', '1.1', 'AC-1.1, FR-2')).uncovered).toEqual(['FR-1', 'AC-1.2']);
  expect(coverage(task(' ', '1.1 [VERIFY]', 'FR-*, AC-*')).uncovered).toEqual(['FR-1', 'FR-2', 'AC-1.1', 'AC-1.2']);
});

test('proven is what a run recorded, ticked, with the command that the plan has now (R-TRACE-1)', () => {
  const unproven = (plan: string, proofs: Readonly<Record<string, TaskProof>>) =>
    coverage(plan, proofs).unproven.includes('FR-2');
  expect(unproven(task('x', '1.1', 'FR-2'), { '1.1': PROOF })).toBe(false);
  expect(unproven(task('x', '1.1', 'FR-2'), {})).toBe(true);
  expect(unproven(task(' ', '1.1', 'FR-2'), { '1.1': PROOF })).toBe(true);
  expect(unproven(task('x', '1.1', 'FR-2', '`npm run e2e`'), { '1.1': PROOF })).toBe(true);
  expect(unproven(task('x', '1.1', 'FR-2'), { '1.1': { ...PROOF, exitCode: 1 } })).toBe(true);
  const manual = { ...PROOF, command: null, exitCode: null };
  expect(unproven(task('x', '1.1', 'FR-2', 'Manual: look'), { '1.1': manual })).toBe(true);
  const both = task('x', '1.1', 'FR-2') + task('x', '1.2', 'FR-2', 'Manual: look');
  expect(unproven(both, { '1.1': PROOF, '1.2': manual })).toBe(false);
  expect(unproven(both, { '1.1': PROOF })).toBe(true);
});

test('the table of a pull request holds what the ids and commands say, and no more columns (R-TRACE-1)', () => {
  const table = coverageMarkdown(
    coverage(task('x', '1.1', 'AC-1.2', '`a | b`'), { '1.1': { ...PROOF, command: 'a | b' } }),
  );
  expect(table).toContain('| AC-1.2 | b \\| c |  | 1.1 | `a \\| b` | yes: 4f1c9ab |\n');
  expect(table).toContain('| FR-2 | y |  |  |  | no task |\n');
});
