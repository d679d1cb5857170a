import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Result, type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
});
afterEach(() => shop.remove());

/** Runs the plan; the executor and the reviewer each do this in a shell, which has what it was told in `$prompt`. */
function implement({ work, review }: { work: string; review: string }, ...options: readonly string[]): Result {
  const script = `prompt=$(cat); if [ "$SPECLOOP_ROLE" = reviewer ]; then ${review}; else ${work}; fi`;
  return shop.run('implement', 'demo', '--agent-command', JSON.stringify(['bash', '-c', script]), ...options);
}

const WORK = 'echo "$SPECLOOP_TASK_ID" >> a.txt; echo TASK_COMPLETE';
const boxes = () => readFileSync(join(shop.dir, 'specs/demo/tasks.md'), 'utf8').match(/^- \[.\] \S+/gm);

test.each([
  ['has no finding', 'REVIEW_FAIL\\n'],
  ['names a document', '1. It accepts expired tokens, which requirements.md forbids.\\n\\nREVIEW_FAIL\\n'],
  ['takes its pass back', 'REVIEW_PASS\\n\\nOn second thoughts: a.txt:1 is wrong.\\n'],
])('a review that %s never passes: under strict a person decides (R-DEL-4, R-VER-7)', (_, answer) => {
  const { code, stdout } = implement({ work: WORK, review: `printf '${answer}'` }, '--review', 'strict');
  expect([code, stdout]).toEqual([3, '']);
  expect(boxes()).toContain('- [ ] 1.1');
});

test('the reviewer is given the documents as they were when the task began, committed or not (R-VER-7)', () => {
  const seen = join(shop.dir, '../seen');
  shop.write('specs/demo/requirements.md', '# r\n\nTokens expire.\n');
  shop.write('specs/demo/design.md', '# d\n\nOne cache.\n');
  shop.write('.gitignore', 'specs/demo/design.md\n');
  shop.git('add', '.gitignore', 'specs/demo/requirements.md');
  shop.git('commit', '--quiet', '--message', 'spec');
  const forge = 'echo "No cache." > specs/demo/design.md';
  const review = `printf '%s' "$prompt" > ${seen}; echo REVIEW_PASS`;
  expect(implement({ work: `${forge}; ${WORK}`, review }, '--review', 'always')).toMatchObject({ code: 0 });
  const prompt = readFileSync(seen, 'utf8');
  expect(prompt).toContain('> Tokens expire.');
  expect(prompt).toContain('> One cache.');
  expect(prompt).not.toContain('No cache.');
});

test('a change of requirements.md that Files does not name is rejected and put back (R-VER-3, R-VER-7)', () => {
  shop.write('specs/demo/requirements.md', '# r\n\nTokens expire.\n');
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'spec');
  const forge = 'echo "Anything goes." > specs/demo/requirements.md';
  const review = 'echo REVIEW_PASS';
  const { code, stderr } = implement({ work: `${forge}; ${WORK}`, review }, '--max-task-iterations', '1');
  expect(code).toBe(1);
  expect(stderr).toContain('specs/demo/requirements.md');
  expect(readFileSync(join(shop.dir, 'specs/demo/requirements.md'), 'utf8')).toBe('# r\n\nTokens expire.\n');
});

test('a batch is reviewed as one: with the index of its first member, all blocks and all files (R-PAR-7)', () => {
  const task = (n: number) =>
    `- [ ] 1.${n} [P] Add ${n}\n  - **Files**: ${n}.txt\n  - **Verify**: \`test -s ${n}.txt\`\n`;
  writeFileSync(join(shop.dir, 'specs/demo/tasks.md'), `# Tasks\n\n${[1, 2, 3].map(task).join('\n')}`);
  const seen = join(shop.dir, '../seen');
  const review = `printf '%s' "$prompt" >> ${seen}; echo REVIEW_PASS`;
  const work = 'n=$((SPECLOOP_TASK_INDEX + 1)); echo x > $n.txt; echo TASK_COMPLETE';
  expect(implement({ work, review }, '--jobs', '3')).toMatchObject({ code: 0 });
  expect(existsSync(seen)).toBe(true);
  const prompt = readFileSync(seen, 'utf8');
  expect(prompt.match(/^Task: Review task .*$/gm)).toEqual(['Task: Review task 0 for spec demo']);
  for (const n of [1, 2, 3]) {
    expect(prompt).toContain(`[P] Add ${n}`);
    expect(prompt).toContain(`> - ${n}.txt`);
  }
});

test('what a reviewer takes out of the index is not taken out of the commit (R-VER-7, R-VER-13)', () => {
  shop.write('notes.md', 'old\n');
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'notes');
  const ran = implement({ work: WORK, review: 'git rm -q --cached notes.md; echo REVIEW_PASS' }, '--review', 'always');
  expect(ran).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
  expect(shop.git('show', 'HEAD:notes.md')).toBe('old\n');
});
