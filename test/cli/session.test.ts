import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PROGRAM, type Result, type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
  shop.write('specs/demo/tasks.md', PLAN);
  shop.write('specloop.config.json', '{ "review": "off", "maxTaskIterations": 2 }\n');
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'two tasks');
});
afterEach(() => shop.remove());

const PLAN = ['a', 'b']
  .map(
    (name, at) =>
      `- [ ] 1.${at + 1} Add ${name}\n  - **Files**: ${name}.txt\n  - **Verify**: \`grep -q good ${name}.txt\`\n  - **Commit**: \`feat: add ${name}\`\n`,
  )
  .join('\n')
  .replace(/^/, '# Tasks\n\n');

interface Given {
  readonly task: { readonly index: number; readonly id: string };
  readonly token: string;
  readonly given: number;
  readonly workspace: string;
  readonly prompt: string;
  readonly attempt: number;
}

const json = ({ stdout }: Result) => JSON.parse(stdout);
const next = (session = 'one', ...more: readonly string[]) =>
  shop.run('next', 'demo', '--session', session, '--json', ...more);
const only = (result: Result): Given => json(result).delegations[0];

/** Hands in an answer in a file next to the repository. */
function submit(token: string, answer = 'TASK_COMPLETE\n'): Result {
  const file = join(shop.dir, '../answer.md');
  writeFileSync(file, answer);
  return shop.run('submit', '--token', token, '--file', file);
}

function good({ task, token }: Given): Result {
  shop.write(task.id === '1.1' ? 'a.txt' : 'b.txt', 'good\n');
  return submit(token);
}

describe('next and submit (R-SES-1, R-SES-2)', () => {
  test('a session has its tasks done, checked and committed, and gets the end again without a commit', () => {
    const first = only(next());
    expect(first).toMatchObject({ task: { index: 0, id: '1.1' }, attempt: 1, given: 1, workspace: shop.dir });
    expect(first.prompt).toContain(`specloop token: ${first.token}\n`);
    expect(only(next())).toEqual({ ...first, given: 2 });
    expect(json(good(first))).toEqual({
      v: 1,
      task: { index: 0, id: '1.1', title: 'Add a' },
      verdict: 'accepted',
      layer: null,
      reason: null,
      next: 'delegate',
    });
    expect(json(good(only(next())))).toMatchObject({ verdict: 'accepted', next: 'complete' });
    const head = shop.git('rev-parse', 'HEAD');
    expect(json(next())).toMatchObject({ do: 'complete', delegations: [], until: null });
    expect(shop.git('rev-parse', 'HEAD')).toBe(head);
    expect(shop.git('status', '--porcelain')).toBe('');
    const evidence = shop.run('status', 'demo', '--task', '1.1').stdout;
    expect(evidence).toContain('specloop did not contain its process. Its answer was relayed by the session one.');
  });

  test('a claim without the work is rejected by Verify; after the last attempt it is stuck until a person acts', () => {
    expect(json(submit(only(next()).token))).toMatchObject({ verdict: 'rejected', layer: 'verify', next: 'delegate' });
    expect(json(submit(only(next()).token))).toMatchObject({ verdict: 'rejected', next: 'stuck' });
    const said = json(next());
    expect(said).toMatchObject({ do: 'stuck', message: expect.stringContaining('Max retries reached') });
    expect(json(next())).toEqual(said);
    expect(only(next('one', '--max-task-iterations', '3')).attempt).toBeGreaterThan(0);
  });

  test('limits that next was given hold for submit as well, and the time of a helper counts (R-DEL-8)', async () => {
    const { token } = only(next('one', '--max-task-iterations', '1'));
    expect(json(submit(token))).toMatchObject({ verdict: 'rejected', next: 'stuck' });
    const again = only(next('one', '--max-task-iterations', '3', '--max-time', '1s'));
    await sleep(1_000);
    expect(json(good(again))).toMatchObject({ verdict: 'accepted', next: 'limit' });
    expect(json(next('one', '--max-task-iterations', '3', '--max-time', '1s'))).toMatchObject({
      do: 'limit',
      delegations: [],
    });
    expect(only(next('one', '--max-time', '1h'))).toMatchObject({ task: { id: '1.2' } });
  });

  test('a helper that writes the state file is rejected, and the file is put back', () => {
    shop.write('specs/demo/.ralph-state.json', '{ "x-own": [1], "phase": "execution" }\n');
    const { token } = only(next());
    const before = readFileSync(join(shop.dir, 'specs/demo/.ralph-state.json'), 'utf8');
    shop.write('a.txt', 'good\n');
    shop.write('specs/demo/.ralph-state.json', '{');
    expect(json(submit(token))).toMatchObject({ verdict: 'rejected', layer: 'integrity' });
    const after = readFileSync(join(shop.dir, 'specs/demo/.ralph-state.json'), 'utf8');
    expect(before).toContain('"x-own": [1]');
    expect(after).toContain('"x-own": [1]');
  });

  test.each([
    ['another branch', ['switch', '--quiet', '--create', 'elsewhere']],
    ['a commit from before', ['reset', '--quiet', '--hard', 'HEAD~1']],
  ])('a helper that leaves %s is rejected, and the branch is put back (R-VER-3)', (_, command) => {
    const { token } = only(next());
    const head = shop.git('rev-parse', 'HEAD');
    shop.git(...command);
    shop.write('a.txt', 'good\n');
    expect(json(submit(token))).toMatchObject({ verdict: 'rejected', layer: 'integrity', next: 'delegate' });
    expect(shop.git('rev-parse', 'feat/demo', 'HEAD')).toBe(head + head);
    expect(shop.git('branch', '--show-current')).toBe('feat/demo\n');
    expect(shop.git('status', '--porcelain')).toBe('');
  });

  test.each([
    ['no plan', () => rmSync(join(shop.dir, 'specs/demo/tasks.md'))],
    ['an empty plan', () => shop.write('specs/demo/tasks.md', '')],
    [
      'a commit from before the plan',
      () => shop.git('reset', '--quiet', '--hard', `${shop.git('rev-list', '--max-parents=0', 'HEAD').trim()}`),
    ],
  ])('a helper that leaves %s is rejected, and the plan is put back (R-VER-3, R-PARSE-6)', (_, damage) => {
    const { token } = only(next());
    const plan = readFileSync(join(shop.dir, 'specs/demo/tasks.md'), 'utf8');
    damage();
    shop.write('a.txt', 'good\n');
    expect(json(submit(token))).toMatchObject({ verdict: 'rejected', layer: 'integrity', next: 'delegate' });
    expect(readFileSync(join(shop.dir, 'specs/demo/tasks.md'), 'utf8')).toBe(plan);
    expect(shop.git('status', '--porcelain')).toBe('');
  });

  test('a token that is unknown or used is refused with the verdict, and nothing changes', () => {
    const first = only(next());
    good(first);
    const head = shop.git('rev-parse', 'HEAD');
    const used = submit(first.token);
    expect(used).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('was used') });
    expect(used.stderr).toContain('accepted');
    for (const token of ['', '../../x', '0b7f8a3e-0f4e-4a39-9f6b-1c2d3e4f5a6b'])
      expect(submit(token)).toMatchObject({ code: 2, stderr: expect.stringContaining('unknown') });
    expect(shop.run('submit')).toMatchObject({ code: 2, stderr: expect.stringContaining('token is missing') });
    expect(shop.run('submit', '--token', first.token, '--file', 'missing.md')).toMatchObject({ code: 2 });
    expect(shop.git('rev-parse', 'HEAD')).toBe(head);
  });

  test('without --json a person or a model reads what to do, with folder, token and prompt', () => {
    const { stdout } = shop.run('next', 'demo', '--session', 'one');
    const { token, prompt } = only(next());
    for (const part of ['demo: delegate', `Token: ${token}`, `Folder: ${shop.dir}`, 'Role: executor', prompt.trimEnd()])
      expect(stdout).toContain(part);
  });

  test('calls of sessions wait for one another', async () => {
    const calls = await Promise.all([0, 1, 2].map(async () => await called('next', 'demo', '--json')));
    const tokens = calls.map((stdout) => JSON.parse(stdout).delegations[0].token);
    expect(new Set(tokens).size).toBe(1);
    const counts = calls.map((stdout) => JSON.parse(stdout).delegations[0].given);
    expect(counts.sort()).toEqual([1, 2, 3]);
  });
});

async function called(...args: readonly string[]): Promise<string> {
  const { dir: cwd, env } = shop;
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let stdout = '';
  child.stdout.on('data', (data) => {
    stdout += data;
  });
  await new Promise((resolve) => child.on('close', resolve));
  return stdout;
}

describe('who drives (R-SES-4)', () => {
  test('another session, and a run, are refused while a delegation is open, and the message says who has it and since when', () => {
    next();
    const since = json(shop.run('status', 'demo', '--json')).session.since;
    const runs = shop.run('implement', 'demo', '--agent-command', 'true');
    for (const refused of [next('two'), runs]) {
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      for (const part of ['the session one', since, '--take-over']) expect(refused.stderr).toContain(part);
    }
    expect(json(shop.run('status', 'demo', '--json')).session).toEqual({ id: 'one', since, open: 1 });
    expect(shop.run('status', 'demo').stdout).toContain('Driven by the session one since');
  });

  test('a take-over keeps the work under a ref, counts no attempt, and overtakes the token', () => {
    const first = only(next());
    shop.write('a.txt', 'half\n');
    const second = only(next('two', '--take-over'));
    expect(existsSync(join(shop.dir, 'a.txt'))).toBe(false);
    expect(shop.git('for-each-ref', '--format=%(refname)', 'refs/specloop/kept')).toContain('1.1');
    expect(submit(first.token)).toMatchObject({ code: 2, stderr: expect.stringContaining('overtaken') });
    expect(json(good(second))).toMatchObject({ verdict: 'accepted' });
    expect(json(shop.run('status', 'demo', '--json')).session).toMatchObject({ id: 'two', open: 0 });
  });

  test('past the time of an attempt next closes it and begins the next one', async () => {
    const first = only(next('one', '--task-timeout', '1s'));
    await sleep(1_100);
    const second = only(next());
    expect(second).toMatchObject({ attempt: 2, task: { id: '1.1' } });
    expect(submit(first.token)).toMatchObject({ code: 2, stderr: expect.stringContaining('overtaken') });
  });
});
