import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROGRAM, type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
});
afterEach(() => shop.remove());

/** Runs the spec with a Verify command and an agent, with these variables set for the person. */
function implement(
  verify: string,
  agent: string,
  env: Readonly<Record<string, string>>,
  ...options: readonly string[]
) {
  shop.write(
    'specs/demo/tasks.md',
    `- [ ] 1.1 Add\n  - **Files**: a.txt\n  - **Verify**: \`${verify}\`\n  - **Commit**: \`feat: add\`\n`,
  );
  const argv = ['implement', 'demo', '--review', 'off', '--max-task-iterations', '1', ...options];
  const command = ['--agent-command', JSON.stringify(['bash', '-c', `cat >/dev/null; ${agent}`])];
  const result = spawnSync(process.execPath, [PROGRAM, ...argv, ...command], {
    cwd: shop.dir,
    env: { ...shop.env, ...env },
    encoding: 'utf8',
  });
  return { code: result.status, stdout: result.stdout, stderr: result.stderr };
}

const GOOD = 'echo x > a.txt; echo TASK_COMPLETE';

test('the locale goes with LANG to Verify commands, and proxies to agents (R-SEC-2)', () => {
  const env = { LC_ALL: 'C.UTF-8', https_proxy: 'http://proxy.invalid', NO_PROXY: 'x' };
  const verify = 'test "$LC_ALL" = C.UTF-8 && test -z "$https_proxy"';
  const agent = `test "$https_proxy$NO_PROXY" = http://proxy.invalidx && { ${GOOD}; }`;
  expect(implement(verify, agent, env)).toMatchObject({ code: 0 });
});

test('a failed Verify command names what of the user is set and was not passed; so does a failed agent (R-SEC-2)', () => {
  const env = { JAVA_HOME: '/jvm', MODEL_API_KEY: 'k', EDITOR: 'vi' };
  const told = 'Set here but not passed: JAVA_HOME; see --pass-env.';
  expect(implement('sh -c "test -n \\"\\$JAVA_HOME\\""', GOOD, env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(told),
  });
  const failed = implement('true', 'echo "no MODEL_API_KEY" >&2; exit 1', env);
  // No tool that reads the other ones is named.
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('Set here but not passed: MODEL_API_KEY;') });
});

test('what a command reads and would not get is reported before the run (R-UX-1)', () => {
  const env = { DATABASE_URL: 'x' };
  const dry = implement('test -n "$DATABASE_URL"', GOOD, env, '--dry-run', '--allow-dirty');
  expect(dry.stdout).toContain('1.1 reads DATABASE_URL, which is set here but not passed (see --pass-env).');
  expect(implement('test -n "$DATABASE_URL"', GOOD, env, '--pass-env', 'DATABASE_URL')).toMatchObject({ code: 0 });
});
