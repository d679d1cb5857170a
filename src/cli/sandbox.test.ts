import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sandboxWorks } from '../app/trust/sandbox.ts';
import { type Outcome, type TestRepository, testRepository } from './shared/test-rig.ts';

const PLAN =
  '# Tasks\n\n- [ ] 1.1 Add the file\n  - **Files**: a.txt\n  - **Verify**: `test -f a.txt && cat /proc/net/dev | tail -n +3 | wc -l >../verified`\n';

let repository: TestRepository;
let home: string;
const { PATH = '' } = process.env;

beforeEach(() => {
  repository = testRepository();
  home = join(repository.dir, '../home');
  repository.write('specs/demo/tasks.md', PLAN);
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--message', 'begin');
  repository.git('switch', '--quiet', '--create', 'work');
});
afterEach(() => {
  process.env.PATH = PATH;
  repository.remove();
});

function implement(agent: string, ...options: readonly string[]): Promise<Outcome> {
  const command = ['--agent-command', JSON.stringify(['bash', '-c', agent])];
  return repository.run(
    ['implement', 'demo', '--review', 'off', '--max-task-iterations', '1', ...command, ...options],
    {
      env: { SPECLOOP_TRUST: '1' },
    },
  );
}

/** A bubblewrap that does not work. */
function breakSandbox(): void {
  const bin = join(home, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions" >&2\nexit 1\n', { mode: 0o755 });
  process.env.PATH = `${bin}${delimiter}${PATH}`;
}

const WORKS = 'touch a.txt; touch ../beside; echo TASK_COMPLETE';

const probe = await sandboxWorks(process.env);

describe.skipIf(!probe.works)(`with a sandbox${probe.works ? '' : ` (left out: ${probe.problem})`}`, () => {
  test('agent and Verify command write to the working tree and what a person names, and the task is done (R-SEC-3)', async () => {
    repository.write('../home/.ssh/id', 'canary');
    const agent = `cat ~/.ssh/id >leaked.txt; mkdir ~/state/a; echo x >>.git/config; ${WORKS}`;
    const { code } = await implement(agent, '--sandbox', 'strict', '--sandbox-write', '~/state');
    expect(code).toBe(0);
    expect(readFileSync(join(repository.dir, 'leaked.txt'), 'utf8')).toBe('');
    expect(existsSync(join(home, 'state/a'))).toBe(true);
    expect(['beside', 'verified'].map((name) => existsSync(join(repository.dir, '..', name)))).toEqual([false, false]);
    expect(repository.git('show', '--name-only', '--format=', 'HEAD~1')).toContain('a.txt');
  });

  test('an agent that keeps the books can commit (R-SEC-3, R-DEL-5)', async () => {
    const ticks = "sed -i 's/- \\[ \\] 1.1/- [x] 1.1/' specs/demo/tasks.md; echo '# Progress' >specs/demo/.progress.md";
    const agent = `touch a.txt; ${ticks}; git add --all && git commit -qm 'feat: add' && echo TASK_COMPLETE`;
    const { code, stderr } = await implement(agent, '--sandbox', 'strict', '--bookkeeping', 'agent');
    expect(stderr).not.toMatch(/sandbox/);
    expect(code).toBe(0);
  });

  test.each([
    ['deny', '1\n'],
    ['allow', `${networks()}\n`],
  ])('Verify commands reach the network or not: %s (R-SEC-3)', async (network, verified) => {
    const { code } = await implement(
      WORKS,
      ...['--sandbox', 'strict', '--sandbox-network', network, '--sandbox-write', '..'],
    );
    expect(code).toBe(0);
    expect(readFileSync(join(repository.dir, '../verified'), 'utf8').trim()).toBe(verified.trim());
  });
});

test('without a sandbox that works nothing is begun, if a person wants one in any case (R-SEC-3)', async () => {
  breakSandbox();
  const { code, stderr } = await implement(WORKS, '--sandbox', 'strict');
  expect(code).toBe(2);
  expect(stderr).toMatch(/bubblewrap fails \(bwrap: No permissions\)\. Install .*\.\nHint: .*--sandbox auto.*\n$/s);
  expect(existsSync(join(repository.dir, 'a.txt'))).toBe(false);
});

test('without a sandbox that works the run goes on and says so once, if a person wants one where it works (R-SEC-3)', async () => {
  breakSandbox();
  const { code, stderr } = await implement(WORKS, '--sandbox', 'auto');
  expect(code).toBe(0);
  expect(stderr.match(/run without a sandbox/g)).toHaveLength(1);
});

test('commands cannot be kept from the network without a sandbox, and nothing is begun (R-SEC-3)', async () => {
  const { code, stderr } = await implement(WORKS, '--sandbox-network', 'deny');
  expect([code, stderr]).toEqual([2, expect.stringMatching(/network.*\nHint: Add --sandbox strict\.\n$/)]);
});

test("a repository's file cannot weaken the sandbox (R-SEC-1, R-SEC-3)", async () => {
  repository.write('specloop.config.yaml', 'sandbox: "off"\n');
  const { code, stderr } = await implement(WORKS);
  expect([code, stderr]).toEqual([2, expect.stringContaining('sandbox')]);
});

function networks(): number {
  return readFileSync('/proc/net/dev', 'utf8').trim().split('\n').length - 2;
}
