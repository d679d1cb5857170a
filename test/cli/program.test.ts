import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { PROGRAM, type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
});
afterEach(() => shop.remove());

test('the program can be started by its path, and tells its version without loading anything else', () => {
  accessSync(PROGRAM, constants.X_OK);
  expect(readFileSync(PROGRAM, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  const packages = ['commander', 'zod', 'yaml', 'fs-native-extensions'].map((name) => `node_modules/${name}/`);
  const { stdout, stderr } = spawnSync(process.execPath, [PROGRAM, '--version'], {
    encoding: 'utf8',
    env: { NODE_DEBUG: 'esm,module' },
  });
  expect(stdout).toBe(`${packageFile.version}\n`);
  expect(packages.filter((name) => stderr.includes(name))).toEqual([]);
});

test('a mistake ends with 2, no stack, and what to do in the last line of stderr (R-UX-4)', () => {
  const { code, stdout, stderr } = shop.run('implement', 'demo', '--max-task-iteration', '3');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toBe(
    `Unknown option '--max-task-iteration'. Did you mean --max-task-iterations?\nHint: Run "specloop help implement" to see its options.\n`,
  );
});

test('a reader that has read enough is no error (R-UX-5)', () => {
  const plan = Array.from({ length: 5_000 }, (_, index) => `- [ ] 1.${index} Do it\n`).join('');
  shop.write('todo.md', plan);
  const command = `"${process.execPath}" "${PROGRAM}" tasks todo.md --json | head -1; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: shop.dir, env: shop.env, encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['{\n0\n', '']);
});

test('an output that cannot be written ends with 1 and a sentence', { skip: !existsSync('/dev/full') }, () => {
  const command = `"${process.execPath}" "${PROGRAM}" tasks demo > /dev/full; echo "$?"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: shop.dir, env: shop.env, encoding: 'utf8' });
  expect(stdout).toBe('1\n');
  expect(stderr).toMatch(/^Cannot write the output: .*ENOSPC.*\n$/);
});

test('doctor tries locks and containment, and finds nothing wrong with a sound repository', () => {
  const { code, stdout } = shop.run('doctor', '--json');
  const findings: readonly { readonly level: string; readonly about: string }[] = JSON.parse(stdout).findings;
  const level = (about: string) => findings.find((finding) => finding.about === about)?.level;
  expect(code).toBe(0);
  expect(['git', 'repository', 'git identity', 'settings', 'locks', 'containment'].map(level)).toEqual(
    Array(6).fill('ok'),
  );
});

test('doctor fails for a chosen agent that is not there', () => {
  shop.write('specloop.config.yaml', 'agentCommand: [no-such-agent-xyz]\n');
  const { code, stdout, stderr } = shop.run('doctor');
  expect(code).toBe(1);
  expect(stdout).toContain('FAIL  agent no-such-agent-xyz: Not found on PATH.\n');
  expect(stderr).toBe('Fix what failed, then run "specloop doctor" again.\n');
});

test('cancel stops a run from outside, in order, and the run can be resumed (R-DEL-6, R-UX-3)', async () => {
  const waits = 'touch begun; while test ! -f ../go; do sleep 0.05; done; touch a.txt; echo TASK_COMPLETE';
  const implement = ['implement', 'demo', '--review', 'off', '--agent-command', JSON.stringify(['bash', '-c', waits])];
  const begun = appearance(shop.dir, 'begun');
  const run = shop.start(...implement);
  const ended = once(run, 'exit');
  await begun;
  const status = JSON.parse(shop.run('status', 'demo', '--json').stdout);
  expect(status).toMatchObject({ running: { pid: run.pid }, current: { id: '1.1' }, lastRun: { result: 'running' } });
  const { code, stderr } = shop.run('cancel', 'demo');
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^Stopping process \d+ on .*\.\nStopped\. To resume, run "specloop implement demo"\.\n$/),
  ]);
  expect(await ended).toEqual([143, null]);
  shop.write('../go', '');
  expect(shop.run(...implement)).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
});

test('a task whose own file has changes of the user is not recorded without its work (R-START-2, R-VER-13)', () => {
  shop.write('a.txt', 'mine\n');
  const agent = [
    '--agent-command',
    JSON.stringify(['bash', '-c', 'cat >/dev/null; echo ours >> a.txt; echo TASK_COMPLETE']),
  ];
  const options = ['--review', 'off', '--allow-dirty', '--max-task-iterations', '1'];
  const { code, stderr } = shop.run('implement', 'demo', ...options, ...agent);
  expect(code).toBe(1);
  expect(stderr).toContain('a.txt is named by the task, and has uncommitted changes from before it');
  expect(readFileSync(join(shop.dir, 'a.txt'), 'utf8')).toBe('mine\n');
  expect(shop.git('show', 'HEAD:specs/demo/tasks.md')).toContain('- [ ] 1.1');
});

test('neighbours work on branches of their own, which are gone when they are in (R-PAR-3)', () => {
  const task = (n: number) =>
    `- [ ] 1.${n} [P] Add ${n}\n  - **Files**: ${n}.txt\n  - **Verify**: \`test -s ${n}.txt\`\n`;
  shop.write('specs/demo/tasks.md', `${task(0)}\n${task(1)}`);
  shop.git('commit', '--quiet', '--all', '--message', 'plan');
  const agent = 'cat >/dev/null; git branch --show-current > "$SPECLOOP_TASK_INDEX.txt"; echo TASK_COMPLETE';
  const options = ['--jobs', '2', '--review', 'off', '--agent-command', JSON.stringify(['bash', '-c', agent])];
  expect(shop.run('implement', 'demo', ...options)).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
  const branches = ['0.txt', '1.txt'].map((path) => shop.git('show', `HEAD:${path}`));
  expect(branches).toEqual(
    [0, 1].map((n) => expect.stringMatching(new RegExp(`^specloop-batch/specs_2Fdemo/.+/1\\.${n}\\.`))),
  );
  expect(shop.git('branch', '--format=%(refname:short)')).toBe('feat/demo\nmain\n');
  expect(shop.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
});

test('a Verify command that neighbours share is run once on what they came to together (R-PAR-3)', () => {
  const count = join(shop.dir, '../count');
  const task = (n: number) =>
    `- [ ] 1.${n} [P] Add ${n}\n  - **Files**: ${n}.txt\n  - **Verify**: \`echo run >> ${count}\`\n`;
  shop.write('specs/demo/tasks.md', [0, 1, 2].map(task).join('\n'));
  shop.git('commit', '--quiet', '--all', '--message', 'plan');
  const agent = 'cat >/dev/null; touch "$SPECLOOP_TASK_INDEX.txt"; echo TASK_COMPLETE';
  const options = ['--jobs', '3', '--review', 'off', '--agent-command', JSON.stringify(['bash', '-c', agent])];
  expect(shop.run('implement', 'demo', ...options)).toMatchObject({ code: 0 });
  const [each, onTopOfANeighbour] = [3, 2];
  expect(readFileSync(count, 'utf8')).toBe('run\n'.repeat(each + onTopOfANeighbour));
});

/** Resolves once a file is there. */
async function appearance(dir: string, name: string): Promise<void> {
  const watcher = watch(dir);
  while (!existsSync(join(dir, name))) await once(watcher, 'change');
  watcher.close();
}

test.each([
  ['nosuch', '--help'],
  ['--help', 'nosuch'],
  ['help', 'nosuch'],
  ['statsu', '--help'],
])('a command that does not exist is refused, also where help is wanted: %s %s (R-UX-1)', (...args) => {
  const { code, stdout, stderr } = shop.run(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^Unknown command '(?:nosuch|statsu)'\./);
});
