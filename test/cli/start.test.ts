import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
});
afterEach(() => shop.remove());

const AGENT = ['--agent-command', JSON.stringify(['bash', '-c', 'cat >/dev/null; echo x > a.txt; echo TASK_COMPLETE'])];

test('the only spec of a repository needs no name, and is reported (R-START-1)', () => {
  const told = 'Using the spec demo, the only one here.\n';
  expect(shop.run('validate')).toMatchObject({ code: 0, stderr: expect.stringContaining(told) });
  expect(shop.run('status', '--json')).toMatchObject({ code: 0, stdout: expect.stringContaining('"demo"') });
  expect(shop.run('implement', '--review', 'off', ...AGENT)).toMatchObject({
    code: 0,
    stdout: 'ALL_TASKS_COMPLETE\n',
    stderr: expect.stringContaining(told),
  });
});

test('where a branch is called feat, a run gets a branch beside it (R-START-2)', () => {
  shop.git('switch', '--quiet', 'main');
  shop.git('branch', '--quiet', '--delete', '--force', 'feat/demo');
  shop.git('branch', 'feat');
  expect(shop.run('implement', 'demo', '--review', 'off', ...AGENT)).toMatchObject({ code: 0 });
  expect(shop.git('branch', '--show-current')).toBe('feat-demo\n');
});

test('a dry run is shown beside uncommitted changes, and says that a run would be refused (R-START-8)', () => {
  shop.write('mine.txt', 'x');
  const { code, stdout, stderr } = shop.run('implement', 'demo', '--dry-run', ...AGENT);
  expect([code, stdout]).toEqual([0, expect.stringContaining('0. 1.1 Add the file')]);
  expect(stderr).toContain('A run would refuse to start: there are uncommitted changes');
});

test('a number that is too large is named as it was given (R-UX-1)', () => {
  const number = '9'.repeat(400);
  expect(shop.run('implement', 'demo', '--jobs', number, ...AGENT)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/--jobs takes a whole number of at least 1, not "9999/),
  });
});

test('of many files outside of Files all are counted (R-VER-6)', () => {
  const many = 'cat >/dev/null; echo x > a.txt; mkdir d; for n in $(seq 300); do echo > d/$n; done; echo TASK_COMPLETE';
  const agent = ['--agent-command', JSON.stringify(['bash', '-c', many])];
  const { stderr } = shop.run('implement', 'demo', '--review', 'off', ...agent);
  expect(stderr).toMatch(/changed outside its Files: .* and 295 more\./);
});
