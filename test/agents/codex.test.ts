import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CODEX } from '../../src/adapters/agent/codex/codex.ts';
import { allowedEnvironment } from '../../src/adapters/process/environment.ts';
import type { AgentEvent } from '../../src/core/agent/agent-event.ts';
import { type ExpectedEnd, testRecordedStreams } from './recorded-streams.ts';
import { AgentRig, readGiven } from './rig.ts';

let rig: AgentRig;
beforeEach(() => {
  rig = new AgentRig();
});
afterEach(() => rig.close());

const COMPLETE = 'Done.\n\nTASK_COMPLETE';
const USAGE = { inputTokens: 200, outputTokens: 40 };

/** Every recorded stream, and what it means. */
const STREAMS: Readonly<Record<string, ExpectedEnd>> = {
  '0.171.0/completed': { how: 'completed', answer: COMPLETE, usage: USAGE },
  '0.171.0/task-by-a-tool': { how: 'completed', answer: 'Wrote it.\n\nTASK_COMPLETE', usage: USAGE },
  '0.171.0/recovered-after-retry': { how: 'completed', answer: COMPLETE },
  '0.171.0/failed-command': { how: 'completed', answer: COMPLETE },
  '0.171.0/words-about-a-limit': { how: 'completed', answer: COMPLETE },
  '0.171.0/unknown-events': { how: 'completed', answer: COMPLETE },
  '0.171.0/empty-answer': { how: 'failed', code: 0, message: /empty answer/ },
  '0.171.0/invalid-key': { how: 'unauthenticated', message: /401 Unauthorized.*Sign in with "codex login"/ },
  '0.171.0/no-credit': { how: 'unauthenticated', message: /Quota exceeded.*Add credit/ },
  '0.171.0/usage-limit': {
    how: 'rate-limited',
    answer: 'Half of it.',
    resetsAt: new Date(2026, 10, 28, 21, 6).toISOString(),
    message: /You’ve hit your usage limit/,
  },
  '0.171.0/usage-limit-without-reset': { how: 'rate-limited' },
  '0.171.0/too-many-requests': { how: 'overloaded', message: /429 Too Many Requests/ },
  '0.171.0/rate-limit-mid-stream': { how: 'overloaded' },
  '0.171.0/high-demand': { how: 'overloaded', message: /high demand/ },
  '0.171.0/service-unavailable': { how: 'overloaded', message: /503/ },
  '0.171.0/disconnected': { how: 'overloaded', message: /stream disconnected/ },
  '0.171.0/no-network': { how: 'overloaded', message: /waiting for network/ },
  '0.171.0/network-back': { how: 'completed', answer: COMPLETE },
  '0.171.0/context-overflow': { how: 'context-overflow', message: /ran out of room/ },
  '0.171.0/unknown-model': { how: 'not-found', message: /`nope` does not exist.*Choose another model\.$/ },
  '0.171.0/unsupported-model': { how: 'not-found', message: /Choose another model\.$/ },
  '0.171.0/content-filter': { how: 'refused', message: /content_filter/ },
  '0.171.0/refusal': { how: 'refused', answer: 'Half', message: /content_filter/ },
  '0.171.0/unknown-error': { how: 'failed', message: /Something that no table knows\.$/ },
  '0.171.0/cut-off': { how: 'failed', code: 0, answer: 'On it.', message: /without a result/ },
};

describe('what a run of Codex prints, and how its attempt ended (R-DEL-7, R-AGT-3, R-AGT-4)', () => {
  testRecordedStreams({ folder: 'codex', agent: (orders) => rig.codex(orders), brief: () => rig.brief() }, STREAMS);

  test('one that would wait for the network for ever is ended (R-AGT-4)', async () => {
    const agent = rig.codex({ steps: [{ stream: '0.171.0/no-network' }, { sleepMs: 600_000 }] });
    expect((await agent.work(rig.brief())).how).toBe('overloaded');
  });

  test('an option that it does not know stops the run, and the message names it', async () => {
    const stderr = "error: unexpected argument '--deep' found\n\nUsage: codex exec [OPTIONS] [PROMPT]\n";
    const ended = await rig.codex({ steps: [{ stderr }, { exit: 2 }] }).work(rig.brief());
    expect(ended).toMatchObject({
      how: 'not-found',
      message: expect.stringMatching(/unexpected argument '--deep' found\. Correct the arguments/),
    });
  });
});

test('a run of Codex tells what it does as it happens, and its end (R-AGT-2)', async () => {
  const events: AgentEvent[] = [];
  const brief = rig.brief({ onEvent: (event) => void events.push(event) });
  await rig.codex({ steps: [{ stream: '0.171.0/completed' }] }).work(brief);
  expect(events.filter(({ type }) => type !== 'output')).toEqual([
    { type: 'text', text: 'On it.' },
    { type: 'tool-call', tool: 'command_execution', target: "/bin/bash -lc 'npm test'" },
    { type: 'tool-call', tool: 'file_change', target: '/home/me/repo/hello.txt' },
    { type: 'text', text: COMPLETE },
    { type: 'usage', ...USAGE },
    { type: 'answer', text: COMPLETE },
    { type: 'end', how: 'completed' },
  ]);
});

test('a limit and a retry are among what it tells (R-AGT-2)', async () => {
  const told = async (stream: string) => {
    const events: AgentEvent[] = [];
    const brief = rig.brief({ onEvent: (event) => void events.push(event) });
    await rig.codex({ steps: [{ stream }, { exit: 1 }] }).work(brief);
    return events;
  };
  const resetsAt = new Date(2026, 10, 28, 21, 6).toISOString();
  expect(await told('0.171.0/usage-limit')).toContainEqual({ type: 'limit', isReached: true, resetsAt });
  const why = expect.stringMatching(/^Reconnecting\.\.\. 1\/1 \(unexpected status 503/);
  expect(await told('0.171.0/service-unavailable')).toContainEqual({ type: 'retry', why });
});

test('a run of Codex that stays after its turn is ended, and the turn counts (R-DEL-6)', async () => {
  const agent = rig.codex({ steps: [{ stream: '0.171.0/completed' }, { sleepMs: 600_000 }] });
  const ended = await agent.work(rig.brief({ limits: { wallMs: 60_000, idleMs: 1000 } }));
  expect(ended).toMatchObject({ how: 'completed', answer: COMPLETE });
});

test('it is called without a terminal and unattended, the prompt by stdin, the arguments of the user at the end (R-AGT-1, R-DEL-3)', async () => {
  const record = join(rig.dir, 'given.json');
  const given = async (options: object) => {
    await rig.codex({ steps: [{ stream: '0.171.0/completed' }], record }, options).work(rig.brief());
    return readGiven(record);
  };
  const call = await given({ model: 'gpt-9', args: ['-c', 'model_reasoning_effort="high"'] });
  expect(call.args.join(' ')).toBe(
    'exec - --json --skip-git-repo-check --model gpt-9 --dangerously-bypass-approvals-and-sandbox' +
      ' -c model_reasoning_effort="high"',
  );
  expect(call.prompt).toBe(rig.brief().prompt);
  const own = await given({ args: ['--sandbox', 'workspace-write'] });
  expect(own.args.join(' ')).toBe('exec - --json --skip-git-repo-check --sandbox workspace-write');
});

test("of the user's environment it gets its own variables and no other key (R-SEC-2)", () => {
  const env = {
    ...{ OPENAI_API_KEY: 'key', CODEX_HOME: '/c', CODEX_SANDBOX: 'seatbelt', CODEX_THREAD_ID: '1' },
    ...{ ANTHROPIC_API_KEY: 'other', GEMINI_API_KEY: 'other', GH_TOKEN: 'other' },
  };
  const allowed = allowedEnvironment(env, { pass: CODEX.variables(env).passed });
  expect(allowed).toEqual({ OPENAI_API_KEY: 'key', CODEX_HOME: '/c' });
});
