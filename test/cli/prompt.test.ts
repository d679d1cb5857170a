import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
});
afterEach(() => shop.remove());

/** Runs the plan with an agent that keeps its prompt, then does this in a shell. */
function promptOf(role: string, deed: string, ...options: readonly string[]): string {
  const seen = join(shop.dir, '../seen');
  rmSync(seen, { force: true });
  const script = `[ $SPECLOOP_ROLE = ${role} ] && cat > ${seen}; ${deed}`;
  const agent = JSON.stringify(['bash', '-c', script]);
  shop.run('implement', 'demo', '--agent-command', agent, ...options);
  return existsSync(seen) ? readFileSync(seen, 'utf8') : '';
}

test('the prompt of a task is printed as its agent gets it, and nothing is changed (R-AGT-7)', () => {
  shop.write('specs/demo/.progress.md', '# P\n\n## Original Goal\nA file\n\n## Learnings\n- the sky is high\n');
  shop.write('specs/demo/design.md', '# Design\n');
  const state = () => [shop.git('status', '--porcelain', '--ignored'), shop.git('for-each-ref')];
  const before = state();
  const { code, stdout, stderr } = shop.run('prompt', '1.1', 'demo');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('the sky is high');
  expect(state()).toEqual(before);
  expect(existsSync(join(shop.dir, '.git/.specloop'))).toBe(false);
  expect(promptOf('executor', 'echo no', '--max-task-iterations', '1')).toBe(stdout);
});

test('after an interrupted attempt it tells of the failure, as the next attempt gets it (R-AGT-7, R-ADV-2)', () => {
  promptOf('executor', 'kill -9 $PPID');
  const { stdout } = shop.run('prompt', '1.1', 'demo');
  expect(stdout).toContain('- Attempt: 2');
  expect(stdout).toContain('What went wrong last time');
  expect(promptOf('executor', 'echo no', '--max-task-iterations', '2')).toBe(stdout);
});

test('a task that does not exist and a role that does not are refused by name (R-AGT-7, R-UX-4)', () => {
  expect(shop.run('prompt', '9.9', 'demo')).toMatchObject({ code: 2, stderr: expect.stringContaining('"9.9"') });
  expect(shop.run('prompt', '1.1', '--role', 'boss')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('executor, verifier, reviewer'),
  });
});

test('the prompt of a reviewer is that of the next review (R-AGT-7, R-VER-7)', () => {
  const { stdout } = shop.run('prompt', '1.1', 'demo', '--role', 'reviewer');
  expect(stdout).toContain('Task: Review task 0 for spec demo');
  expect(stdout).toContain('None.');
});
