import { expect, test } from 'vitest';
import { lintPlan } from './lint.ts';
import { parsePlan } from './read/parse.ts';

function codes(...lines: readonly string[]): readonly string[] {
  return lintPlan(parsePlan(lines.join('\n'))).map((problem) => problem.code);
}

function verifyCodes(value: string): readonly string[] {
  return codes('- [ ] 1.1 A', '  - **Files**: a.ts', `  - **Verify**: ${value}`);
}

test('a sound plan has no problem', () => {
  expect(
    codes(
      '- [ ] 1.1 [P] A',
      '  - **Files**: a.ts',
      '  - **Verify**: `npm test`',
      '- [ ] 1.2 [P] B',
      '  - **Files**: b.ts',
      '  - **Verify**: `npm test`',
    ),
  ).toEqual([]);
});

test('a Verify that is no command is pointed out, for an open task only (R-PARSE-5)', () => {
  expect(verifyCodes('All commands pass')).toEqual(['verify-prose']);
  expect(verifyCodes('Manual - look at it')).toEqual(['verify-manual']);
  expect(codes('- [ ] 1.1 A')).toEqual(['verify-missing']);
  expect(codes('- [x] 1.1 A')).toEqual([]);
});

test.each([
  'npm test || true',
  'npm test; true',
  'npm test; echo done',
  'echo OK',
  'true',
  ':',
  'exit 0',
  'grep x y && echo OK || echo FAIL',
])('a Verify that cannot fail is pointed out: %s', (command) => {
  expect(verifyCodes(`\`${command}\``)).toEqual(['verify-cannot-fail']);
});

test.each([
  'npm test && echo PASS',
  'grep -q true a.txt',
  'test "$(cat a)" = true',
  'set -e; npm test; echo done',
  'false || exit 1',
])('a Verify that can fail is left alone: %s', (command) => {
  expect(verifyCodes(`\`${command}\``)).toEqual([]);
});

test('a Verify whose words expect more than an exit code is pointed out', () => {
  expect(verifyCodes('`grep -c old src/a.ts` returns 0')).toEqual(['verify-comment']);
  expect(verifyCodes('`npm test` exits 0')).toEqual([]);
  expect(verifyCodes('`docs/api.md` lists the route')).toEqual(['verify-path']);
});

test('neighbours that may run together and share a file are pointed out', () => {
  expect(
    codes('- [ ] 1.1 [P] A in src/a.ts', '- [ ] 1.2 [P] B in src/b.ts', '- [ ] 1.3 [P] C in src/a.ts').filter(
      (code) => code !== 'verify-missing',
    ),
  ).toEqual(['shared-files']);
  expect(codes('- [ ] 1.1 [P] A in src/a.ts', '- [ ] 1.2 B', '- [ ] 1.3 [P] C in src/a.ts')).not.toContain(
    'shared-files',
  );
  expect(codes('- [ ] 1.1 [P] A in src/a.ts', '- [ ] 1.2 [P] B').filter((code) => code !== 'verify-missing')).toEqual([
    'files-unknown',
  ]);
});

test('a dependency that the plan does not have is an error', () => {
  const problems = lintPlan(parsePlan('- [ ] 2.1 A\n  - _Depends: 1.9_\n  - **Verify**: `npm test`\n'));
  expect(problems).toMatchObject([
    { code: 'unknown-dependency', severity: 'error', line: 1, message: expect.stringContaining('1.9') },
  ]);
});

test('a dependency on a group is known', () => {
  expect(codes('- [x] 1. A', '- [x] 1.1 B', '- [ ] 2.1 C', '  - _Depends: 1_', '  - **Verify**: `npm test`')).toEqual(
    [],
  );
});

test('an id that is used twice is a warning with its place (R-PARSE-4)', () => {
  const problems = lintPlan(parsePlan('- [x] 1.1 A\n- [x] 1.1 B\n'));
  expect(problems).toMatchObject([{ code: 'duplicate-id', severity: 'warning', line: 2, column: 4 }]);
});

test('a number that is left out is a warning, once for each gap and only if it is nowhere in the plan (R-PARSE-4)', () => {
  const problems = lintPlan(parsePlan('- [x] 1.1 A\n- [x] 1.4 B\n- [x] 1.5 C\n- [x] 4.2 D\n'));
  expect(problems).toMatchObject([
    { code: 'id-gap', severity: 'warning', line: 2, message: 'The number 1.2 is missing before task 1.4.' },
  ]);
  expect(codes('- [x] T009 A', '- [x] T011 B', '- [x] T010 C')).toEqual([]);
  expect(
    codes('- [x] 1.1 A', '  - x', '- [x] 1.1.1 [FIX 1.1] F', '- [x] 1.2 B', '- [x] 1.2a C', '- [x] 1.3 D'),
  ).toEqual([]);
});

test('a task without an id among tasks with one is a warning (R-PARSE-4)', () => {
  expect(lintPlan(parsePlan('- [x] 1.1 A\n- [x] Checkpoint\n'))).toMatchObject([
    { code: 'missing-id', severity: 'warning', line: 2 },
  ]);
  expect(codes('- [x] Dark mode', '- [x] Docs')).toEqual([]);
});

test('a plan with nothing left to do is no problem', () => {
  expect(codes('- [x] 1.1 A', '- [x] 1.2 B')).toEqual([]);
});

test.each([
  '- [ x ] 1.2 B',
  '- [] 1.2 B',
  '- [  ] 1.2 B',
  '-[ ] 1.2 B',
  '- [ ]1.2 B',
  '- [✓] 1.2 B',
  '[ ] 1.2 B',
  '- [ ]',
])('a line that only looks like a task is pointed out: %s', (line) => {
  const problems = lintPlan(parsePlan(`- [x] 1.1 A\n${line}\n`));
  expect(problems).toMatchObject([{ code: 'almost-a-task', severity: 'warning', line: 2 }]);
});

test.each([
  '- [a link](b)',
  '- [x](b)',
  '- [ ](b)',
  'Use `[ ]` here',
  '```\n-[ ] x\n```',
  '- [P] means parallel',
  '- [x]: note',
])('a line that is no failed task is left alone: %s', (line) => {
  expect(codes('- [x] 1.1 A', line)).toEqual([]);
});

test('an id more than five dots deep is pointed out', () => {
  expect(codes('- [x] 1.1.1.1.1.1 A')).toEqual([]);
  expect(codes('- [x] 1.1.1.1.1.1.1 A')).toEqual(['deep-id']);
});

test('problems come in the order of the file and end with a full stop', () => {
  const problems = lintPlan(parsePlan('- [ ] 1.2 A\n-[ ] 1.3 B\n- [ ] 1.2 C\n```\n'));
  expect(problems.map((problem) => problem.line)).toEqual([1, 2, 3, 3, 4]);
  for (const problem of problems) expect(`${problem.message}|${problem.hint}`).toMatch(/\.\|.*\.$/);
});

test('a pipe that hides an exit code is reported with the command whose failure counts (R-VER-15)', () => {
  expect(verifyCodes('`npm test 2>&1 | tail -5`')).toEqual(['verify-cannot-fail']);
  expect(verifyCodes('`npm run build | tail -5 && npm test`')).toEqual(['verify-exit-code-lost']);
  const plan = parsePlan('- [ ] 1.1 A\n  - **Verify**: `npm test 2>&1 | tail -5`\n');
  expect(lintPlan(plan)[0]?.message).toContain('tail hides the exit code of `npm test 2>&1`');
});

test('a Verify that a terminal would not show whole is an error (R-SEC-1)', () => {
  expect(verifyCodes('`test -f a; : \u001b]0; touch x; : \u0007`')).toEqual(['verify-control-character']);
});

test('a word of look-alike letters is pointed out (R-SEC-1)', () => {
  expect(verifyCodes('`npm test && cat p\u0430ckage.json | grep -q x`')).toEqual(['verify-mixed-scripts']);
  expect(verifyCodes("`grep -q 'Привет мир' a.txt`")).toEqual([]);
});

test.each([
  '../../.ssh/authorized_keys',
  '/etc/passwd',
  '~/.bashrc',
  '.git/hooks/pre-commit',
  'a/../../b',
  '.GIT/config',
])('Files outside of the repository are pointed out: %s', (path) => {
  expect(codes('- [ ] 1.1 A', `  - **Files**: \`${path}\``, '  - **Verify**: `npm test`')).toEqual(['files-outside']);
});

test.each(['src/a.ts', 'a/../b.ts', '.github/ci.yml', '.gitignore', '/home/me/project/a.ts', '..config/a.ts'])(
  'Files of the repository are not: %s',
  (path) => {
    expect(codes('- [ ] 1.1 A', `  - **Files**: \`${path}\``, '  - **Verify**: `npm test`')).toEqual([]);
  },
);
