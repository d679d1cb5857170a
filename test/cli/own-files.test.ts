import { chmodSync, existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
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

test.each([
  ['a link', `rm specs/demo/tasks.md; ln -s /etc/hostname specs/demo/tasks.md`],
  ['a pipe', `rm specs/demo/tasks.md; mkfifo specs/demo/tasks.md`],
  ['an empty folder', `rm specs/demo/tasks.md; mkdir specs/demo/tasks.md`],
  ['a folder with files', `rm specs/demo/tasks.md; mkdir specs/demo/tasks.md; echo x > specs/demo/tasks.md/x`],
  ['bytes that are no text', `printf '\\377\\n' > specs/demo/tasks.md`],
])('%s in the place of the plan rejects the attempt, and the plan is put back (R-VER-3)', (_, deed) => {
  const { code, stdout } = implement(`echo x > a.txt; [ "$SPECLOOP_ATTEMPT" = 1 ] && { ${deed}; }; echo TASK_COMPLETE`);
  expect([code, stdout]).toEqual([0, 'ALL_TASKS_COMPLETE\n']);
  expect(lstatSync(join(shop.dir, 'specs/demo/tasks.md')).isFile()).toBe(true);
  expect(inHead('specs/demo/tasks.md')).toContain('- [x] 1.1');
  expect(shop.git('log', '--format=%b')).toMatch(/Specloop-Attempt: .*\/2/);
  expect(shop.git('status', '--short')).toBe('');
});

test.each([
  ['the folder of the spec', `mv specs/demo ../out; ln -s "$PWD/../out" specs/demo`],
  ['the folder of all specs', `mv specs ../out; ln -s "$PWD/../out" specs`],
  ['a link to another folder', `mkdir ../out; mv specs ../old; ln -s "$PWD/../out" specs`],
  ['a file', `rm -r specs; echo x > specs`],
])('what takes the place of the folder of the plan (%s) is put back, and rejects (R-SEC-1, R-VER-3)', (_, deed) => {
  const { code, stdout, stderr } = implement(
    `echo x > a.txt; [ "$SPECLOOP_ATTEMPT" = 1 ] && { ${deed}; }; echo TASK_COMPLETE`,
  );
  expect([code, stdout, stderr]).toEqual([0, 'ALL_TASKS_COMPLETE\n', expect.any(String)]);
  expect(lstatSync(join(shop.dir, 'specs/demo')).isDirectory()).toBe(true);
  expect(inHead('specs/demo/tasks.md')).toContain('- [x] 1.1');
  expect(existsSync(join(outside, 'out', '.ralph-state.json'))).toBe(false);
  expect(shop.git('log', '--format=%b')).toMatch(/Specloop-Attempt: .*\/2/);
  expect(shop.git('status', '--short')).toBe('');
});

const PROGRESS = '# Progress\n\n## Original Goal\nThe goal\n\n## Learnings\n- an old one\n';

test.each([
  ['is removed', 'rm specs/demo/.progress.md'],
  ['is emptied', ': > specs/demo/.progress.md'],
  ['is rewritten', 'printf "## Learnings\\n- a new one\\n" > specs/demo/.progress.md'],
  ['is no text any more', "printf '\\377\\376' > specs/demo/.progress.md"],
  ['becomes a link', 'ln -sf /etc/hostname specs/demo/.progress.md'],
  ['becomes a folder', 'rm specs/demo/.progress.md; mkdir specs/demo/.progress.md'],
])('what the progress file says outlasts an agent: it %s (R-FILE-3, R-VER-3)', (_, deed) => {
  shop.write('specs/demo/.progress.md', PROGRESS);
  const { code, stderr } = implement(`echo x > a.txt; ${deed}; echo TASK_COMPLETE`);
  expect(code).toBe(0);
  expect(stderr).toContain('.progress.md had lost lines or was missing; they were put back');
  const after = inHead('specs/demo/.progress.md');
  expect(after).toMatch(
    /## Original Goal\nThe goal\n[\s\S]*- \[x\] 1\.1 Add the file[\s\S]*## Learnings\n- an old one/,
  );
  expect(after.includes('- a new one')).toBe(deed.includes('a new one'));
  expect(shop.git('status', '--short')).toBe('');
});

test('a ref that keeps work is there when the end names it, whatever an agent did to it (R-RETRY-4)', () => {
  const { code, stderr } = implement(
    `if [ "$SPECLOOP_ATTEMPT" = 1 ]; then echo valuable > valuable.txt
     else git for-each-ref --format='delete %(refname)' refs/specloop | git update-ref --stdin; fi; echo failed`,
    '--max-task-iterations',
    '2',
  );
  expect(code).toBe(1);
  const [, ref = ''] = /attempt 1: (refs\/specloop\/\S+)/.exec(stderr) ?? [];
  expect(shop.git('show', `${ref}:valuable.txt`)).toBe('valuable\n');
});

test('a tick that no commit of ours records is shown as ticked by hand (R-FILE-7)', () => {
  implement(
    `sed -i 's/\\[ \\]/[x]/' specs/demo/tasks.md; git commit -qam x; rm -rf .git/.specloop specs/demo/.ralph-state.json; kill -9 $PPID`,
  );
  const again = implement('exit 1');
  expect(again.code).toBe(0);
  expect(again.stderr).toContain('Ticked by hand: 1.1. They are in no commit made by specloop.');
  expect(again.stderr).toMatch(/\nTicked by hand: 1\.1\.\n/);
  expect(shop.run('status', 'demo').stdout).toContain('1.1: ticked by hand');
});

test('a tick of ours is not shown as ticked by hand in a later run (R-FILE-7)', () => {
  implement('echo x > a.txt; echo TASK_COMPLETE');
  shop.write('specs/demo/tasks.md', `${read('specs/demo/tasks.md')}- [ ] 1.2 More\n  - **Verify**: \`true\`\n`);
  const { stderr } = implement('echo y > b.txt; echo TASK_COMPLETE');
  expect(stderr).toContain('2 of 2 tasks done');
  expect(stderr).not.toContain('by hand');
});

test.each(['.git/index', '.git/HEAD', '.git/refs/heads/feat/demo'])(
  'a %s that an agent damages is put right, and rejects the attempt (R-VER-3)',
  (path) => {
    const { code, stdout } = implement(
      `echo x > a.txt; [ "$SPECLOOP_ATTEMPT" = 1 ] && echo x > ${path}; echo TASK_COMPLETE`,
    );
    expect([code, stdout]).toEqual([0, 'ALL_TASKS_COMPLETE\n']);
    expect(shop.git('log', '--format=%b')).toMatch(/Specloop-Attempt: .*\/2/);
    expect(shop.git('status', '--short', '--branch')).toBe('## feat/demo\n');
  },
);
