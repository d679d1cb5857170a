import { expect, test } from 'vitest';
import { measuredLine, projectCommands } from './project-commands.ts';

function commandsIn(files: Readonly<Record<string, string>>, workdir = ''): readonly string[] {
  const texts = new Map(Object.entries(files));
  const found = projectCommands({ paths: [...texts.keys()], texts }, workdir);
  return found.map(({ kind, command, from }) => `${kind}: ${command} (${from})`);
}

const scripts = (all: Readonly<Record<string, string>>) => JSON.stringify({ scripts: all });

test('quality commands are read from manifests, one of each kind, by the runner that is in use (R-PLAN-2)', () => {
  const all = { test: 'vitest', 'test:e2e': 'playwright', lint: 'eslint', build: 'tsc', typecheck: 'tsc', deploy: 'x' };
  expect(commandsIn({ 'package.json': scripts(all) })).toEqual([
    'lint: npm run lint (package.json)',
    'types: npm run typecheck (package.json)',
    'unit: npm test (package.json)',
    'e2e: npm run test:e2e (package.json)',
    'build: npm run build (package.json)',
  ]);
  const unset = scripts({ test: 'echo "Error: no test specified" && exit 1' });
  expect(commandsIn({ 'package.json': unset, 'pnpm-lock.yaml': '' })).toEqual([]);
  expect(commandsIn({ 'package.json': scripts({ lint: 'x' }), 'pnpm-lock.yaml': '' })).toEqual([
    'lint: pnpm run lint (package.json)',
  ]);
  expect(commandsIn({ 'package.json': '{', Makefile: 'test:\n\tx\nlint := no\n' })).toEqual([
    'unit: make test (Makefile)',
  ]);
  expect(commandsIn({ 'a/go.mod': 'module x', Makefile: 'test:\n' }, 'a')).toEqual([
    'lint: go vet ./... (a/go.mod)',
    'unit: go test ./... (a/go.mod)',
    'build: go build ./... (a/go.mod)',
  ]);
  expect(commandsIn({ 'pyproject.toml': '[tool.ruff]\n[tool.pytest.ini_options]' })).toEqual([
    'lint: ruff check . (pyproject.toml)',
    'unit: pytest (pyproject.toml)',
  ]);
});

test('what was measured is shown with exit code and time, and a missing program as such (R-PLAN-2)', () => {
  const command = { kind: 'lint', command: 'npm run lint', from: 'package.json' } as const;
  const told = (result: object) => measuredLine({ ...command, how: 'exited', durationMs: 2_000, ...result });
  const begin = 'Measured: lint: `npm run lint` (package.json): ';
  expect(told({ exitCode: 0 })).toBe(`${begin}exit code 0 in 2s`);
  expect(told({ exitCode: 1, lastLine: '3 problems' })).toBe(`${begin}exit code 1 in 2s; last line: 3 problems`);
  expect(told({ exitCode: 127 })).toBe(`${begin}not found`);
  expect(told({ how: 'timed-out' })).toBe(`${begin}did not end within 2s`);
});
