import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { agentVersion } from '../../src/adapters/agent/find-program.ts';
import { readTrace } from '../../src/testing/scripted-agent.ts';
import { AgentRig, isRunning } from './rig.ts';

let rig: AgentRig;
beforeEach(() => {
  rig = new AgentRig();
});
afterEach(() => rig.close());

const node = (program: string, ...args: readonly string[]) =>
  [process.execPath, '--input-type=module', '-e', program, ...args] as const;

test('the prompt comes by stdin, of any size and shape (R-DEL-3)', async () => {
  const prompt = `"$(touch pwned)" 'ü'\r\n${'x'.repeat(3 * 1024 * 1024)}`;
  await rig.scripted({}).work(rig.brief({ prompt }));
  expect(readTrace(rig.scriptPath)).toMatchObject([{ what: 'started', prompt }, { what: 'left' }]);
});

test('arguments are passed as they are: no shell reads them (R-SEC-1)', async () => {
  const args = ['$(touch pwned)', '; touch pwned', '*'];
  const agent = rig.command(node('console.log(JSON.stringify(process.argv.slice(1)))', ...args));
  expect(JSON.parse((await agent.work(rig.brief())).answer)).toEqual(args);
  expect(existsSync(join(rig.workspace, 'pwned'))).toBe(false);
});

test('stderr is log and no part of the answer (R-API-2)', async () => {
  const agent = rig.scripted({ '*': [[{ stderr: 'TASK_COMPLETE\n' }, { print: 'Not yet.\n' }]] });
  expect((await agent.work(rig.brief())).answer).toBe('Not yet.\n');
  expect(rig.log()).toContain('TASK_COMPLETE\n');
  expect(rig.log()).toContain('Not yet.\n');
});

test('the environment is what was allowed and what the brief adds, and no more (R-SEC-2)', async () => {
  process.env.AGENT_TEST_SECRET = 'secret';
  const agent = rig.command(node('console.log(JSON.stringify(process.env))'));
  const env = JSON.parse((await agent.work(rig.brief())).answer) as Record<string, string>;
  delete process.env.AGENT_TEST_SECRET;
  expect(env).toMatchObject({ PATH: rig.env.PATH, SPECLOOP_TASK_ID: '1.1', SPECLOOP_WORKSPACE: rig.workspace });
  expect(env).not.toHaveProperty('AGENT_TEST_SECRET');
  const { SPECLOOP_REPORT_FILE: report = rig.workspace } = env;
  expect([report.startsWith(rig.workspace), existsSync(dirname(report))]).toEqual([false, false]);
});

test('of an answer over a mebibyte, the last whole lines are kept (R-DEL-6)', async () => {
  const agent = rig.scripted({ '*': [[{ floodMiB: 3 }, { print: 'TASK_COMPLETE\n' }]] });
  const { how, answer } = await agent.work(rig.brief());
  expect(how).toBe('completed');
  expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(1024 * 1024);
  expect(answer.split('\n', 1)[0]).toHaveLength(1023);
  expect(answer).toMatch(/x\nTASK_COMPLETE\n$/);
});

test('a signal that stands alone only because the line was cut there is no line of the answer (R-DEL-4)', async () => {
  const afterCut = 'TASK_COMPLETE\n';
  const filler = `${'y'.repeat(1024 * 1024 - afterCut.length - 1)}\n`;
  const agent = rig.scripted({ '*': [[{ print: `This is not ${afterCut}${filler}` }]] });
  expect((await agent.work(rig.brief())).answer).toBe(filler);
});

test('an agent that was killed by somebody else has crashed (R-DEL-7)', async () => {
  const agent = rig.command(node("console.log('TASK_COMPLETE'); process.kill(process.pid, 'SIGKILL')"));
  expect(await agent.work(rig.brief())).toMatchObject({
    how: 'crashed',
    message: 'The agent was killed by SIGKILL.',
  });
});

test('a program that is not there is named (R-DEL-7)', async () => {
  const ended = await rig.command(['agent-that-is-not-there', '--quick']).work(rig.brief());
  expect(ended).toMatchObject({
    how: 'not-found',
    message: expect.stringContaining('"agent-that-is-not-there"'),
    answer: '',
  });
});

test('nothing that an agent leaves behind outlives it (R-DEL-6)', async () => {
  const child = { lifeMs: 600_000, ownSession: true };
  const ended = await rig
    .scripted({ '*': [[{ child }, { child: { lifeMs: 600_000 } }, { print: 'Done.\n' }]] })
    .work(rig.brief());
  expect(ended).toMatchObject({ how: 'completed', answer: 'Done.\n' });
  const pids = readTrace(rig.scriptPath).flatMap((entry) => (entry.what === 'left-child' ? [entry.pid] : []));
  expect(pids).toHaveLength(2);
  expect(pids.filter(isRunning)).toEqual([]);
});

test('an agent that ignores being asked to leave is ended all the same (R-DEL-6)', async () => {
  const agent = rig.scripted({
    '*': [[{ ignoreSignals: ['SIGTERM', 'SIGINT'] }, { print: 'Busy.\n' }, { sleepMs: 600_000 }]],
  });
  const stop = new AbortController();
  const ended = await agent.work(rig.brief({ signal: stop.signal, onEvent: () => stop.abort() }));
  expect(ended).toMatchObject({ how: 'cancelled', answer: 'Busy.\n' });
});

test('the version of a program is what it says about itself (R-START-1)', async () => {
  const question = { processes: rig.processes, env: rig.env, cwd: rig.workspace };
  expect(await agentVersion(process.execPath, question)).toEqual({ how: 'told', version: process.version });
  expect(await agentVersion('agent-that-is-not-there', question)).toMatchObject({ how: 'not-told' });
});

test('a program that fails when asked for its version says why (R-START-1)', async () => {
  const question = { processes: rig.processes, env: rig.env, cwd: rig.workspace };
  const answer = await agentVersion('false', question);
  expect(answer).toEqual({ how: 'not-told', problem: '"false --version" printed no version.' });
});
