import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
  shop.write('asks.sh', ASKS);
  chmodSync(join(shop.dir, 'asks.sh'), 0o755);
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'an agent');
});
afterEach(() => shop.remove());

/** Asks until its prompt tells the answer. */
const ASKS = `#!/bin/sh
if grep -q "Take SQLite"; then
  echo done > "$SPECLOOP_WORKSPACE/a.txt"
  echo TASK_COMPLETE
else
  echo half > "$SPECLOOP_WORKSPACE/a.txt"
  printf 'I have to know.\\n\\nNEEDS_INPUT\\nWhich database?\\n'
fi
`;

/** A file beside the repository, so that it is not part of it. */
function answersFile(text: string): string {
  shop.write('../answers.json', text);
  return join(shop.dir, '../answers.json');
}

const run = (...options: readonly string[]) =>
  shop.run('implement', 'demo', '--review', 'off', '--agent-command', './asks.sh', ...options);

test('a question stops the run with exit code 3, and the answer goes on with it (R-AGT-6, R-UX-4)', () => {
  const question = 'Task 1.1 needs an answer: Which database?';
  expect(run()).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(question) });
  expect(shop.run('status', 'demo').stdout).toContain(question);
  expect(
    shop.git('show', `${shop.git('for-each-ref', '--format=%(refname)', 'refs/specloop/kept').trim()}:a.txt`),
  ).toBe('half\n');
  expect(shop.git('status', '--porcelain')).toBe('');
  expect(run()).toMatchObject({ code: 3, stderr: expect.stringContaining(question) });
  expect(shop.run('answer', '1.1', 'demo', 'Take SQLite.')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('specloop implement demo'),
  });
  expect(run('--max-task-iterations', '1')).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
});

test('an answer that was given before is taken at once (R-AGT-6)', () => {
  const answers = answersFile(JSON.stringify([{ match: 'database', answer: 'Take SQLite.' }]));
  expect(run('--answers', answers)).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
});

test.each([
  ['[{"answer": ""}]', 'answer is empty'],
  ['{"answer": "yes"}', 'makes no sense'],
  ['[', 'is not JSON'],
])('a file of answers that makes no sense is refused: %s (R-AGT-6)', (text, message) => {
  const answers = answersFile(text);
  expect(run('--answers', answers)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

test('a task that asked nothing is not answered (R-AGT-6)', () => {
  expect(shop.run('answer', '1.1', 'demo', 'Yes.')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"1.1" of demo does not wait for an answer.'),
  });
  expect(shop.run('answer', '1.1')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The answer is missing'),
  });
});
