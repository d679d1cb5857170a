import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CLAUDE_CODE_VARIABLES } from '../../src/adapters/agent/claude-code/claude-code.ts';
import { allowedEnvironment } from '../../src/adapters/process/environment.ts';
import { type ExpectedEnd, testRecordedStreams } from './recorded-streams.ts';
import { AgentRig, readGiven } from './rig.ts';

let rig: AgentRig;
beforeEach(() => {
  rig = new AgentRig();
});
afterEach(() => rig.close());

const RESETS_AT = '2026-11-28T21:06:40.000Z';
const COMPLETE = 'Done.\n\nTASK_COMPLETE';
const USAGE = { inputTokens: 200, outputTokens: 40, costUsd: 0.0012 };

/** Every recorded stream, and what it means. A session that reports an error leaves with exit code 1. */
const STREAMS: Readonly<Record<string, ExpectedEnd>> = {
  '2.1.197/completed': { how: 'completed', answer: COMPLETE, usage: USAGE },
  '2.1.332/completed': {
    how: 'completed',
    answer: COMPLETE,
    usage: { inputTokens: 1550, outputTokens: 45, costUsd: 0.021 },
  },
  '2.1.332/two-results': {
    how: 'completed',
    answer: 'The helper is done.\n\nTASK_COMPLETE',
    usage: { ...USAGE, costUsd: 0.03 },
  },
  '2.1.197/failed-subagent': { how: 'completed', answer: 'Done without it.\n\nTASK_COMPLETE' },
  '2.1.197/recovered-after-retry': { how: 'completed', answer: COMPLETE },
  '2.1.197/usage-limit-warning': { how: 'completed', answer: COMPLETE },
  '2.1.197/invalid-key': { how: 'unauthenticated', message: /Invalid API key.*Sign in by starting "claude"/ },
  '2.1.197/forbidden': { how: 'unauthenticated', message: /403 no access/ },
  '2.1.197/not-logged-in': { how: 'unauthenticated', message: /Not logged in/ },
  '2.1.197/no-credit': { how: 'unauthenticated', message: /Credit balance is too low\. Add credit/ },
  '2.1.197/rate-limit-of-a-key': { how: 'overloaded', message: /slow down\.$/ },
  '2.1.332/usage-limit': { how: 'rate-limited', resetsAt: RESETS_AT, message: /You've hit your limit/ },
  '2.1.197/usage-limit-without-result': { how: 'rate-limited', resetsAt: RESETS_AT },
  '2.1.197/overloaded': { how: 'overloaded', message: /529 Overloaded/ },
  '2.1.197/connection-refused': { how: 'overloaded', message: /Unable to connect/ },
  '2.1.332/connection-dropped': { how: 'overloaded', message: /Connection error/ },
  '2.1.197/server-error': { how: 'overloaded', message: /500 Internal/ },
  '2.1.197/stream-error': { how: 'overloaded', answer: 'Half a', message: /cut off mid-stream/ },
  '2.1.197/malformed-response': { how: 'failed', message: /malformed response/ },
  '2.1.197/prompt-too-long': { how: 'context-overflow', message: /Prompt is too long/ },
  '2.1.197/prompt-too-long-locally': { how: 'context-overflow' },
  '2.1.197/request-too-large': { how: 'context-overflow' },
  '2.1.332/request-too-large': { how: 'context-overflow' },
  '2.1.197/unknown-model': { how: 'not-found', message: /selected model \(nope\).*Choose another model\.$/ },
  '2.1.197/output-too-long': { how: 'failed', answer: 'abc', message: /64000 output token maximum/ },
  '2.1.197/refusal': { how: 'refused', message: /Usage Policy/ },
  '2.1.197/empty-answer': { how: 'failed', code: 0, message: /empty answer/ },
  '2.1.197/denied-tools': { how: 'completed', answer: COMPLETE, denials: ['Write', 'Bash'] },
  '2.1.197/turns-used-up': { how: 'failed', answer: 'On it.', message: /Reached maximum number of turns \(3\)\.$/ },
  '2.1.197/budget-used-up': {
    how: 'over-budget',
    message: /Reached maximum budget \(\$1\)/,
    usage: { inputTokens: 300_000, outputTokens: 15_000, costUsd: 1.125 },
  },
  '2.1.197/interrupted': { how: 'failed', code: 0, message: /Request was aborted/ },
};

describe('what a session of Claude Code prints, and how its attempt ended (R-DEL-7, R-AGT-3, R-AGT-4)', () => {
  testRecordedStreams(
    { folder: 'claude-code', agent: (orders) => rig.claude(orders), brief: () => rig.brief() },
    STREAMS,
  );

  test('a session that leaves in order without a result has failed', async () => {
    const ended = await rig.claude({ steps: [{ exit: 0 }] }).work(rig.brief());
    expect(ended).toMatchObject({ how: 'failed', message: 'The agent exited without a result.' });
  });

  test('a session that is refused for the user root cannot succeed, and the message says what to do', async () => {
    const stderr = '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons\n';
    const ended = await rig.claude({ steps: [{ stderr }, { exit: 1 }] }).work(rig.brief());
    expect(ended).toMatchObject({
      how: 'not-found',
      message: expect.stringMatching(/security reasons\. Run as another user/),
    });
  });

  test('the last words on stderr tell why a session left before its first event', async () => {
    const ended = await rig
      .claude({ steps: [{ stderr: 'Error: Session ID is already in use.\n' }, { exit: 1 }] })
      .work(rig.brief());
    expect(ended.message).toBe('The agent exited with code 1: Error: Session ID is already in use.');
  });

  test('a program that is not there is named', async () => {
    const ended = await rig.claude({ steps: [] }, { program: 'claude-that-is-not-there' }).work(rig.brief());
    expect(ended).toMatchObject({ how: 'not-found', message: expect.stringContaining('"claude-that-is-not-there"') });
  });
});

describe('a session of Claude Code that stays (R-DEL-6)', () => {
  test('is ended some time after its result, and the result counts', async () => {
    const agent = rig.claude(
      { steps: [{ stream: '2.1.197/completed' }, { sleepMs: 600_000 }] },
      { graceAfterResultMs: 200 },
    );
    expect(await agent.work(rig.brief())).toMatchObject({ how: 'completed', answer: COMPLETE });
  });

  test('is interrupted then, and what it says to that is not its result', async () => {
    const steps = [{ stream: '2.1.197/completed' }, { sleepMs: 600_000 }];
    const agent = rig.claude({ steps, interruptedStream: '2.1.197/interrupted' }, { graceAfterResultMs: 200 });
    expect(await agent.work(rig.brief())).toMatchObject({ how: 'completed', answer: COMPLETE });
  });

  test('is not ended while it works on after a first result', async () => {
    const steps = [{ stream: '2.1.197/completed' }, { print: 'More.' }, { sleepMs: 1000 }, { print: ' Done.' }];
    const agent = rig.claude({ steps }, { graceAfterResultMs: 300 });
    expect(await agent.work(rig.brief())).toMatchObject({ how: 'completed', answer: 'More. Done.' });
  });

  test('has given its result, also if its silence limit is shorter than the grace', async () => {
    const agent = rig.claude({ steps: [{ stream: '2.1.197/completed' }, { sleepMs: 600_000 }] });
    const ended = await agent.work(rig.brief({ limits: { wallMs: 60_000, idleMs: 1000 } }));
    expect(ended).toMatchObject({ how: 'completed', answer: COMPLETE });
  });

  test('is cancelled if it is asked to stop, although its result was good', async () => {
    const stop = new AbortController();
    const agent = rig.claude({ steps: [{ stream: '2.1.197/completed' }, { sleepMs: 600_000 }] });
    const ended = agent.work(rig.brief({ signal: stop.signal }));
    await vi.waitFor(() => expect(rig.log()).toContain('"type":"result"'), { timeout: 30_000 });
    stop.abort('now');
    expect((await ended).how).toBe('cancelled');
  });
});

test('a session that is interrupted still tells what it spent (R-DEL-8)', async () => {
  const stop = new AbortController();
  const agent = rig.claude({
    steps: [{ stderr: 'ready\n' }, { sleepMs: 600_000 }],
    interruptedStream: '2.1.197/interrupted',
  });
  const ended = await agent.work(rig.brief({ signal: stop.signal, onEvent: () => stop.abort() }));
  expect(ended).toMatchObject({ how: 'cancelled', answer: 'On it.', usage: USAGE });
});

test('an event of ten mebibytes is read over (R-DEL-6)', async () => {
  const ended = await rig.claude({ steps: [{ hugeEventMiB: 10 }, { stream: '2.1.197/completed' }] }).work(rig.brief());
  expect(ended).toMatchObject({ how: 'completed', answer: COMPLETE });
});

test('a prompt of any size and shape goes by stdin and never by an argument (R-DEL-3)', async () => {
  const record = join(rig.dir, 'given.json');
  const prompt = `"$(touch pwned)" 'ü'\r\n${'x'.repeat(3 * 1024 * 1024)}`;
  await rig.claude({ steps: [{ stream: '2.1.197/completed' }], record }).work(rig.brief({ prompt }));
  const given = readGiven(record);
  expect(given.prompt).toBe(prompt);
  expect(given.args.join(' ')).not.toContain('pwned');
  expect(given.cwd).toBe(rig.workspace);
});

test('limits, model and session are passed as the program expects them (R-DEL-2, R-DEL-8)', async () => {
  const record = join(rig.dir, 'given.json');
  const options = { model: 'haiku', turnsMax: 50, newId: () => '5a1f0c1e-7d3c-4a57-9f0e-0d4b1c2e3f40' };
  const limits = { wallMs: 60_000, idleMs: 60_000, costUsdMax: 2.5 };
  await rig.claude({ steps: [{ stream: '2.1.197/completed' }], record }, options).work(rig.brief({ limits }));
  expect(readGiven(record).args.join(' ')).toBe(
    '-p --output-format stream-json --verbose --session-id 5a1f0c1e-7d3c-4a57-9f0e-0d4b1c2e3f40 --model haiku' +
      ' --max-turns 50 --max-budget-usd 2.5 --dangerously-skip-permissions',
  );
});

test('an allow-list of tools replaces the leave to do everything (R-SEC-3)', async () => {
  const record = join(rig.dir, 'given.json');
  const permissions = { mode: 'allow-list', tools: ['Write', 'Bash(git *)'] } as const;
  await rig.claude({ steps: [{ stream: '2.1.197/completed' }], record }, { permissions }).work(rig.brief());
  const { args } = readGiven(record);
  expect(args).not.toContain('--dangerously-skip-permissions');
  expect(args.slice(-5)).toEqual(['--permission-mode', 'dontAsk', '--allowedTools', 'Write', 'Bash(git *)']);
});

test("of the user's environment it gets its own variables, and none of a session around us (R-SEC-2)", async () => {
  const record = join(rig.dir, 'given.json');
  const users = {
    ANTHROPIC_API_KEY: 'key',
    CLAUDECODE: '1',
    CLAUDE_CODE_SSE_PORT: '1',
    OPENAI_API_KEY: 'other',
    IS_SANDBOX: '1',
  };
  const env = allowedEnvironment({ ...process.env, ...users }, { pass: CLAUDE_CODE_VARIABLES });
  await rig.claude({ steps: [{ stream: '2.1.197/completed' }], record }, { env }).work(rig.brief());
  const given = readGiven(record).env;
  expect(given).toMatchObject({
    ANTHROPIC_API_KEY: 'key',
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    CLAUDE_CODE_MAX_RETRIES: '3',
    DISABLE_AUTOUPDATER: '1',
    SPECLOOP_TASK_ID: '1.1',
  });
  for (const name of ['CLAUDECODE', 'CLAUDE_CODE_SSE_PORT', 'OPENAI_API_KEY', 'IS_SANDBOX'])
    expect(given).not.toHaveProperty(name);
});

test('in a sandbox it can write its own state, where the user keeps that (R-SEC-3)', async () => {
  const run = vi.spyOn(rig.processes, 'run');
  const work = async (env: Readonly<Record<string, string>>) => {
    await rig.claude({ steps: [{ stream: '2.1.197/completed' }] }, { env }).work(rig.brief());
    return run.mock.lastCall?.[0].writable;
  };
  expect(await work({ HOME: rig.dir })).toEqual([join(rig.dir, '.claude')]);
  writeFileSync(join(rig.dir, '.claude.json'), '{}');
  expect(await work({ HOME: rig.dir })).toEqual([join(rig.dir, '.claude'), join(rig.dir, '.claude.json')]);
  expect(await work({ HOME: rig.dir, CLAUDE_CONFIG_DIR: '/elsewhere' })).toEqual(['/elsewhere']);
});

test('the log of the attempt holds every line as it was printed (R-DEL-6)', async () => {
  await rig.claude({ steps: [{ stream: '2.1.332/completed' }, { stderr: 'a warning\n' }] }).work(rig.brief());
  expect(rig.log()).toContain('Warning: this line is not JSON.');
  expect(rig.log()).toContain('a warning');
});
