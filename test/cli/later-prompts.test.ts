import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
  const task = (n: number, verify: string) =>
    `- [ ] 1.${n} Add ${n}\n  - **Do**: add it\n  - **Files**: ${n}.txt, check.sh\n  - **Done when**: it is there\n  - **Verify**: \`${verify}\`\n  - **Commit**: \`feat: ${n}\`\n`;
  shop.write('specs/demo/tasks.md', `# Tasks\n\n${task(1, 'bash check.sh')}\n${task(2, 'test -f 2.txt')}`);
  shop.git('commit', '--quiet', '--all', '--message', 'plan');
});
afterEach(() => shop.remove());

const ADD = `grep -q PLANTED specs/demo/tasks.md || echo '  - PLANTED' >> specs/demo/tasks.md`;

/** The executor and the reviewer each do this in a shell; returns what the executor of task 1.2 was told. */
function promptOfSecond(deeds: { work: string; review: string }): {
  prompt: string;
  code: number | null;
  stderr: string;
} {
  const seen = join(shop.dir, '../seen');
  const script = `prompt=$(cat); n=\${SPECLOOP_TASK_ID#1.}; if [ "$SPECLOOP_ROLE" = reviewer ]; then ${deeds.review}; else [ "$n" = 2 ] && printf '%s' "$prompt" > ${seen}; ${deeds.work}; fi`;
  const { code, stderr } = shop.run(
    ...['implement', 'demo', '--agent-command', JSON.stringify(['bash', '-c', script]), '--max-task-iterations', '2'],
    ...['--review', 'always'],
  );
  return { prompt: existsSync(seen) ? readFileSync(seen, 'utf8') : '', code, stderr };
}

const CHECK = `[ -e check.sh ] || echo 'test -f 1.txt' > check.sh`;
const WORK = `${CHECK}; echo x > $n.txt; echo TASK_COMPLETE`;

test('text that a reviewer wrote into the block of a later task reaches no prompt, and is reported (R-VER-3, R-SEC-1)', () => {
  const { prompt, code, stderr } = promptOfSecond({
    work: WORK,
    review: `[ $n = 1 ] && { ${ADD}; }; echo REVIEW_PASS`,
  });
  expect(code).toBe(0);
  expect(prompt).toContain('1.2 Add 2');
  expect(prompt).not.toContain('PLANTED');
  expect(stderr).toMatch(/Text was added to task 1\.2\. It was put back after the review, and is kept under refs\//);
  expect(readFileSync(join(shop.dir, 'specs/demo/tasks.md'), 'utf8')).not.toContain('PLANTED');
});

test('text that a Verify command wrote into the block of a later task rejects the attempt (R-VER-3, R-SEC-1)', () => {
  const plant = `[ $SPECLOOP_ATTEMPT = 1 ] && echo "${ADD.replaceAll('$', '\\$')}; test -f 1.txt" > check.sh`;
  const { prompt, code, stderr } = promptOfSecond({ work: `${plant}; ${WORK}`, review: 'echo REVIEW_PASS' });
  expect(code).toBe(0);
  expect(stderr).toContain('Text was added to task 1.2.');
  expect(prompt).toContain('1.2 Add 2');
  expect(prompt).not.toContain('PLANTED');
});

test('text beside a request to change the plan reaches no later prompt (R-VER-3, R-SEC-1, R-MOD-2)', () => {
  const block =
    '- [ ] 1.0 Prepare\\n  - **Do**: it\\n  - **Files**: 0.txt\\n  - **Done when**: it is there\\n  - **Verify**: `test -f 0.txt`\\n  - **Commit**: `feat: 0`';
  const request = JSON.stringify({
    type: 'ADD_PREREQUISITE',
    originalTaskId: '1.1',
    reasoning: 'it is missing',
    proposedTasks: [block.replaceAll('\\n', '\n')],
  });
  shop.write('../request.json', request);
  const ask = `printf 'TASK_MODIFICATION_REQUEST\\n\\x60\\x60\\x60json\\n'; cat ${join(shop.dir, '../request.json')}; printf '\\n\\x60\\x60\\x60\\n'`;
  const work = `if [ $n = 1 ] && [ $SPECLOOP_ATTEMPT = 1 ]; then ${ADD}; ${ask}; exit; fi; ${WORK}`;
  const { prompt, stderr } = promptOfSecond({ work, review: 'echo REVIEW_PASS' });
  expect(stderr).toContain('Text was added to task 1.2.');
  expect(prompt).not.toContain('PLANTED');
});
