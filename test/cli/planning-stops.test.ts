import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asking, DRAFTS, PLANNER } from './planning-rig.ts';
import { PROGRAM, type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
  rmSync(join(shop.dir, 'specs'), { recursive: true });
  shop.write('../agent.mjs', PLANNER);
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'no spec yet');
});
afterEach(() => shop.remove());

const draft = (...command: readonly string[]) =>
  shop.run(...command, '--agent-command', JSON.stringify(['node', join(shop.dir, '../agent.mjs')]));
const script = (deeds: Readonly<Record<string, readonly string[]>>) =>
  shop.write('../deeds.json', JSON.stringify(deeds));
const prompts = () => readFileSync(join(shop.dir, '../prompts.txt'), 'utf8').split('=====\n');
const progress = () => readFileSync(join(shop.dir, 'specs/login/.progress.md'), 'utf8');
const answersFile = (answers: unknown) => {
  shop.write('../answers.json', JSON.stringify(answers));
  return join(shop.dir, '../answers.json');
};

const OPTIONS = ['SQLite', 'Postgres'].map((label) => ({ label, consequence: `it is ${label}` }));
const DATABASE = { id: 'database', ask: 'Which database?', options: OPTIONS, recommended: 'SQLite' };

test('questions end planning with exit code 3, and a filled-in file of answers goes on (R-ASK-2, R-ASK-3)', () => {
  script({ research: [asking(DATABASE, { id: 'port' })], requirements: [asking({ id: 'database' })] });
  const asked = draft('new', 'login', 'Add login');
  expect(asked).toMatchObject({ code: 3, stderr: expect.stringContaining('[database] Which database?') });
  expect(shop.git('for-each-ref', '--format=%(refname)', 'refs/specloop/kept').trim()).toMatch(/login\/.*research\/1$/);
  const status = JSON.parse(shop.run('status', 'login', '--json').stdout);
  expect(status).toMatchObject({ next: 'specloop questions login', questions: [{ id: 'database' }, { id: 'port' }] });
  const form = JSON.parse(shop.run('questions', 'login', '--json').stdout);
  expect(form).toMatchObject([{ question: 'database', options: OPTIONS, answer: '' }, { question: 'port' }]);

  const research = (answers: unknown) => draft('research', 'login', '--answers', answersFile(answers));
  expect(research(form)).toMatchObject({ code: 2, stderr: expect.stringContaining('no answer to: database, port') });
  const [database, port] = form;
  expect(
    research([
      { ...database, answer: '2' },
      { question: 'host', answer: 'x' },
    ]),
  ).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/no open questions: host\.\nThese questions have no answer: port\./),
  });
  expect(
    research([
      { ...database, answer: '2' },
      { ...port, answer: 'ok' },
    ]),
  ).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('This is no answer to port: "ok" does not say what is to be done.'),
  });
  expect(
    research([
      { ...database, answer: '2' },
      { ...port, answer: 'Use 8080.' },
    ]).code,
  ).toBe(3);
  expect(prompts().at(-2)).toMatch(/Which database\?[\s\S]*> Postgres[\s\S]*> Use 8080\./);
  expect(shop.git('show', 'HEAD:specs/login/.progress.md')).toContain(
    '- [database] Which database? Answer: Postgres\n',
  );
  expect(shop.git('status', '--porcelain')).toBe('');

  const { code, stderr } = draft('requirements', 'login');
  const reused = '[database] What of database? Assumed: Postgres';
  expect([code, stderr]).toEqual([3, expect.stringContaining(`no person confirmed:\n  ${reused}\n`)]);
  expect(prompts().at(-3)).toMatch(/## What persons decided[\s\S]*\[database\] Which database\? Answer: Postgres/);
  expect(prompts().at(-2)).toMatch(/ASKED AGAIN: database[\s\S]*Assumed: Postgres/);
});

test('specloop answer takes one explicit answer after the other, and planning goes on with the last (R-ASK-2)', () => {
  script({ research: [asking(DATABASE, { id: 'port' })] });
  draft('new', 'login', 'Add login');
  expect(shop.run('questions', 'login').stdout).toMatch(
    /2 open questions[\s\S]*1\. SQLite: it is SQLite \(recommended\)/,
  );
  expect(shop.run('answer', 'port', 'login', 'yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('This is no answer to "port".'),
  });
  expect(shop.run('answer', 'port', 'login', '8080').stderr).toContain('Still open: database');
  expect(draft('start', 'login')).toMatchObject({ code: 3, stderr: expect.stringContaining('1 question') });
  expect(shop.run('answer', 'database', 'login', 'sqlite').stderr).toContain('specloop start login');
  expect(JSON.parse(shop.run('status', 'login', '--json').stdout).next).toBe('specloop start login');
  const done = draft('start', 'login');
  expect(done).toMatchObject({ code: 3, stderr: expect.stringContaining('research.md is ready') });
  expect(progress()).toContain('- [port] What of port? Answer: 8080');
});

test('--assume takes recommendations, a fact goes back once, and the gate lists what no person confirmed (R-ASK-1, R-ASK-2)', () => {
  const fact = { id: 'load', kind: 'fact' };
  script({ research: [asking(DATABASE, fact), asking(fact), asking({ id: 'port' })] });
  const asked = draft('new', 'login', 'Add login', '--assume');
  expect(asked).toMatchObject({ code: 3, stderr: expect.stringContaining('[port] What of port?') });
  const [, second = '', third = ''] = prompts();
  expect(second).toMatch(/## What to look up[\s\S]*\[load\] What of load\?/);
  expect(third).toMatch(/## What is assumed[\s\S]*Assumed: SQLite[\s\S]*## What stays open[\s\S]*\[load\]/);
  const done = draft('start', 'login', '--answers', answersFile([{ question: 'port', answer: '8080' }]));
  expect(done).toMatchObject({ code: 3, stderr: expect.stringContaining('research.md is ready') });
  expect(done.stderr).toMatch(
    /no person confirmed:\n {2}\[database\] Which database\? Assumed: SQLite\nOpen questions:\n {2}\[load\]/,
  );
  expect(progress()).toMatch(/\[database\] Which database\? Assumed: SQLite\n- \[load\] What of load\? Open\./);
});

test('a verdict against the goal stops quick planning, also when it is started again (R-STOP-1)', () => {
  script({ research: ['against'] });
  const quick = () => draft('new', 'login', 'Add login', '--quick');
  expect(quick()).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('do not build this') });
  expect(quick()).toMatchObject({ code: 3, stderr: expect.stringContaining('specloop approve login research') });
});

test('a bug fix is reproduced before its documents and checked again after its tasks (R-BUG-1)', () => {
  const quick = draft('new', 'login', 'Fix crash when `test -f src/login.txt` runs', '--quick');
  expect(quick).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
  expect(quick.stderr).toContain('login: class bug-fix (by "fix", "crash")');
  expect(shop.git('show', 'HEAD:specs/login/.progress.md')).toMatch(
    /## Reality Check \(BEFORE\)\n- Command: `test -f src\/login.txt`\n- Result: exit code 1\n[\s\S]*## Reality Check \(AFTER\)\n.*\n- Result: exit code 0/,
  );
  expect(prompts()[0]).toContain('This command shows the defect: test -f src/login.txt');
  expect(shop.git('status', '--porcelain')).toBe('');
  // A plan that does not run the command is not approved by the way.
  shop.write('specs/login/tasks.md', DRAFTS.tasks.replace('test -f src/login.txt', 'test -d src'));
  for (const refused of [shop.run('approve', 'login'), draft('implement', 'login')])
    expect(refused).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('does not run the command that shows the defect: `test -f src/login.txt`.'),
    });
});

test('a defect that is not reproduced stops planning, quick planning too, until a person approves (R-BUG-1)', () => {
  const quick = () => draft('new', 'login', 'Fix crash when `test -d .git` runs', '--quick');
  expect(quick()).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('not reproduced: `test -d .git`: exit code 0'),
  });
  expect(progress()).toContain('- Result: exit code 0');
  expect(quick()).toMatchObject({ code: 3, stderr: expect.stringContaining('specloop approve login') });
  expect(JSON.parse(shop.run('status', 'login', '--json').stdout).next).toBe('specloop approve login');
  expect(shop.run('approve', 'login').code).toBe(0);
  expect(draft('start', 'login')).toMatchObject({ code: 3, stderr: expect.stringContaining('research.md is ready') });
});

test('what checks the project runs once before research, where it is trusted, and all authors are told what came of it (R-PLAN-2, R-SEC-1)', () => {
  const ran = join(shop.dir, '../ran');
  const scripts = {
    test: `echo once >> ${ran}; touch left.txt`,
    lint: 'echo 3 problems; exit 1',
    build: 'no-such-tool',
  };
  shop.write('package.json', JSON.stringify({ scripts }));
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'scripts');
  const before = shop.git('status', '--porcelain', '--ignored');
  const agent = ['--agent-command', JSON.stringify(['node', join(shop.dir, '../agent.mjs')])];
  const untrusted = (...args: readonly string[]) =>
    spawnSync(process.execPath, [PROGRAM, ...args, ...agent], {
      cwd: shop.dir,
      env: { ...shop.env, SPECLOOP_TRUST: '0' },
      encoding: 'utf8',
    });
  untrusted('new', 'small', 'Fix a typo', '--trust', '--no-measure');
  const careful = untrusted('new', 'other', 'Add other', '--measure');
  expect([careful.status, careful.stderr]).toEqual([
    3,
    expect.stringContaining('Not run for the research, as you have not'),
  ]);
  expect([existsSync(ran), before]).toEqual([false, '']);
  expect(draft('new', 'login', 'Add login').code).toBe(3);
  expect(existsSync(ran)).toBe(false);

  const { code, stderr } = draft('research', 'login', '--measure');
  expect([code, stderr]).toEqual([3, expect.stringContaining('1 of 3 quality commands passed:')]);
  draft('requirements', 'login', '--measure');
  const told = prompts().filter((prompt) =>
    prompt.includes('Measured: lint: `npm run lint` (package.json): exit code 1'),
  );
  expect(told).toHaveLength(2);
  expect(told[1]).toMatch(
    /Measured: unit: `npm test` \(package\.json\): exit code 0 in .*\n.*Measured: build: .*: not found/,
  );
  expect(readFileSync(ran, 'utf8')).toBe('once\n');
  expect(existsSync(join(shop.dir, 'left.txt'))).toBe(false);
  expect([
    shop.git('worktree', 'list').trim().split('\n').length,
    shop.git('branch', '--list', 'specloop-batch/*'),
  ]).toEqual([1, '']);
});

test('the Verify commands of a drafted plan are tried where they are trusted; one that is not there goes back with its line (R-PROBE-1)', () => {
  script({ tasks: ['unfound', 'passing'] });
  const tried = draft('new', 'login', 'Fix a typo', '--measure');
  expect(tried.code, tried.stderr).toBe(3);
  const [, second, third] = prompts();
  expect(second).toMatch(/tasks\.md:\d+: error: Verify of task 1\.1 cannot run: no-such-program was not found/);
  expect(third).toMatch(/tasks\.md:\d+: finding: Verify of task 1\.1 passes before any work/);
  expect(tried.stderr).toContain('tasks: the checks found no problem.');
  const agent = JSON.stringify(['node', join(shop.dir, '../agent.mjs')]);
  const untrusted = (name: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, [PROGRAM, 'new', name, 'Fix a typo', '--agent-command', agent, ...args], {
      cwd: shop.dir,
      env: { ...shop.env, SPECLOOP_TRUST: '0' },
      encoding: 'utf8',
    });
  untrusted('other', '--trust');
  script({ tasks: ['unfound'] });
  const { status, stderr } = untrusted('more', '--measure');
  expect([status, stderr]).toEqual([
    3,
    expect.stringContaining('You have not trusted 1 Verify command of it, so it was not tried'),
  ]);
});
