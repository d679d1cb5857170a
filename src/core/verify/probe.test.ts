import { expect, test } from 'vitest';
import { parsePlan } from '../plan/read/parse.ts';
import type { VerifyRun } from './evidence.ts';
import { judgeProbe, tasksToProbe } from './probe.ts';

const PLAN = parsePlan(`# Tasks

- [x] 1.1 Done
  - **Verify**: \`true\`
- [ ] 1.2 Make the tool
  - **Files**: \`tools/run.sh\`, \`app/package.json\`
  - **Verify**: \`tools/run.sh\`
- [ ] 1.3 [VERIFY] Look
  - **Verify**: \`npm test\`
- [ ] 1.4 By hand
  - **Verify**: Look at it.
`);

const exited = (exitCode: number, output = ''): VerifyRun => ({
  command: 'c',
  how: 'exited',
  exitCode,
  output,
  durationMs: 7,
});
const judged = (id: string, run: VerifyRun) => {
  const task = PLAN.tasks.find((one) => one.id === id) ?? expect.fail(id);
  const { result, missing } = judgeProbe(task, run, PLAN.tasks);
  return missing === undefined ? result : `${result} ${missing}`;
};

test('only open tasks with a command are tried (R-PROBE-1)', () => {
  expect(tasksToProbe(PLAN.tasks).map(({ id }) => id)).toEqual(['1.2', '1.3']);
});

test('a command that passes before the work proves nothing, but for a task that only verifies (R-PROBE-1)', () => {
  expect(judged('1.2', exited(0))).toBe('passes-already');
  expect(judged('1.3', exited(0))).toBe('as-wanted');
});

test('a command that fails or takes too long before the work is as it should be, and the two are distinguished (R-PROBE-1)', () => {
  expect(judged('1.2', exited(1, 'AssertionError: no a.txt'))).toBe('as-wanted');
  expect(judged('1.2', exited(1, 'cat: a.txt: No such file or directory'))).toBe('as-wanted');
  expect(judged('1.2', { command: 'c', how: 'timed-out', limitMs: 5, output: '', durationMs: 5 })).toBe('times-out');
  expect(judged('1.2', { command: 'c', how: 'killed', output: '', durationMs: 5 })).toBe('as-wanted');
  expect(judged('1.2', { command: 'c', how: 'not-started', output: '', durationMs: 0 })).toBe('not-found');
});

test.each([
  ['/usr/bin/bash: line 1: pytset: command not found', 127, 'not-found pytset'],
  ['bash: line 1: cd: missing: No such file or directory', 1, 'not-found missing'],
  ['/usr/bin/bash: line 3: ./other.sh: No such file or directory', 127, 'not-found ./other.sh'],
  ['/usr/bin/bash: line 1: tools/run.sh: No such file or directory', 127, 'as-wanted'],
  ['/usr/bin/bash: line 1: cd: tools: No such file or directory', 1, 'as-wanted'],
  ['npm error Missing script: "tset"', 1, 'as-wanted'],
  ['', 127, 'not-found'],
  ["/usr/bin/bash: -c: line 2: syntax error near unexpected token `)'", 2, 'bad-syntax'],
])('what it lacks is an error unless a task up to this one makes it: %s (R-PROBE-1)', (output, code, expected) => {
  expect(judged('1.2', exited(code, output))).toBe(expected);
});

test('a script of a package that no task writes is missing (R-PROBE-1)', () => {
  const [task] = parsePlan('- [ ] 1.1 X\n  - **Files**: `a.ts`\n  - **Verify**: `npm run tset`\n').tasks;
  const probed = judgeProbe(task ?? expect.fail('none'), exited(1, 'npm ERR! Missing script: "tset"'), []);
  expect(probed).toMatchObject({ result: 'not-found', missing: 'tset', exitCode: 1, line: 1, durationMs: 7 });
});
