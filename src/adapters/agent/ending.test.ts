import { expect, test } from 'vitest';
import type { Ended, ProcessEnd } from '../../ports/process.ts';
import { type AgentVerdict, judge, judgeExitCode } from './ending.ts';

const attempted = { program: 'my-agent', limits: { wallMs: 1_200_000, idleMs: 1500 } };

function judged(ending: ProcessEnd): AgentVerdict {
  const printed = { text: 'TASK_COMPLETE\n', truncated: false, bytes: 14 };
  const ended: Ended = { ...ending, stdout: printed, stderr: { ...printed, text: '' }, durationMs: 1, leftovers: 0 };
  return judge(ended, attempted, (code) => judgeExitCode(code, 'noise\nno such model\n'));
}

test('a program that left is judged by its exit code and described by its last words (R-DEL-7)', () => {
  expect(judged({ how: 'exited', code: 0 })).toEqual({ how: 'completed', message: '' });
  expect(judged({ how: 'exited', code: 7 })).toEqual({
    how: 'failed',
    message: 'The agent exited with code 7: no such model.',
  });
});

test('limits are reported in seconds (R-DEL-7)', () => {
  expect(judged({ how: 'killed', by: 'wall-timeout' })).toEqual({
    how: 'timed-out',
    message: 'The agent was stopped at its time limit of 1200 s.',
  });
  expect(judged({ how: 'killed', by: 'idle-timeout' })).toEqual({
    how: 'silent',
    message: 'The agent was stopped because it printed nothing for 1.5 s.',
  });
});

test('a signal of somebody else is a crash, a stop of ours is not (R-DEL-7)', () => {
  expect(judged({ how: 'killed', by: 'signal', signal: 'SIGSEGV' })).toEqual({
    how: 'crashed',
    message: 'The agent was killed by SIGSEGV.',
  });
  expect(judged({ how: 'killed', by: 'cancel' }).how).toBe('cancelled');
});

test('what would fail every time is distinguished from what may pass (R-DEL-7)', () => {
  const reasons = ['not-found', 'not-permitted', 'argument-too-long', 'cancelled', 'failed'] as const;
  const verdicts = reasons.map((reason) => judged({ how: 'not-started', reason, message: 'No memory.' }));
  expect(verdicts.map((verdict) => verdict.how)).toEqual([
    'not-found',
    'not-found',
    'not-found',
    'cancelled',
    'crashed',
  ]);
  expect(verdicts.at(0)?.message).toContain('"my-agent"');
  expect(verdicts.at(-1)?.message).toBe('The agent "my-agent" could not be started: No memory.');
});
