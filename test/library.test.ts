import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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

describe('a run that is driven step by step, by a program that runs the agents itself (R-API-5, R-ADV-2)', () => {
  const settings = { review: 'off', maxTaskIterations: '2' };
  const driven = async () => await (await openProject(shop.dir, { env: shop.env, settings })).spec('demo');

  test('hands over what an agent needs, checks what is reported, and ends as any run', async () => {
    const spec = await driven();
    const first = await spec.step({ trust: true });
    expect(first.work).toMatchObject([{ task: { id: '1.1' }, role: 'executor', attempt: 1, workspace: shop.dir }]);
    const [work] = first.work;
    expect(work?.prompt).toContain('a.txt');
    expect(work?.variables).toMatchObject({ SPECLOOP_TASK_ID: '1.1' });
    expect((await (await driven()).step({ trust: true })).work).toEqual(first.work);
    writeFileSync(join(shop.dir, 'a.txt'), 'a\n');
    const end = await (await driven()).report(work?.token ?? '', 'TASK_COMPLETE');
    expect(end).toMatchObject({ ended: { result: 'completed', branch: 'feat/demo' }, work: [] });
    expect(await spec.status()).toMatchObject({ done: 1, total: 1 });
    await expect(spec.report(work?.token ?? '', 'TASK_COMPLETE')).rejects.toThrow('was reported before');
  });

  test('a false claim is rejected, and the next attempt is handed over', async () => {
    const spec = await driven();
    const [lie] = (await spec.step({ trust: true })).work;
    const { work } = await spec.report(lie?.token ?? '', 'TASK_COMPLETE');
    expect(work).toMatchObject([{ task: { id: '1.1' }, attempt: 2 }]);
    expect(work[0]?.prompt).toContain('test -f a.txt');
    const { ended } = await spec.report(work[0]?.token ?? '', 'TASK_COMPLETE');
    expect(ended).toMatchObject({ result: 'stuck' });
  });

  test('what judges the work is watched between the steps as well (R-VER-14)', async () => {
    const spec = await driven();
    const [work] = (await spec.step({ trust: true })).work;
    writeFileSync(join(shop.dir, 'a.txt'), 'a\n');
    shop.git('config', 'user.name', 'somebody else');
    await spec.report(work?.token ?? '', 'TASK_COMPLETE');
    const { attempts } = await spec.evidence('1.1');
    expect(JSON.stringify(attempts[0]?.outcome)).toContain('The git setting user.name was changed');
    expect(shop.git('config', 'user.name').trim()).toBe('Test');
  });

  test('members of a batch are handed over together, each with its worktree, and reported in any order (R-PAR-3)', async () => {
    const task = (id: string, file: string) =>
      `- [ ] ${id} [P] Add ${file}\n  - **Files**: ${file}\n  - **Verify**: \`test -f ${file}\`\n  - **Commit**: \`feat: add ${file}\`\n`;
    shop.write('specs/demo/tasks.md', `# Tasks\n\n${task('1.1', 'a.txt')}${task('1.2', 'b.txt')}`);
    const open = async () =>
      await (await openProject(shop.dir, { env: shop.env, settings: { ...settings, jobs: '2' } })).spec('demo');
    const { work } = await (await open()).step({ trust: true });
    expect(work.map(({ task: { id } }) => id)).toEqual(['1.1', '1.2']);
    const [one, two] = work;
    expect(new Set([one?.workspace, two?.workspace, shop.dir]).size).toBe(3);
    writeFileSync(join(two?.workspace ?? '', 'b.txt'), 'b\n');
    expect((await (await open()).report(two?.token ?? '', 'TASK_COMPLETE')).work).toEqual([one]);
    writeFileSync(join(one?.workspace ?? '', 'a.txt'), 'a\n');
    expect(await (await open()).report(one?.token ?? '', 'TASK_COMPLETE')).toMatchObject({
      ended: { result: 'completed' },
    });
    expect(shop.git('log', '--format=%s', '--reverse')).toContain('feat: add a.txt\nfeat: add b.txt\n');
  });

  test('a review is handed over too, and only its pass records the work (R-VER-7)', async () => {
    const open = async () =>
      await (await openProject(shop.dir, { env: shop.env, settings: { review: 'strict' } })).spec('demo');
    shop.write(
      'specs/demo/tasks.md',
      '# Tasks\n\n- [ ] 1.1 Add the file\n  - **Files**: a.txt\n  - **Commit**: `feat: add the file`\n',
    );
    const [work] = (await (await open()).step({ trust: true })).work;
    writeFileSync(join(shop.dir, 'a.txt'), 'a\n');
    const [review] = (await (await open()).report(work?.token ?? '', 'TASK_COMPLETE')).work;
    expect(review).toMatchObject({ role: 'reviewer', task: { id: '1.1' } });
    expect(review?.prompt).toContain('+a');
    expect(shop.git('log', '--format=%s')).not.toContain('feat: add the file');
    expect(await (await open()).report(review?.token ?? '', 'Fine.\n\nREVIEW_PASS')).toMatchObject({
      ended: { result: 'completed' },
    });
    expect(shop.git('log', '--format=%s')).toContain('feat: add the file');
  });

  test('another driver is refused until it takes the run over; the attempt of the first one does not count', async () => {
    const spec = await driven();
    const [work] = (await spec.step({ trust: true })).work;
    writeFileSync(join(shop.dir, 'a.txt'), 'half\n');
    await expect(spec.start({ trust: true }).done).rejects.toThrow();
    await expect(spec.step({ trust: true, driver: 'second' })).rejects.toThrow('Another driver, library, has worked');
    expect(await spec.status()).toMatchObject({
      running: null,
      lastRun: { result: 'handed-over', reason: expect.stringContaining('library works on task 1.1 until') },
    });
    const taken = await spec.step({ trust: true, driver: 'second', takeOver: true });
    expect(taken.work).toMatchObject([{ task: { id: '1.1' }, attempt: 2 }]);
    expect(JSON.parse(readFileSync(join(shop.dir, 'specs/demo/.ralph-state.json'), 'utf8')).taskIteration).toBe(1);
    expect(taken.work[0]?.token).not.toBe(work?.token);
    await expect(spec.report(work?.token ?? '', 'TASK_COMPLETE')).rejects.toThrow('was taken over');
    expect(shop.git('for-each-ref', 'refs/specloop/kept')).toContain('1.1');
  });

  test('a run of this process takes over when it is asked to, as after a cancel (R-PLAN-1)', async () => {
    const spec = await driven();
    await spec.step({ trust: true });
    writeFileSync(join(shop.dir, 'a.txt'), 'half\n');
    expect(await spec.cancel()).toBe(true);
    expect(await spec.cancel()).toBe(false);
    expect(await spec.status()).toMatchObject({ lastRun: { result: 'interrupted' } });
    expect((await spec.step({ trust: true, driver: 'second' })).work).toHaveLength(1);
    const agent = await (await open('touch a.txt; echo TASK_COMPLETE')).spec('demo');
    await expect(agent.start({ trust: true }).done).rejects.toThrow('Another driver, second');
    expect(await agent.start({ trust: true, takeOver: true }).done).toMatchObject({ result: 'completed' });
    expect(shop.git('for-each-ref', 'refs/specloop/kept')).toContain('1.1');
  });
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

describe('what Verify commands say before the work (R-PROBE-1)', () => {
  const plan = [
    '# Tasks\n',
    ['1.1', 'test -f a.txt'],
    ['1.2', 'echo made > made.txt; rm -rf specs'],
    ['1.3', 'test -f made.txt && false'],
    ['1.4', 'no-such-program --check'],
    ['1.5', 'cd no/such/folder && make'],
    ['1.6', 'if then'],
    ['1.7', 'sleep 30'],
  ].map((line) => (Array.isArray(line) ? `- [ ] ${line[0]} Task\n  - **Verify**: \`${line[1]}\`\n` : line));

  test('each is distinguished, and nothing of the tree, its refs and its worktrees changes', async () => {
    shop.write('specs/demo/tasks.md', plan.join(''));
    const spec = await (await open('true')).spec('demo');
    const { SPECLOOP_TRUST: _trust, ...env } = shop.env;
    await expect((await (await openProject(shop.dir, { env })).spec('demo')).probe()).rejects.toThrow(UserError);
    const picture = () => [
      shop.git('status', '--porcelain', '--ignored'),
      shop.git('for-each-ref'),
      shop.git('worktree', 'list'),
      readFileSync(join(shop.dir, 'specs/demo/tasks.md'), 'utf8'),
    ];
    const before = picture();
    const probed = await spec.probe({ trust: true, limitMs: 1500 });
    expect(picture()).toEqual(before);
    expect(probed.map(({ task: { id }, result, missing }) => [id, result, missing])).toEqual([
      ['1.1', 'as-wanted', undefined],
      ['1.2', 'passes-already', undefined],
      ['1.3', 'as-wanted', undefined],
      ['1.4', 'not-found', 'no-such-program'],
      ['1.5', 'not-found', 'no/such/folder'],
      ['1.6', 'bad-syntax', undefined],
      ['1.7', 'times-out', undefined],
    ]);
    expect(probed[3]).toMatchObject({ line: 8, exitCode: 127, command: 'no-such-program --check' });
  });
});
