import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
  shop.write('agent.sh', '#!/bin/sh\ncat > ../prompt\ntouch a.txt\necho TASK_COMPLETE\n');
  chmodSync(join(shop.dir, 'agent.sh'), 0o755);
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'an agent');
});
afterEach(() => shop.remove());

const read = (path: string): string => readFileSync(join(shop.dir, path), 'utf8');

const FRONT = '---\nspec: demo\nphase: tasks\napproved_through: tasks\nupdated: 2026-11-01\n---\n';
const PATH = 'specs/demo/progress.md';

const run = () => shop.run('implement', 'demo', '--review', 'off', '--agent-command', './agent.sh');

test('a progress file that is tracked, with front matter, is the one that is read and written (R-PLAN-7)', () => {
  shop.write(PATH, `${FRONT}\n# Progress\n\n## Learnings\n\n- The port is 8080\n`);
  expect(run()).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
  const text = read(PATH);
  expect(text.startsWith(FRONT)).toBe(true);
  expect(text).toMatch(/^- \[x\] 1\.1 .* - [0-9a-f]{7,}$/m);
  expect(read('../prompt')).toContain('The port is 8080');
  expect(read('../prompt')).toContain(PATH);
  expect(shop.git('ls-files', 'specs/demo')).not.toContain('.progress.md');
  expect(shop.git('status', '--porcelain')).toBe('');
});

test('a file of that name without front matter is not ours (R-PLAN-7)', () => {
  shop.write(PATH, '# My own notes\n');
  expect(run()).toMatchObject({ code: 0 });
  expect(read(PATH)).toBe('# My own notes\n');
  expect(read('specs/demo/.progress.md')).toMatch(/^- \[x\] 1\.1 /m);
});
