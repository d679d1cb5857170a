import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
  shop.write('packages/api/package.json', '{}\n');
});
afterEach(() => shop.remove());

const task = (n: number, marks = '') =>
  `- [ ] 1.${n} ${marks}Add ${n}\n  - **Files**: src/${n}.txt\n  - **Verify**: \`test -f package.json && test -f src/${n}.txt\`\n  - **Commit**: \`feat: add ${n}\`\n`;

function plan(...tasks: readonly string[]): void {
  shop.write('packages/api/specs/api/tasks.md', tasks.join('\n'));
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'plan');
}

/** An agent that writes down where each role works, and then its file. */
const AGENT =
  'cat >> "$LOG.prompt"; echo "$SPECLOOP_ROLE $PWD $SPECLOOP_WORKSPACE" >> "$LOG"; test "$SPECLOOP_ROLE" = reviewer && { echo REVIEW_PASS; exit; }; mkdir -p src; echo x > "src/$((SPECLOOP_TASK_INDEX + 1)).txt"; echo TASK_COMPLETE';

function implement(...options: readonly string[]) {
  const log = join(shop.dir, '../log');
  const agent = JSON.stringify(['env', `LOG=${log}`, 'bash', '-c', AGENT]);
  const cwd = join(shop.dir, 'packages/api');
  const result = shop.run('--cwd', cwd, 'implement', 'api', '--agent-command', agent, ...options);
  const read = (file: string) => readFileSync(file, 'utf8');
  return { ...result, log: () => read(log), prompts: () => read(`${log}.prompt`) };
}

test('a plan in a package: agents, reviewers and Verify commands run there, and it is said (R-API-7, R-UX-1)', () => {
  plan(task(1));
  const dir = join(shop.dir, 'packages/api');
  expect(shop.run('--cwd', dir, 'validate', 'api').stdout).toContain('Agents and commands run in packages/api.');
  expect(shop.run('--cwd', dir, 'doctor').stdout).toContain('api: Agents and commands run in packages/api.');
  expect(implement('--dry-run').stdout).toContain('Agents and commands run in packages/api.');
  const { code, stderr, log, prompts } = implement('--scope', 'enforce');
  expect([code, stderr]).toEqual([0, expect.stringContaining('runs in: packages/api')]);
  expect(log()).toBe(`executor ${dir} ${dir}\nreviewer ${dir} ${dir}\n`);
  expect(prompts()).toContain('Its folder: specs/api\n');
  expect(shop.git('ls-tree', '-r', '--name-only', 'HEAD')).toContain('packages/api/src/1.txt');
});

test('members of a batch work in the same folder of their own worktrees (R-PAR-3)', () => {
  plan(task(1, '[P] '), task(2, '[P] '));
  const { code, stdout, log } = implement('--review', 'off', '--jobs', '2');
  expect([code, stdout]).toEqual([0, 'ALL_TASKS_COMPLETE\n']);
  const places = log().trim().split('\n');
  expect(places).toHaveLength(2);
  for (const place of places) expect(place).toMatch(/\/packages\/api$/);
});

test('what Files names from the root is in scope as well, and nothing else is (R-VER-6)', () => {
  plan(
    task(1).replace('Files**: src/', 'Files**: packages/api/src/'),
    task(2).replace('Files**: src/', 'Files**: lib/'),
  );
  const { code, stderr } = implement('--review', 'off', '--scope', 'enforce', '--max-task-iterations', '1');
  expect([code, stderr]).toEqual([1, expect.stringContaining('changed outside Files: packages/api/src/2.txt')]);
  expect(shop.git('log', '-1', '--format=%s', '--grep', 'feat')).toBe('feat: add 1\n');
});

test('a setting names another folder, the root for one, which has to be in the repository (R-API-7)', () => {
  plan(task(1).replace('test -f package.json', 'test -d packages'));
  expect(implement('--review', 'off', '--workdir', '.')).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
  expect(implement('--workdir', '..')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('outside the repository'),
  });
  expect(implement('--workdir', 'nowhere')).toMatchObject({ code: 2, stderr: expect.stringContaining('not a folder') });
});
