import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openProject, type RunEvent, UserError } from '../src/index.ts';
import { type Workshop, workshop } from './cli/rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
});
afterEach(() => shop.remove());

async function open(agent: string, notices: string[] = []) {
  const settings = { agentCommand: JSON.stringify(['sh', '-c', agent]), review: 'off', maxTaskIterations: '1' };
  return await openProject(shop.dir, { env: shop.env, settings, notify: (notice) => notices.push(notice) });
}

test('a program runs a spec, follows its events and reads its status and evidence as data (R-API-5, R-VER-9)', async () => {
  const project = await open('touch a.txt; echo TASK_COMPLETE');
  expect(project.root).toBe(shop.dir);
  const spec = await project.spec();
  const run = spec.start({ trust: true });
  const types: RunEvent['type'][] = [];
  for await (const { event } of run.events) types.push(event.type);
  expect(types).toEqual(expect.arrayContaining(['run-started', 'task-checked', 'task-committed', 'run-finished']));
  expect(await run.done).toMatchObject({ result: 'completed', branch: 'feat/demo' });
  const status = await spec.status();
  expect(status).toMatchObject({ spec: 'demo', total: 1, done: 1, running: null, lastRun: { result: 'completed' } });
  expect(structuredClone(status)).toEqual(JSON.parse(JSON.stringify(status)));
  const { attempts } = await spec.evidence('1.1');
  expect(attempts).toMatchObject([{ attempt: 1, outcome: { is: 'accepted' } }]);
  expect(await project.specs()).toMatchObject([{ name: 'demo', total: 1, done: 1, running: null }]);
});

test('a program has the records of its runs written as the command line has (R-VER-9)', async () => {
  const spec = await (await open('touch a.txt; echo TASK_COMPLETE')).spec('demo');
  await spec.start({ trust: true }).done;
  const log = shop.run('logs', '1.1', 'demo').stderr.trim();
  expect(log).toContain((await spec.evidence('1.1')).run);
  expect(readFileSync(join(dirname(log), 'record.md'), 'utf8')).toContain('Accepted: every layer that applies passed.');
});

test('a run that is asked to stop ends in order and can be taken up again (R-UX-3)', async () => {
  const slow = await open('echo started > ../started; sleep 60');
  const run = (await slow.spec('demo')).start({ trust: true });
  for await (const { event } of run.events)
    if (event.type === 'effect-started' && event.effect.do === 'delegate') run.stop();
  expect(await run.done).toMatchObject({ result: 'interrupted' });
  const quick = await open('touch a.txt; echo TASK_COMPLETE');
  expect(await (await quick.spec('demo')).start({ trust: true }).done).toMatchObject({ result: 'completed' });
});

test('a run of another process is cancelled, and one of this process is left to its handle (R-PLAN-1)', async () => {
  const spec = await (await open('sleep 60')).spec('demo');
  expect(await spec.cancel()).toBe(false);
  const run = spec.start({ trust: true });
  for await (const { event } of run.events) {
    if (event.type !== 'effect-started' || event.effect.do !== 'delegate') continue;
    await expect(spec.cancel()).rejects.toThrow('This process runs demo');
    run.stop();
  }
  const other = shop.start('implement', '--agent-command', 'sleep 60');
  await vi.waitUntil(async () => (await spec.status()).running?.pid === other.pid, 30_000);
  expect(await spec.cancel()).toBe(true);
  expect(await spec.status()).toMatchObject({ running: null, lastRun: { result: 'interrupted' } });
});

test('what a person has to put right first is a UserError of the handle, with what was said on the way as notices (R-START-1)', async () => {
  writeFileSync(join(shop.dir, 'mine.txt'), 'not committed\n');
  const notices: string[] = [];
  const project = await openProject(shop.dir, {
    env: { ...shop.env, SPECLOOP_STRANGE: '1' },
    settings: { agentCommand: 'true' },
    notify: (notice) => notices.push(notice),
  });
  const run = (await project.spec()).start();
  await expect(run.done).rejects.toBeInstanceOf(UserError);
  await expect(run.events[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(UserError);
  expect(notices.join('\n')).toContain('SPECLOOP_STRANGE is not a setting');
  await expect(project.spec('missing')).rejects.toBeInstanceOf(UserError);
});

test('without somebody to ask, nothing is run that is not trusted (R-SEC-1)', async () => {
  const { SPECLOOP_TRUST: _, ...env } = shop.env;
  const questions: string[] = [];
  const settings = { agentCommand: JSON.stringify(['sh', '-c', 'touch a.txt; echo TASK_COMPLETE']), review: 'off' };
  const unasked = await openProject(shop.dir, { env, settings });
  await expect((await unasked.spec()).start().done).rejects.toThrow('not trusted in this workspace');
  const asked = await openProject(shop.dir, {
    env,
    settings,
    confirm: async (question) => {
      questions.push(question);
      return 'yes';
    },
  });
  expect(await (await asked.spec()).start().done).toMatchObject({ result: 'completed' });
  expect(questions).toEqual([expect.stringContaining('test -f a.txt')]);
});

test('the doctor tells what it finds as data (R-UX-1)', async () => {
  const findings = await (await open('true')).doctor();
  expect(findings).toEqual(expect.arrayContaining([expect.objectContaining({ level: 'ok', about: 'git' })]));
});
