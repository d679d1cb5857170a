import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestRepository, testRepository } from '../shared/test-rig.ts';

const PLAN = `## Phase 1

- [ ] 1.1 Write it
  - **Verify**: \`npm test\`

## Phase 2: PR Lifecycle

- [ ] 2.1 Create PR
- [ ] 2.2 Update the changelog
  - **Verify**: \`grep -q it CHANGELOG.md\`
- [ ] 2.3 CI passes
  - **Verify**: \`gh pr checks\`
`;

let repository: TestRepository;
beforeEach(() => {
  repository = testRepository();
  repository.write('specs/demo/tasks.md', PLAN);
  repository.git('add', '-A');
  repository.git('commit', '--quiet', '--message', 'plan');
  repository.git('switch', '--quiet', '--create', 'feat/demo');
});
afterEach(() => repository.remove());

const AGENT = ['--agent-command', 'true'];

test('validate tells which tasks no agent does (R-PR-9)', async () => {
  const { code, stdout } = await repository.run(['validate', 'demo']);
  expect(code).toBe(0);
  const apart = stdout.split('\n').filter((line) => line.includes('done with the pull request, by no agent'));
  expect(apart.map((line) => line.trim().split(' ')[0])).toEqual(['2.1', '2.3']);
});

test('the dry run names them after the tasks of agents, and not with --no-pr (R-PR-8, R-PR-9, R-START-8)', async () => {
  const dryRun = async (...options: readonly string[]) =>
    (await repository.run(['implement', 'demo', ...AGENT, '--dry-run', ...options])).stdout;
  const tasks = (text: string) => text.match(/^ .*\d\.\d .*$/gm)?.map((line) => line.trim());
  expect(tasks(await dryRun())).toEqual([
    '0. 1.1 Write it [executor] Verify: npm test',
    '2. 2.2 Update the changelog [executor] Verify: grep -q it CHANGELOG.md',
    '2.1 Create PR [the pull request]',
    '2.3 CI passes [the pull request] Verify: gh pr checks',
  ]);
  expect(await dryRun('--no-pr')).not.toContain('[the pull request]');
});

test('pr is refused while tasks of agents are open, and without a forge; neither changes anything (R-PR-8, R-UX-4)', async () => {
  const head = repository.git('rev-parse', 'HEAD');
  const open = await repository.run(['pr', 'demo', ...AGENT]);
  expect([open.code, open.stderr]).toEqual([2, expect.stringContaining('2 of 4 tasks are not done: 1.1, 2.2.')]);
  repository.write('specs/demo/tasks.md', PLAN.replace(/- \[ \] (1\.1|2\.2)/g, '- [x] $1'));
  const alone = await repository.run(['pr', 'demo', ...AGENT]);
  expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('git remote add origin URL')]);
  expect(repository.git('rev-parse', 'HEAD')).toBe(head);
});

test('pr --status tells that there is none, for people and programs (R-UX-2)', async () => {
  expect(await repository.run(['pr', 'demo', '--status'])).toMatchObject({ code: 0, stdout: 'No pull request yet.\n' });
  expect(await repository.run(['pr', 'demo', '--status', '--json'])).toMatchObject({ code: 0, stdout: 'null\n' });
});
