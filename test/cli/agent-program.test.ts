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

/** An agent that does its work and claims so, whatever else this line of shell does; `first` is empty from its second start on. */
function reporting(line: string): string {
  const start = '#!/bin/sh\ncat >/dev/null\n[ -e ../started ] && first= || first=yes\ntouch ../started\n';
  const work = 'echo x > a.txt\necho TASK_COMPLETE\n';
  shop.write('../bot.sh', `${start}${line}\n${work}`);
  chmodSync(join(shop.dir, '../bot.sh'), 0o755);
  return join(shop.dir, '../bot.sh');
}

test('a usage limit that an agent reports is waited for, and what it spent is counted (R-AGT-5, R-AGT-3)', () => {
  const limit = `printf '{"costUsd": 1, "limit": {"resetsAt": "%s"}}' "$(date -u +%FT%TZ)" >"$SPECLOOP_REPORT_FILE"`;
  const { code, stdout } = run(reporting(`[ -z "$first" ] || ${limit}`), '--json');
  expect(code).toBe(0);
  const returned = stdout
    .split('\n')
    .filter((line) => line.includes('"type":"agent-returned"'))
    .map((line) => JSON.parse(line).event);
  expect(returned).toMatchObject([
    { how: 'rate-limited', usage: { costUsd: 1 }, resetsAt: expect.any(String) },
    { how: 'completed', usage: {} },
  ]);
});

test('a question in a report is no completion, whatever the answer claims: a person is asked (R-AGT-5, R-AGT-6)', () => {
  const agent = reporting(`echo '{"question": "Which database?"}' >"$SPECLOOP_REPORT_FILE"`);
  const { code, stdout, stderr } = run(agent, '--max-task-iterations', '1');
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toContain('1.1: the agent asks: Which database?');
  expect(shop.git('show', 'HEAD:specs/demo/tasks.md')).toContain('- [ ] 1.1');
});

test('a report that cannot be read is a warning and not used: only the answer counts (R-AGT-5)', () => {
  const agent = reporting(`echo '{"verdict": "pass"}' >"$SPECLOOP_REPORT_FILE"`);
  const { code, stderr } = run(agent);
  expect(code).toBe(0);
  expect(stderr).toContain(
    'The agent\'s report (SPECLOOP_REPORT_FILE) was not used: it has an unknown field "verdict".',
  );
});

test('a report makes nothing pass: the Verify command decides as ever (R-AGT-5, R-VER-5)', () => {
  const agent = reporting(`echo '{"costUsd": 0}' >"$SPECLOOP_REPORT_FILE"; echo TASK_COMPLETE; exit 0`);
  expect(run(agent, '--max-task-iterations', '1')).toMatchObject({ code: 1, stdout: '' });
  expect(shop.git('show', 'HEAD:specs/demo/tasks.md')).toContain('- [ ] 1.1');
});

test('a question in the report of a reviewer takes back its REVIEW_PASS, and no finding (R-AGT-5, R-VER-7)', () => {
  const asks = `echo '{"question": "Which style?"}' >"$SPECLOOP_REPORT_FILE"; echo REVIEW_PASS; exit 0`;
  const agent = reporting(`if [ "$SPECLOOP_ROLE" = reviewer ]; then ${asks}; fi`);
  const { code, stderr } = shop.run('implement', 'demo', '--review', 'always', '--agent-command', agent);
  expect([code, stderr]).toEqual([0, expect.stringContaining('unreviewed')]);
});
