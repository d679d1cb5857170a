import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ARTIFACTS, type ArtifactName, readArtifact } from '../../src/core/artifact/artifact-text.ts';
import { checkSpec, factsAsked } from '../../src/core/artifact/check-spec.ts';
import { coverageOf } from '../../src/core/artifact/coverage.ts';
import { coverageMarkdown } from '../../src/core/artifact/coverage-markdown.ts';
import { readRequirements } from '../../src/core/artifact/requirements.ts';
import { parsePlan } from '../../src/core/plan/read/parse.ts';

const PIECES = [
  '# Title',
  '## Goal',
  '## Goal',
  '## Out of Scope',
  '## Files',
  '## Codebase Analysis',
  '## Quality Commands',
  '## Sources',
  '### US-1: Story',
  '- AC-1.1: fast enough',
  '- [ ] **AC-1.2** (retired) x',
  '| ID | Requirement | Priority | Acceptance Criteria |',
  '|----|----|----|----|',
  '| FR-1 | a | Must | AC-1.1–1.4 |',
  '| FR-1 | a \\| b | | AC-1.* |',
  '| NFR-1 | speed | | TBD |',
  '| `src/a.ts` | Create |',
  '- `../out.ts` (new)',
  '- `npm run x --y`',
  '- a talk',
  'FR-9 to FR-2, AC-*, US-1..US-7',
  '{{HOLE}} `{{hole}}` $ {{ x }}',
  'TODO',
  '- [ ] 1.1 [P] Task',
  '- [x] 1.2 [VERIFY] Check',
  '- [ ] 1.3 [GREEN] Green',
  '  - **Files**: src/a.ts, specs/other/a.md',
  '  - **Do**:',
  '    1. step',
  '  - **Verify**: `npm test`',
  '  - **Commit**: `feat: x`',
  '  - _Requirements: FR-1, 1.1_',
  '## Phase 5: PR Lifecycle',
  '```',
  '<!-- x',
  '-->',
  '---',
  'spec: other',
  '',
];
const line = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...PIECES) },
  { weight: 1, arbitrary: fc.string({ maxLength: 12, unit: 'grapheme' }) },
);
const text = fc
  .tuple(fc.array(line, { maxLength: 25 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, eol, mark]) => `${mark ? '\uFEFF' : ''}${lines.join(eol)}${eol}`);

function check(texts: Readonly<Partial<Record<ArtifactName, string>>>) {
  const artifacts = new Map(
    ARTIFACTS.flatMap((name) => {
      const content = texts[name];
      return content === undefined ? [] : [[name, readArtifact(name, `${name}.md`, content)] as const];
    }),
  );
  const written = artifacts.get('requirements');
  const requirements = written && readRequirements(written);
  const artifact = artifacts.get('tasks');
  const plan = artifact && parsePlan(artifact.text);
  factsAsked(artifacts, {});
  const around = { existing: new Set<string>(), ignored: new Set<string>(), programs: new Set<string>() };
  const spec = { name: 'demo', path: 'specs/demo', artifacts, aliases: {}, around };
  const problems = checkSpec({ ...spec, ...(requirements && { requirements }), ...(plan && { plan }) });
  const coverage =
    requirements &&
    coverageOf({ requirements, proofs: new Map(), ...(plan && artifact && { plan: { plan, artifact } }) });
  return { problems, coverage, markdown: coverage && coverageMarkdown(coverage) };
}

function expectSound(texts: Readonly<Partial<Record<ArtifactName, string>>>): void {
  const found = check(texts);
  expect(check(texts)).toEqual(found);
  for (const { artifact, line: at, column, message, hint } of found.problems) {
    const lines = (texts[artifact] ?? '').replace(/^\uFEFF/, '').split(/\r?\n/);
    expect(lines[at - 1]).toBeDefined();
    expect(column).toBeGreaterThan(0);
    expect(column).toBeLessThanOrEqual(Math.max(1, lines[at - 1]?.length ?? 0));
    expect(`${message} ${hint}`).not.toMatch(/undefined|(?<!\{)\{(?:id|path|count|what|title|hole)\}/);
  }
  expect(found.markdown?.split('\n').every((row) => row === '' || /^\|.*\|$/.test(row)) ?? true).toBe(true);
}

test('any text is checked without a fault, the same each time, and each problem has a place that exists (R-PLAN-5)', () => {
  const one = fc.option(text, { nil: undefined });
  const spec = fc.record({ research: one, requirements: one, design: one, tasks: one });
  fc.assert(
    fc.property(spec, (texts) => expectSound(texts as Partial<Record<ArtifactName, string>>)),
    { numRuns: 300 },
  );
});

/** A folder of Markdown files of other projects; `SPECLOOP_CORPUS=FOLDER` has them checked too. */
const corpus = process.env.SPECLOOP_CORPUS;

test.runIf(corpus)(
  'so is each file of a corpus, whichever artifact it is taken for (R-PLAN-5)',
  () => {
    const paths = readdirSync(corpus ?? '', { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.md'),
    );
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) {
      const content = readFileSync(join(corpus ?? '', path), 'utf8');
      for (const name of ARTIFACTS) expectSound({ [name]: content });
      expectSound({ requirements: content, tasks: content, design: content });
    }
  },
  300_000,
);

test('the cost of the checks grows with the length of a spec, not with its square (R-PLAN-5)', () => {
  const spec = (count: number) => {
    const numbers = Array.from({ length: count }, (_, at) => at + 1);
    const rows = numbers.map((at) => `| FR-${at} | Makes part ${at} | Must | AC-${at}.1 |`);
    const stories = numbers.map((at) => `### US-${at}: Part ${at}\n\n- AC-${at}.1: Part ${at} fails without input.\n`);
    const tasks = numbers.map(
      (at) => `- [ ] ${at}.1 Part ${at}\n  - **Verify**: \`npm test\`\n  - _Requirements: FR-${at}, AC-${at}.1_\n`,
    );
    const head = '| ID | Requirement | Priority | Acceptance Criteria |\n|--|--|--|--|\n';
    return { requirements: `${stories.join('')}\n## Functional\n\n${head}${rows.join('\n')}\n`, tasks: tasks.join('') };
  };
  const timed = (count: number) => {
    const texts = spec(count);
    const start = performance.now();
    check(texts);
    return performance.now() - start;
  };
  const best = (count: number) => Math.min(...[1, 2, 3].map(() => timed(count)));
  expect(best(400) / best(100)).toBeLessThan(12);
});
