import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AgentScript, readTrace, scriptedAgentCommand } from '../../src/testing/scripted-agent.ts';
import { AgentRig } from './rig.ts';

let rig: AgentRig;
beforeEach(() => {
  rig = new AgentRig();
});
afterEach(() => rig.close());

const variables = (role: string, taskId: string) => ({
  SPECLOOP_ROLE: role,
  SPECLOOP_TASK_ID: taskId,
  SPECLOOP_ATTEMPT: '1',
});

test('each start takes the next attempt of its task, and the last one repeats', async () => {
  const agent = rig.scripted({
    '1.1': [[{ print: 'a' }], [{ print: 'b' }]],
    '1.2': [[{ print: 'c' }], [{ print: 'd' }]],
  });
  const answers: string[] = [];
  for (const task of ['1.1', '1.2', '1.1', '1.1']) {
    answers.push((await agent.work(rig.brief({ variables: variables('executor', task) }))).answer);
  }
  expect(answers).toEqual(['a', 'c', 'b', 'b']);
});

test('starts are counted across restarts of whoever starts the agent', async () => {
  const script: AgentScript = { '*': [[{ exit: 1 }], [{ print: 'TASK_COMPLETE' }]] };
  await rig.scripted(script).work(rig.brief());
  const again = rig.command(scriptedAgentCommand(rig.scriptPath));
  expect(await again.work(rig.brief())).toMatchObject({ how: 'completed', answer: 'TASK_COMPLETE' });
});

test('agents that run side by side keep their counts apart', async () => {
  const agent = rig.scripted({ '*': [[{ print: 'first' }], [{ print: 'second' }]] });
  const tasks = ['1.1', '1.2', '1.3', '1.4'];
  const outcomes = await Promise.all(
    tasks.map((task) => agent.work(rig.brief({ variables: variables('executor', task) }))),
  );
  expect(outcomes.map(({ answer }) => answer)).toEqual(tasks.map(() => 'first'));
});

test('without a script for its part, an agent changes nothing and gives the signal of its role (R-DEL-4)', async () => {
  const agent = rig.scripted({});
  for (const [role, signal] of [
    ['executor', 'TASK_COMPLETE'],
    ['verifier', 'VERIFICATION_PASS'],
    ['reviewer', 'REVIEW_PASS'],
  ] as const) {
    expect((await agent.work(rig.brief({ variables: variables(role, '1.1') }))).answer).toBe(`${signal}\n`);
  }
});

test('files are written, lengthened and removed in the workspace, and programs run there', async () => {
  const steps = [
    { write: { 'src/a.txt': 'a\n', 'b.txt': 'b\n' } },
    { append: { 'src/a.txt': 'more\n' } },
    { remove: 'b.txt' },
    { run: [process.execPath, '-e', "require('fs').writeFileSync('c.txt', 'c')"] },
  ] as const;
  await rig.scripted({ '*': [steps] }).work(rig.brief());
  expect(readFileSync(join(rig.workspace, 'src/a.txt'), 'utf8')).toBe('a\nmore\n');
  expect(existsSync(join(rig.workspace, 'b.txt'))).toBe(false);
  expect(readFileSync(join(rig.workspace, 'c.txt'), 'utf8')).toBe('c');
});

test('a program of the script that fails, fails the attempt and is named', async () => {
  const outcome = await rig.scripted({ '*': [[{ run: ['false'] }, { print: 'TASK_COMPLETE' }]] }).work(rig.brief());
  expect(outcome).toMatchObject({
    how: 'failed',
    answer: '',
    message: expect.stringContaining('false ended with exit code 1'),
  });
});

test('the trace tells what each agent was given and how it left', async () => {
  const agent = rig.scripted({ '*': [[{ exit: 4 }]] });
  await agent.work(
    rig.brief({ prompt: 'Do it.', variables: { ...variables('verifier', '1.1'), SPECLOOP_WORKSPACE: rig.workspace } }),
  );
  expect(readTrace(rig.scriptPath)).toMatchObject([
    { what: 'started', role: 'verifier', taskId: '1.1', attempt: 1, workspace: rig.workspace, prompt: 'Do it.' },
    { what: 'left', role: 'verifier', taskId: '1.1', code: 4 },
  ]);
});

test('a script with a misspelt step is refused, and the place is named', async () => {
  const agent = rig.scripted({});
  writeFileSync(rig.scriptPath, JSON.stringify({ '1.1': [[{ prnt: 'TASK_COMPLETE' }]] }));
  const { how, message } = await agent.work(rig.brief());
  expect(how).toBe('failed');
  expect(message).toContain('Step 0 of "1.1" must be one of');
});
