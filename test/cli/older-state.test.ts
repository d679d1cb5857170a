import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Workshop, workshop } from './rig.ts';

/** A spec in the middle of a run of the older plugin goes on here, and after a run of ours that plugin finds its fields (R-FILE-4). */
let place: Workshop;
beforeEach(() => {
  place = workshop();
  const tasks = ['a', 'b', 'c'].map((name, index) => {
    const box = index === 0 ? 'x' : ' ';
    return `- [${box}] 1.${index + 1} Add ${name}\n  - **Verify**: \`test -f ${name}.txt\`\n  - **Commit**: \`feat: ${name}\`\n`;
  });
  place.write('specs/demo/tasks.md', `# Tasks\n\n${tasks.join('')}`);
  place.write('specs/.current-spec', 'demo\n');
  place.write('a.txt', 'a\n');
  place.git('add', '--all');
  place.git('commit', '--quiet', '--message', 'feat: a');
  place.write('specs/demo/.ralph-state.json', `{\n${[...OWN, ...OTHERS].join(',\n')}\n}\n`);
});
afterEach(() => place.remove());

/** What the hook of the older plugin reads, and how often it has gone on. */
const OWN = [
  '  "phase": "execution"',
  '  "taskIndex": 1',
  '  "totalTasks": 3',
  '  "taskIteration": 2',
  '  "maxTaskIterations": 5',
  '  "globalIteration": 7',
  '  "maxGlobalIterations": 100',
  '  "awaitingApproval": false',
  '  "recoveryMode": false',
  '  "quickMode": false',
];
/** Fields that specloop has no use for, written as only their own writer would. */
const OTHERS = [
  '  "granularity": "fine"',
  '  "epicName": "big \\u00e9pic"',
  '  "relatedSpecs": [ {"name": "x", "mayNeedUpdate": false} ]',
  '  "nativeTaskMap": {"0": "t-1", "10": "t-9", "2": "t-3"}',
  '  "nativeSyncEnabled": true',
  '  "someNumber": 12345678901234567890',
  '  "someFraction": 1.50',
];

const stateText = () => readFileSync(join(place.dir, 'specs/demo/.ralph-state.json'), 'utf8');
const state = (): unknown => JSON.parse(stateText());
const othersKept = () => expect(stateText()).toContain(OTHERS.join(',\n'));

/** Prints the agent's program, which does task 1.3 only where `isAble`. */
function agent(isAble: boolean): string {
  const file = join(place.dir, '..', 'agent.sh');
  writeFileSync(file, `cat >/dev/null\n${isAble ? 'echo c >c.txt; echo TASK_COMPLETE' : 'echo No.'}\n`);
  return `sh ${file}`;
}

test('next, submit and implement go on at its task, and keep every field of others as it is written (R-SES-1, R-FILE-4)', () => {
  const { stdout } = place.run('next', 'demo', '--session', 'a', '--review', 'off', '--json');
  const { delegations } = JSON.parse(stdout) as { delegations: readonly { task: unknown; token: string }[] };
  expect(delegations).toMatchObject([{ task: { index: 1, id: '1.2' }, attempt: 1 }]);
  othersKept();
  place.write('b.txt', 'b\n');
  const answer = join(place.dir, '..', 'answer');
  writeFileSync(answer, 'TASK_COMPLETE\n');
  const submitted = place.run('submit', '--token', delegations[0]?.token ?? '', '--file', answer).stdout;
  expect(JSON.parse(submitted)).toMatchObject({ verdict: 'accepted', next: 'delegate' });
  expect(state()).toMatchObject({ phase: 'execution', taskIndex: 2, totalTasks: 3, taskIteration: 1 });
  othersKept();
  const run = (isAble: boolean) =>
    place.run('implement', 'demo', '--agent-command', agent(isAble), '--review', 'off', '--max-task-iterations', '1');
  expect(run(false)).toMatchObject({ code: 1, stderr: expect.stringContaining('2 of 3 tasks done') });
  othersKept();
  expect(run(true)).toMatchObject({ code: 0, stdout: expect.stringContaining('ALL_TASKS_COMPLETE') });
  expect(place.git('log', '--format=%s')).toMatch(/feat: c\n(.*\n)*feat: b\n(.*\n)*feat: a\n/);
});

test('after a run that stopped, the older plugin finds what its hook reads (R-FILE-4)', () => {
  const { code } = place.run('implement', 'demo', '--agent-command', 'echo No.', '--max-task-iterations', '1');
  expect(code).toBe(1);
  const counters = ['taskIteration', 'maxTaskIterations', 'globalIteration', 'maxGlobalIterations'];
  for (const name of counters) expect(state(), name).toHaveProperty(name, expect.any(Number));
  const rest = { awaitingApproval: false, recoveryMode: false, quickMode: false };
  expect(state()).toMatchObject({ phase: 'execution', taskIndex: 1, totalTasks: 3, ...rest });
  othersKept();
});

test('a spec that the older plugin has at a gate shows its documents and the command that goes on (R-PLAN-7, R-GATE-2)', () => {
  rmSync(join(place.dir, 'specs/demo/tasks.md'));
  place.write('specs/demo/.ralph-state.json', '{ "phase": "research", "awaitingApproval": true }');
  place.write('specs/demo/research.md', '# Research\n\nFine.\n');
  const { stdout } = place.run('status', 'demo');
  expect(stdout).toContain('no tasks yet, phase research, waiting for approval');
  expect(stdout).toContain('research.md: draft');
  expect(stdout).toContain('Next: specloop approve demo research\n');
});
