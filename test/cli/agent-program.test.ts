import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
});
afterEach(() => shop.remove());

function program(path: string, mode = 0o755): void {
  shop.write(path, '#!/bin/sh\ncat >/dev/null\necho x > "$SPECLOOP_WORKSPACE/a.txt"\necho TASK_COMPLETE\n');
  chmodSync(join(shop.dir, path), mode);
}

function commit(): void {
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'more');
}

const run = (command: string, ...options: readonly string[]) =>
  shop.run('implement', 'demo', '--review', 'off', '--agent-command', command, ...options);
const complete = { code: 0, stdout: 'ALL_TASKS_COMPLETE\n' };

test('a relative agent is found from where the command was given, also for a worktree (R-API-1)', () => {
  mkdirSync(join(shop.dir, 'tools'));
  program('tools/bot.sh');
  shop.write(
    'tools/specs/other/tasks.md',
    '- [ ] 1.1 Add\n  - **Files**: a.txt\n  - **Verify**: `test -f a.txt`\n  - **Commit**: `feat: add`\n',
  );
  commit();
  const there = ['--cwd', join(shop.dir, 'tools'), 'implement', 'other', '--review', 'off'];
  expect(shop.run(...there, '--agent-command', './bot.sh')).toMatchObject(complete);
  expect(run('tools/bot.sh', '--worktree')).toMatchObject(complete);
});

test('one that a settings file names is relative to that file (R-API-1)', () => {
  program('bot.sh');
  shop.write('specloop.config.yaml', 'agentCommand: ./bot.sh\n');
  shop.write('sub/keep', '');
  commit();
  const { code, stderr } = shop.run('--cwd', join(shop.dir, 'sub'), 'doctor');
  expect([code, stderr]).toEqual([0, '']);
  expect(shop.run('implement', 'demo', '--review', 'off')).toMatchObject(complete);
});

test.each([
  ['specs', 'The agent "specs" was not found'],
  ['./specs', 'The agent "./specs" is a folder'],
  ['./plain', 'The agent "./plain" may not be executed'],
  ['~/bot --fast', 'specloop runs it without a shell. To use one, write ["sh","-c","~/bot --fast"]'],
  ['cat | tee log', 'specloop runs it without a shell. To use one, write ["sh","-c","cat | tee log"]'],
  ['false; true', 'specloop runs it without a shell'],
])('an agent %s is refused with what is wrong with it (R-START-1)', (command, message) => {
  program('plain', 0o644);
  expect(run(command, '--allow-dirty')).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});
