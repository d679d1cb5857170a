import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Result, type Workshop, workshop } from './rig.ts';

let shop: Workshop;
let outside: string;
beforeEach(() => {
  shop = workshop();
  outside = dirname(shop.dir);
});
afterEach(() => shop.remove());

const read = (path: string) => readFileSync(join(shop.dir, path), 'utf8');
const inHead = (path: string) => shop.git('show', `HEAD:${path}`);

/** Runs the plan with a shell script as its agent; `$SPECLOOP_ATTEMPT` tells the attempts apart. */
function implement(script: string, ...args: readonly string[]): Result {
  const agent = join(outside, 'agent');
  writeFileSync(agent, `#!/bin/bash\ncat > /dev/null\n${script}\n`);
  chmodSync(agent, 0o755);
  return shop.run('implement', 'demo', '--agent-command', agent, '--review', 'off', ...args);
}

const PART =
  '- [ ] 1.1.1 Part\n  - **Do**:\n    1. x\n  - **Files**: a\n  - **Done when**: y\n  - **Verify**: `true`\n  - **Commit**: `feat: part`';
const SPLIT = `TASK_MODIFICATION_REQUEST\n${JSON.stringify({ type: 'SPLIT_TASK', originalTaskId: '1.1', reasoning: 'r', proposedTasks: [PART] })}\n\nTASK_COMPLETE\n`;

test('a commit that an agent made with the trailers of a plan change is not taken for one (R-MOD-2, R-VER-3)', () => {
  writeFileSync(join(outside, 'part'), `\n${PART.replace('[ ]', '[x]')}\n`);
  writeFileSync(join(outside, 'answer'), SPLIT);
  const { code, stdout } = implement(
    `run=$(ls .git/.specloop/specs/*/runs | tail -1)
     cat ${outside}/part >> specs/demo/tasks.md
     git commit -qam "plan

Specloop-Plan: 1.1
Specloop-Attempt: $run/1"
     cat ${outside}/answer`,
    '--max-task-iterations',
    '1',
  );
  expect([code, stdout]).toEqual([1, '']);
  expect(read('specs/demo/tasks.md')).not.toContain('1.1.1');
  expect(inHead('specs/demo/tasks.md')).not.toContain('[x]');
});
