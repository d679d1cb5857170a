import { expect, test } from 'vitest';
import { filesToRead, repositoryFacts } from './repository-facts.ts';

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{"scripts": {"dev": "vite --port 5173", "test": "vitest run"}}',
  'pnpm-lock.yaml': '',
  '.github/workflows/ci.yml':
    'jobs:\n  a:\n    steps:\n      - run: npm ci\n      - name: check\n        run: |\n          npm run lint\n          npm test\n      - uses: x\n',
  'compose.yaml': 'services:\n  db:\n    ports:\n      - "5432:5432"\n',
  '.claude/skills/login-forms/SKILL.md': '---\nname: login-forms\ndescription: How login forms are built here\n---\n',
  '.claude/skills/deploy/SKILL.md': '---\nname: deploy\ndescription: How to deploy\n---\n',
  'src/a.ts': '',
};

function facts(files: Readonly<Record<string, string>>): readonly string[] {
  const paths = Object.keys(files);
  const texts = new Map(filesToRead(paths).map((path) => [path, files[path] ?? '']));
  const specs = [
    { name: 'login-page', goal: 'Add login forms' },
    { name: 'other', goal: 'Else' },
  ];
  return repositoryFacts({ paths, texts, specs, goal: 'Build the login with forms' });
}

test('code tells an author how the project is built, checked and started, and what is related to the goal (R-PLAN-2)', () => {
  expect(facts(FILES)).toEqual([
    'Languages: TypeScript (1 files)',
    'Package managers: pnpm (pnpm-lock.yaml)',
    'Manifest: package.json',
    'Script dev: vite --port 5173',
    'Script test: vitest run',
    'CI: .github/workflows/ci.yml',
    'Runs: npm ci',
    'Runs: npm run lint',
    'Runs: npm test',
    'Dev server: script dev of package.json: vite --port 5173',
    'Ports: 5173, 5432',
    'Folders:',
    expect.stringContaining('.claude/'),
    expect.stringContaining('.claude/skills/'),
    expect.stringContaining('.claude/skills/deploy/'),
    expect.stringContaining('.claude/skills/login-forms/'),
    expect.stringContaining('.github/'),
    expect.stringContaining('.github/workflows/'),
    expect.stringContaining('src/'),
    'Related spec: login-page: Add login forms',
    'Related skill: .claude/skills/login-forms/SKILL.md: How login forms are built here',
  ]);
});

test('a manifest that is no JSON is said to be none, and takes nothing else away (R-PLAN-2)', () => {
  expect(facts({ 'package.json': '{', 'go.sum': '' })).toEqual([
    'Package managers: go (go.sum)',
    'Manifest: package.json',
    'It is no valid JSON.',
    'Related spec: login-page: Add login forms',
  ]);
});
