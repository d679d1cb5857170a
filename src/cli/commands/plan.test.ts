import { afterEach, beforeEach, expect, test } from 'vitest';
import { PLAN, runIn, type TestRepository, testRepository } from '../shared/test-rig.ts';

let repository: TestRepository;
beforeEach(() => {
  repository = testRepository();
  repository.write('specs/demo/tasks.md', PLAN);
  repository.write('specs/.current-spec', 'demo\n');
});
afterEach(() => repository.remove());

test('tasks prints the plan as the one reader sees it (R-API-4, R-PARSE-1)', async () => {
  const { code, stdout, stderr } = await repository.run(['tasks', '--json']);
  expect([code, stderr]).toEqual([0, '']);
  const { dialect, tasks, groups, problems } = JSON.parse(stdout);
  expect({ dialect, groups, problems }).toEqual({ dialect: 'ralph-specum', groups: [], problems: [] });
  expect(tasks[1]).toEqual({
    index: 1,
    line: 7,
    id: '1.2',
    title: 'Add part 1.2',
    checked: false,
    state: 'open',
    parallel: true,
    verify: false,
    sequential: false,
    optional: false,
    markers: ['P'],
    phase: 'Phase 1: Make it work',
    files: [],
    verifyKind: 'command',
    verifyCommand: 'npm run lint',
    commit: null,
    dependsOn: [],
    fixes: null,
  });
});

test('tasks shows people the dialect, the phases and the boxes (R-DIA-1)', async () => {
  expect((await repository.run(['tasks', 'demo'])).stdout).toBe(
    `specs/demo/tasks.md: ralph-specum, 1 of 3 tasks done

Phase 1: Make it work
 [x] 1.1 Add part 1.1
 [ ] 1.2 [P] Add part 1.2
 [ ] 1.3 [VERIFY] Look at it
`,
  );
});

test('a file needs neither a repository nor settings that make sense', async () => {
  repository.write('specloop.config.yaml', 'nonsense: 1\n');
  repository.write('todo.md', '- [ ] Pick a name\n');
  const { code, stdout } = await runIn(repository.dir, ['tasks', 'todo.md', '--json'], { env: { PATH: '' } });
  expect([code, JSON.parse(stdout).tasks.length]).toEqual([0, 1]);
});

test.each([
  ['# nothing here\n', 'todo.md holds no task.'],
  ['', 'todo.md is empty.'],
  ['<!--\n- [ ] 1.1 A\n-->\n', 'todo.md holds no task.'],
])('a file without a task is never "all done": %j (R-PARSE-6)', async (text, message) => {
  repository.write('todo.md', text);
  const { code, stdout, stderr } = await repository.run(['tasks', 'todo.md', '--json']);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(new RegExp(`^${message}\nHint: .*\\.\n$`));
});

test.each([
  [['tasks', 'nowhere.md'], 'There is no file "nowhere.md".'],
  [['tasks', './specs'], './specs is a folder.'],
  [['tasks', 'other'], 'There is no spec "other" in specs.'],
  [['validate', ''], 'There is no file "".'],
])('%j is refused with what to do', async (argv, message) => {
  const { code, stderr } = await repository.run(argv);
  expect([code, stderr.split('\n')[0]]).toEqual([2, message]);
  expect(stderr).toMatch(/\nHint: .*\.\n$/);
});

test('validate shows each problem in its line, how each Verify is taken, and what comes next (R-PARSE-4, R-PARSE-5)', async () => {
  repository.write('todo.md', PLAN.replace('1.2 [P]', '1.2 [FIX 7.7]'));
  expect(await repository.run(['validate', 'todo.md'])).toEqual({
    code: 1,
    stdout: `todo.md:7:4 error Task 1.2 repairs task 7.7, which is not in the plan.
    - [ ] 1.2 [FIX 7.7] Add part 1.2
      ~~~
Hint: Correct the id in its FIX marker.

todo.md:9:4 finding Verify of task 1.3 is verified by hand: no command is run.
    - [ ] 1.3 [VERIFY] Look at it
      ~~~
Hint: Write a command in a code span if a machine can check it.

todo.md: ralph-specum, 3 tasks
  1.1  Verify: command  npm test
  1.2  Verify: command  npm run lint
  1.3  Verify: manual  Manual: open the page
`,
    stderr: '1 error, 1 finding. Correct the plan, then run "specloop validate todo.md" again.\n',
  });
});

test('validate --json gives the problems to programs; findings and warnings are no failure (R-API-4, R-PLAN-5)', async () => {
  const { code, stdout, stderr } = await repository.run(['validate', 'demo', '--json']);
  expect([code, stderr]).toEqual([0, '2 findings.\n']);
  const file = 'specs/demo/tasks.md';
  expect(JSON.parse(stdout)).toEqual({
    spec: 'demo',
    dialect: 'ralph-specum',
    documentProblems: [],
    problems: [
      expect.objectContaining({ severity: 'finding', code: 'field-missing', file, line: 7, column: 4 }),
      expect.objectContaining({ severity: 'finding', code: 'verify-manual', file, line: 9, column: 4 }),
    ],
  });
});

test('what a title would do to a terminal is neutralised and shown, in JSON too (R-SEC-2)', async () => {
  repository.write('todo.md', '- [ ] 1.1 A \u001b[31mred\u009b2J \u202eevil\n');
  const shown = await repository.run(['tasks', 'todo.md'], { isTTY: true, env: { TERM: 'dumb' } });
  expect(shown.stdout).toContain(' [ ] 1.1 A \\x1b[31mred\\x9b2J <U+202E>evil\n');
  const { stdout } = await repository.run(['tasks', 'todo.md', '--json']);
  expect(stdout).not.toMatch(/[\u001b\u009b\u202e]/);
  expect(JSON.parse(stdout).tasks[0].title).toContain('\u202eevil');
});

test('there is colour on a terminal, and none with NO_COLOR or into a pipe (R-UX-1)', async () => {
  const coloured = await repository.run(['tasks'], { isTTY: true, env: { TERM: 'xterm' } });
  const plain = await repository.run(['tasks'], { isTTY: true, env: { TERM: 'xterm', NO_COLOR: '1' } });
  const piped = await repository.run(['tasks'], { env: { TERM: 'xterm', CI: '1' } });
  expect([coloured, plain, piped].map(({ stdout }) => stdout.includes('\u001b'))).toEqual([true, false, false]);
});
