import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { validateSchema } from '../../surfaces/json/report-schemas.ts';
import { type TestRepository, testRepository } from '../shared/test-rig.ts';

const REQUIREMENTS = `# Anmeldung

## Ziel

Leute melden sich an.

## Ausgeschlossen

- Passwort vergessen

## User Stories

### US-1: Sich anmelden

- AC-1.1: Ein falsches Passwort zeigt einen Fehler, not the page.

## Anforderungen

| ID | Anforderung | Priority | Criteria |
|----|-------------|----------|----------|
| FR-1 | Prüft das Passwort | Must | AC-1.1 |
`;
const TASKS = `# Tasks

- [ ] 1.1 Check the password
  - **Do**: write it
  - **Files**: src/a.ts
  - **Done when**: it is checked
  - **Verify**: \`npm test\`
  - **Commit**: \`feat: check\`
  - _Requirements: FR-1, 1.1_
`;

let repository: TestRepository;
beforeEach(() => {
  repository = testRepository();
  repository.write('specs/demo/requirements.md', REQUIREMENTS);
  repository.write('specs/demo/tasks.md', TASKS);
});
afterEach(() => repository.remove());

async function codes(...argv: readonly string[]) {
  const { code, stdout } = await repository.run(['validate', 'demo', '--json', ...argv]);
  const { problems, documentProblems = [] } = validateSchema.parse(JSON.parse(stdout));
  return {
    code,
    problems: [...documentProblems, ...problems].map((problem) => [problem.severity, problem.code, problem.file]),
  };
}

test('a spec with headings of its own is no error; --strict fails, and settings name the headings (R-PLAN-5)', async () => {
  const missing = ['finding', 'no-section', 'specs/demo/requirements.md'];
  expect(await codes()).toEqual({ code: 0, problems: [missing, missing] });
  expect((await codes('--strict')).code).toBe(1);
  repository.write(
    'specloop.config.yaml',
    'headings:\n  requirements.goal: [Ziel]\n  requirements.outOfScope: [Ausgeschlossen]\n',
  );
  expect(await codes('--strict')).toEqual({ code: 0, problems: [] });
});

test('a key of headings that names no section is refused with those that do (R-PLAN-5)', async () => {
  repository.write('specloop.config.yaml', 'headings:\n  requirements.aim: [Ziel]\n');
  const { code, stderr } = await repository.run(['validate', 'demo']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('requirements.goal')]);
});

test('errors and findings of all artifacts are printed with their lines, in a stable order (R-PLAN-5)', async () => {
  repository.write('specs/demo/design.md', '# Design\n\n## Overview\n\nFor FR-9.\n');
  repository.write('specs/demo/tasks.md', TASKS.replace('FR-1, 1.1', 'FR-1'));
  const told = await repository.run(['validate', 'demo']);
  expect(told.code).toBe(1);
  expect(told.stdout).toContain(`specs/demo/design.md:5:5 error FR-9 is not defined in requirements.md.
    For FR-9.
        ~~~~~
Hint: Correct the id, or define it.
`);
  expect(told.stdout).toContain('specs/demo/requirements.md:15:3 finding AC-1.1 is in no task of tasks.md');
  expect(told.stderr).toMatch(
    /^1 error, \d+ findings\. Correct the spec, then run "specloop validate demo" again\.\n$/,
  );
  expect(await repository.run(['validate', 'demo'])).toEqual(told);
});

test('a spec that is still being planned is checked as far as it is there (R-PLAN-5)', async () => {
  repository.write('specs/next/requirements.md', REQUIREMENTS.replace('AC-1.1 |', 'AC-1.2 |'));
  const { code, stdout, stderr } = await repository.run(['validate', 'next', '--json']);
  expect([code, stderr.includes('1 error')]).toEqual([1, true]);
  expect(JSON.parse(stdout)).toMatchObject({ spec: 'next', dialect: null });
  repository.write('specs/none/notes.md', 'x');
  expect((await repository.run(['validate', 'none'])).stderr).toContain('specs/none/tasks.md is missing');
});

test('an artifact that is empty or no text is an error with its place (R-PLAN-5)', async () => {
  repository.write('specs/demo/research.md', ' \n');
  writeFileSync(join(repository.dir, 'specs/demo/design.md'), Buffer.from([35, 10, 0xff, 10]));
  const { stdout } = await repository.run(['validate', 'demo']);
  expect(stdout).toContain('specs/demo/research.md:1:1 error The file is empty.');
  expect(stdout).toContain('specs/demo/design.md:2:1 error The file cannot be read: it is not UTF-8 text.');
});

test('many problems of one kind are printed once, with the ids (R-PLAN-5)', async () => {
  const stories = ['US-2', 'US-3', 'US-4'].map((id) => `### ${id}: More\n`).join('\n');
  repository.write(
    'specs/demo/requirements.md',
    REQUIREMENTS.replace('## Anforderungen', `${stories}\n## Anforderungen`),
  );
  const { stdout } = await repository.run(['validate', 'demo']);
  expect(stdout).toContain('finding 3 stories have no acceptance criterion: US-2, US-3, US-4.\n');
});

test('files, ignored paths and programs that a spec names are looked for, and nothing is run (R-PLAN-5)', async () => {
  repository.write('.gitignore', 'dist/\n');
  repository.write('src/there.ts', '');
  repository.write('package.json', '{"scripts": {"lint": "touch ran"}}');
  repository.write(
    'specs/demo/research.md',
    '## Summary\n## Codebase Analysis\n`src/there.ts`, `src/gone.ts`\n## Quality Commands\n- Lint: `npm run lint`\n- Types: `npm run types`\n- Build: `no-such-program --all`\n## Recommendations\n## Open Questions\n',
  );
  repository.write(
    'specs/demo/design.md',
    '## Overview\nFR-1\n## Components\n## Files\n- `dist/a.js` (new)\n- `src/there.ts` (new)\n## Decisions\n## Tests\n',
  );
  const { problems } = await codes();
  expect(problems.map(([, code]) => code).filter((code) => code !== 'no-section')).toEqual([
    'path-missing',
    'command-missing',
    'command-missing',
    'file-in-no-task',
    'path-ignored',
    'creates-existing',
    'file-in-no-task',
  ]);
  expect(existsSync(join(repository.dir, 'ran'))).toBe(false);
});

test('one document of a spec is checked by its path, with the others at hand (R-PLAN-5)', async () => {
  repository.write('specs/demo/design.md', '# Design\n\n## Overview\n\nFor FR-9.\n');
  const { code, stdout, stderr } = await repository.run(['validate', 'specs/demo/requirements.md']);
  expect([code, stdout.includes('finding No section with the goal.'), stdout.includes('FR-9')]).toEqual([
    0,
    true,
    false,
  ]);
  expect(stderr).toBe('3 findings.\n');
  const design = await repository.run(['validate', 'specs/demo/design.md', '--json']);
  expect([design.code, design.stdout.includes('"id-undefined"'), JSON.parse(design.stdout).problems]).toEqual([
    1,
    true,
    [],
  ]);
  repository.write('docs/design.md', '- [ ] 1.1 Decide\n');
  expect(await repository.run(['validate', 'docs/design.md'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^docs\/design\.md is in no folder of a spec\.\nHint: /),
  });
});

test('what a plan lacks is a finding, which fails under --strict; a warning never does (R-PLAN-5)', async () => {
  const gap = TASKS + TASKS.slice(TASKS.indexOf('- [ ]')).replace('1.1 Check', '1.3 Test');
  repository.write(
    'specs/demo/requirements.md',
    REQUIREMENTS.replace('## Ziel', '## Goal').replace('## Ausg', '## Out of scope: Ausg'),
  );
  repository.write('specs/demo/tasks.md', gap);
  expect(await codes('--strict')).toEqual({ code: 0, problems: [['warning', 'id-gap', 'specs/demo/tasks.md']] });
  repository.write('specs/demo/tasks.md', gap.replace('`npm test`', 'it looks right to me'));
  const { code, problems } = await codes('--strict');
  expect([code, problems.map(([severity, name]) => [severity, name])]).toEqual([
    1,
    [
      ['finding', 'verify-prose'],
      ['warning', 'id-gap'],
    ],
  ]);
});
