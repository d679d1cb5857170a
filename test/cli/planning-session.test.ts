import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asking, DRAFTS, unplannedWorkshop } from './planning-rig.ts';
import { PROGRAM, type Result, type Workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = unplannedWorkshop();
});
afterEach(() => shop.remove());

const json = ({ stdout, stderr }: Result) => {
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
};
/** A command that a session gives. */
const say = (...command: readonly string[]) => json(shop.run(...command, '--session', 'one', '--json'));
const next = (spec = 'login') => say('next', spec);
const headless = (...command: readonly string[]) =>
  shop.run(...command, '--agent-command', JSON.stringify(['node', join(shop.dir, '../agent.mjs')]));

/** Hands in the answer of a helper; with a draft, it has written that. */
function submit(
  answer: { readonly delegations: readonly { readonly token: string; readonly task: { readonly id: string } }[] },
  { draft, text = 'DRAFT_COMPLETE\n', spec = 'login' }: { draft?: string; text?: string; spec?: string } = {},
) {
  const [given] = answer.delegations;
  if (given === undefined) throw new Error('There is no delegation.');
  if (draft !== undefined) shop.write(`specs/${spec}/${given.task.id}.md`, draft);
  writeFileSync(join(shop.dir, '../answer.md'), text);
  return json(shop.run('submit', '--token', given.token, '--file', join(shop.dir, '../answer.md')));
}

test('a session plans a spec: drafts are handed over and checked, and a gate is reported with its hash; a process may go on in between (R-SES-1, R-SES-2, R-SES-4, R-GATE-1)', () => {
  const first = say('new', 'login', 'Add login');
  expect(first).toMatchObject({
    do: 'delegate',
    wants: null,
    delegations: [{ task: { id: 'research' }, role: 'researcher', attempt: 1, given: 1, workspace: shop.dir }],
  });
  expect(first.delegations[0].prompt).toContain('> Add login');
  expect(next().delegations).toEqual([{ ...first.delegations[0], given: 2 }]);
  expect(submit(first, { draft: DRAFTS.research })).toMatchObject({ verdict: 'accepted', next: 'gate' });

  const gate = next();
  expect(gate).toMatchObject({
    do: 'gate',
    delegations: [],
    wants: { gate: { artifact: 'research', file: 'research.md', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    message: expect.stringContaining('specloop reject login --feedback'),
  });
  const { documents } = json(shop.run('status', 'login', '--json'));
  expect(documents[0].sha256).toBe(gate.wants.gate.sha256);
  expect(next()).toEqual(gate);

  shop.run('approve', 'login');
  const dangling = DRAFTS.requirements.replace('| AC-1.1 |', '| AC-9.9 |');
  const rejected = submit(next(), { draft: dangling });
  expect(rejected).toMatchObject({ verdict: 'rejected', layer: 'draft', next: 'delegate' });
  expect(rejected.reason).toMatch(/requirements\.md:\d+: error: AC-9\.9 is not defined/);
  const second = next();
  expect(second.delegations[0]).toMatchObject({ role: 'product-manager', attempt: 2 });
  expect(second.delegations[0].prompt).toContain('AC-9.9 is not defined');
  shop.write('src/x.ts', 'code\n');
  expect(submit(second, { draft: DRAFTS.requirements })).toMatchObject({ verdict: 'rejected', layer: 'scope' });
  expect(existsSync(join(shop.dir, 'src/x.ts'))).toBe(false);

  const open = next();
  const refused = headless('requirements', 'login');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('the session one') });
  expect(submit(open, { draft: DRAFTS.requirements })).toMatchObject({ verdict: 'accepted', next: 'gate' });
  expect(headless('design', 'login').code).toBe(3);
  expect(next()).toMatchObject({ do: 'gate', wants: { gate: { artifact: 'design' } } });

  const again = say('reject', 'login', '--feedback', 'No OAuth.');
  expect(again.delegations[0]).toMatchObject({ role: 'architect', attempt: 1 });
  expect(again.delegations[0].prompt).toContain('> No OAuth.');
  expect(headless('design', 'login', '--take-over').code).toBe(3);
  expect(shop.git('log', '--format=%s', 'main..').trim().split('\n').toReversed().slice(1)).toEqual([
    'docs(spec): add the spec login',
    'spec(login): add research findings',
    'spec(login): approve research',
    'spec(login): add requirements',
    'spec(login): approve requirements',
    'spec(login): add technical design',
    'spec(login): reject design',
    'spec(login): add technical design',
  ]);
});

test('in quick mode a session is kept from ending until the documents are drafted and their tasks done (R-SES-6, R-PLAN-3)', () => {
  const stop = (session: string) => {
    const input = JSON.stringify({ session_id: session, cwd: shop.dir });
    const { stdout } = spawnSync(process.execPath, [PROGRAM, 'hook', 'stop'], { cwd: '/', env: shop.env, input });
    return stdout.length === 0 ? '' : JSON.parse(String(stdout)).reason;
  };
  const first = say('new', 'login', 'Fix a typo', '--quick');
  expect(first.delegations[0]).toMatchObject({ task: { id: 'tasks' }, role: 'planner' });
  expect([stop('two'), stop('one')]).toEqual(['', expect.stringMatching(/^Continue spec: login \(phase tasks\)/)]);
  expect(submit(first, { draft: DRAFTS.tasks })).toMatchObject({ verdict: 'waiting', next: 'delegate' });
  const review = next();
  expect(review.delegations[0]).toMatchObject({ task: { id: 'tasks' }, role: 'reviewer' });
  expect(submit(review, { text: 'REVIEW_PASS\n' })).toMatchObject({ verdict: 'accepted', next: 'delegate' });
  expect(stop('one')).toContain('Run: specloop next login --session one --json');
  const task = next();
  expect(task.delegations[0]).toMatchObject({ task: { id: '1.1' }, role: 'executor' });
  shop.write('src/login.txt', 'login\n');
  submit(task, { text: 'TASK_COMPLETE\n' });
  const last = next();
  expect(submit(last, { text: 'REVIEW_PASS\n' })).toMatchObject({ next: 'complete' });
  expect(next()).toMatchObject({ do: 'complete' });
});

test('a session is given questions as data; planning that cannot go on is said again until a person acts (R-SES-1, R-ASK-3)', () => {
  const asked = say('new', 'login', 'Fix a typo', '--max-task-iterations', '1');
  expect(submit(asked, { text: asking({ id: 'file' }) })).toMatchObject({ verdict: 'waiting', next: 'gate' });
  expect(next()).toMatchObject({ do: 'gate', wants: { questions: [{ id: 'file', ask: 'What of file?' }] } });
  expect(shop.run('answer', 'file', 'login', 'The README.').code).toBe(0);
  const again = next();
  expect(again.delegations[0].prompt).toContain('The README.');
  submit(again, { text: asking({ id: 'line', recommended: 'The first.' }, { id: 'word' }) });
  expect(shop.run('next', 'login', '--session', 'one', '--assume').stdout).toContain('[word]');
  const form = join(shop.dir, '../form.json');
  writeFileSync(form, JSON.stringify([{ question: 'word', answer: 'Hello.' }]));
  const answered = say('start', 'login', '--answers', form, '--assume');
  expect(answered.delegations[0].prompt).toMatch(/> Hello\.[\s\S]*Assumed: The first\./);
  submit(answered, { text: asking({ id: 'sign', recommended: 'None.' }) });
  const first = next();
  expect(first.delegations[0].prompt).toContain('Assumed: None.');
  expect(submit(first, { draft: '# Tasks\n\nLater.\n' })).toMatchObject({ verdict: 'rejected', next: 'stuck' });
  const options = ['--max-task-iterations', '1'];
  const stuck = say('next', 'login', ...options);
  expect(stuck).toMatchObject({ do: 'stuck', message: expect.stringContaining('Max retries reached for tasks.md') });
  expect(say('next', 'login', ...options)).toEqual(stuck);
  expect(say('tasks', 'login', '--generate').delegations[0]).toMatchObject({ role: 'planner', attempt: 1 });
});
