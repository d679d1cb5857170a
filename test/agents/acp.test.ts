import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentEvent } from '../../src/core/agent/agent-event.ts';
import { AgentRig, type FakeAcp } from './rig.ts';

let rig: AgentRig;
beforeEach(() => {
  rig = new AgentRig();
});
afterEach(() => rig.close());

const chunk = (text: string, more: object = {}) =>
  ({ update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, ...more } }) as const;
const tool = (toolCallId: string, more: object = {}) =>
  ({ update: { sessionUpdate: 'tool_call', toolCallId, title: 'Write', kind: 'edit', ...more } }) as const;
const DONE = chunk('Done.\n\nTASK_COMPLETE\n');

/** Works on one brief; resolves with what came of it, and with all that the agent was told and seen to do. */
async function work(orders: FakeAcp, { model, env }: { model?: string; env?: Record<string, string> } = {}) {
  const record = join(rig.dir, 'told.jsonl');
  const events: AgentEvent[] = [];
  const agent = rig.acp({ ...orders, record }, { ...(model && { model }), ...(env && { env }) });
  const outcome = await agent.work(rig.brief({ onEvent: (event) => void events.push(event) }));
  const told = readFileSync(record, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { outcome, told, events: events.filter(({ type }) => type !== 'output') };
}

test('a session in the workspace: the answer is what the messages say after the last tool call (R-AGT-1, R-AGT-2)', async () => {
  const thought = {
    update: { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'TASK_COMPLETE' } },
  };
  const echo = { update: { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'TASK_COMPLETE' } } };
  const helper = chunk('TASK_COMPLETE', { _meta: { claudeCode: { parentToolUseId: 'call-0' } } });
  const { outcome, told, events } = await work({
    steps: [
      echo,
      ...[chunk('I will wr'), chunk('ite it. ')],
      tool('call-1', { locations: [{ path: '/w/a.ts' }] }),
      { update: { sessionUpdate: 'usage_update', used: 5, size: 9, cost: { amount: 0.25, currency: 'USD' } } },
      ...[thought, chunk('Done.\n\n'), helper],
      { update: { sessionUpdate: 'tool_call_update', toolCallId: 'call-1', status: 'completed' } },
      chunk('TASK_COMPLETE\n'),
      { end: { result: { stopReason: 'end_turn', usage: { inputTokens: 10, outputTokens: 5, totalTokens: 115 } } } },
    ],
  });
  expect(outcome).toMatchObject({
    how: 'completed',
    answer: 'Done.\n\nTASK_COMPLETE\n',
    usage: { inputTokens: 110, outputTokens: 5, costUsd: 0.25 },
  });
  const prompt = [{ type: 'text', text: rig.brief().prompt }];
  expect(told.map(({ method, params }) => [method, params])).toEqual([
    ['initialize', expect.objectContaining({ protocolVersion: 1 })],
    ['session/new', { cwd: rig.workspace, mcpServers: [] }],
    ['session/prompt', { sessionId: 'session-1', prompt }],
  ]);
  expect(events).toEqual([
    { type: 'text', text: 'I will write it. ' },
    { type: 'tool-call', tool: 'Write', target: '/w/a.ts' },
    { type: 'usage', costUsd: 0.25 },
    { type: 'text', text: 'TASK_COMPLETE', isHelper: true },
    { type: 'text', text: 'Done.\n\nTASK_COMPLETE\n' },
    { type: 'usage', inputTokens: 110, outputTokens: 5, costUsd: 0.25 },
    { type: 'answer', text: 'Done.\n\nTASK_COMPLETE\n' },
    { type: 'end', how: 'completed' },
  ]);
});

test('the mode that works unattended is chosen where one is offered, and a refusal of it is a warning (R-AGT-1)', async () => {
  const modes = { currentModeId: 'default', availableModes: ['default', 'plan', 'yolo'].map((id) => ({ id })) };
  const opened = { result: { sessionId: 'session-1', modes } };
  const chosen = await work({ steps: [DONE], responses: { 'session/new': opened } });
  expect(chosen.told[2]).toMatchObject({
    method: 'session/set_mode',
    params: { sessionId: 'session-1', modeId: 'yolo' },
  });
  expect(chosen.outcome).toMatchObject({ how: 'completed' });
  const refused = { error: { code: -32603, message: 'not as root' } };
  const { outcome } = await work({ steps: [DONE], responses: { 'session/new': opened, 'session/set_mode': refused } });
  expect(outcome).toMatchObject({ how: 'completed', warnings: [expect.stringContaining('not as root')] });
});

test('the model is chosen as the agent offers it; one that offers no choice cannot work with another (R-AGT-4)', async () => {
  const models = { currentModelId: 'a', availableModels: [{ modelId: 'a' }, { modelId: 'b' }] };
  const asList = { 'session/new': { result: { sessionId: 's', models } }, 'session/set_model': { result: {} } };
  expect((await work({ steps: [DONE], responses: asList }, { model: 'b' })).told[2]).toMatchObject({
    method: 'session/set_model',
    params: { sessionId: 's', modelId: 'b' },
  });
  const option = { id: 'model', category: 'model', type: 'select', currentValue: 'a', options: [{ value: 'b' }] };
  const asOption = {
    'session/new': { result: { sessionId: 's', configOptions: [option] } },
    'session/set_config_option': { error: { code: -32602, message: 'unknown model' } },
  };
  expect((await work({ steps: [DONE], responses: asOption }, { model: 'c' })).outcome).toMatchObject({
    how: 'not-found',
    message: 'The agent reports: unknown model.',
  });
  expect((await work({ steps: [DONE] }, { model: 'c' })).outcome).toMatchObject({
    how: 'not-found',
    message: expect.stringContaining('offers no choice of models'),
  });
});

test('permission is given with an option that is offered; without one the request is cancelled (R-AGT-1)', async () => {
  const ask = (...kinds: readonly string[]) => ({
    ask: {
      method: 'session/request_permission',
      params: {
        toolCall: { toolCallId: kinds.join(), title: 'Run it', kind: 'execute' },
        options: kinds.map((kind) => ({ kind, optionId: `id-${kind}`, name: kind })),
      },
    },
  });
  const { outcome, told, events } = await work({
    steps: [
      ask('reject_once', 'allow_always', 'allow_once'),
      ask('allow_always', 'reject_always'),
      ask('reject_once'),
      { ask: { method: 'fs/read_text_file', params: { path: '/etc/passwd' } } },
      { ask: { method: 'terminal/create', params: { command: 'ls' } } },
      DONE,
    ],
  });
  expect(outcome).toMatchObject({ how: 'completed', answer: 'Done.\n\nTASK_COMPLETE\n' });
  expect(told.filter(({ method }) => method === undefined)).toEqual([
    { jsonrpc: '2.0', id: 0, result: { outcome: { outcome: 'selected', optionId: 'id-allow_once' } } },
    { jsonrpc: '2.0', id: 1, result: { outcome: { outcome: 'selected', optionId: 'id-allow_always' } } },
    { jsonrpc: '2.0', id: 2, result: { outcome: { outcome: 'cancelled' } } },
    ...[3, 4].map((id) => ({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })),
  ]);
  expect(events.filter(({ type }) => type === 'denial')).toEqual([{ type: 'denial', tool: 'Run it' }]);
});

test('an agent that asks to sign in is given its key, if it has one (R-AGT-1)', async () => {
  const required = { error: { code: -32000, message: 'Authentication required' } };
  const opened = { result: { sessionId: 'session-1' } };
  const orders = { steps: [DONE], responses: { 'session/new': [required, opened] } } as unknown as FakeAcp;
  const { outcome, told } = await work(orders, { env: { OPENAI_API_KEY: 'sk-fake' } });
  expect(told.map(({ method }) => method)).toEqual([
    ...['initialize', 'session/new', 'authenticate', 'session/new', 'session/prompt'],
  ]);
  expect([outcome.how, told[2].params]).toEqual(['completed', { methodId: 'openai-api-key' }]);
  expect((await work({ steps: [DONE], responses: { 'session/new': required } })).outcome).toMatchObject({
    how: 'unauthenticated',
    message: expect.stringMatching(/^The agent reports: Authentication required\. Sign in/),
  });
});

test.each([
  [{ code: -32000, message: 'Auth required' }, { how: 'unauthenticated' }],
  [{ code: -32603, message: 'Internal error', data: { errorKind: 'rate_limit' } }, { how: 'rate-limited' }],
  [{ code: -32603, message: 'Internal error', data: { errorKind: 'server_error' } }, { how: 'overloaded' }],
  [{ code: 429, message: 'Quota exceeded' }, { how: 'rate-limited' }],
  [
    { code: -32603, message: 'Internal error: Rate limit reached', data: { errorName: 'APIError' } },
    { how: 'rate-limited' },
  ],
  [
    { code: -32603, message: 'Internal error: Incorrect API key provided', data: { errorName: 'APIError' } },
    { how: 'unauthenticated' },
  ],
  [{ code: 503, message: 'Unavailable' }, { how: 'overloaded' }],
  [{ code: -32603, message: 'x', data: { codex_error_info: 'context_window_exceeded' } }, { how: 'context-overflow' }],
  [{ code: -32603, message: 'x', data: { codex_error_info: { http_connection_failed: {} } } }, { how: 'overloaded' }],
  [
    {
      code: -32603,
      message: 'Internal error',
      data: { codex_error_info: 'usage_limit_exceeded', message: 'try again in 2 hours' },
    },
    { how: 'rate-limited', resetsAt: expect.stringMatching(/Z$/) },
  ],
  [
    { code: -32603, message: 'Internal error', data: { details: 'Reached maximum number of turns (3)' } },
    { how: 'failed', message: 'The agent reports: Internal error: Reached maximum number of turns (3).' },
  ],
])('an error of the agent is told apart by its code and name: %j (R-DEL-7, R-AGT-4)', async (error, expected) => {
  const { outcome } = await work({ steps: [chunk('HTTP 429 rate_limit usage limit'), { end: { error } }] });
  expect(outcome).toMatchObject(expected);
});

test.each([
  ['refusal', 'refused'],
  ['max_tokens', 'failed'],
  ['max_turn_requests', 'failed'],
  ['cancelled', 'failed'],
  ['an_end_of_tomorrow', 'failed'],
])('an end by %s is no completion (R-DEL-7)', async (stopReason, how) => {
  const { outcome } = await work({ steps: [DONE, { end: { result: { stopReason } } }] });
  expect(outcome).toMatchObject({ how, message: expect.stringMatching(/\.$/) });
});

test('an agent that leaves before the end of its turn has failed, whatever its exit code (R-DEL-7)', async () => {
  expect((await work({ steps: [DONE, { exit: 0 }] })).outcome).toMatchObject({ how: 'failed' });
});

test('one that stays after its answer is ended, and its answer counts (R-DEL-6)', async () => {
  expect((await work({ steps: [DONE], stays: true })).outcome).toMatchObject({ how: 'completed' });
});

test('at a limit its turn is cancelled before any signal (R-DEL-6)', async () => {
  const record = join(rig.dir, 'told.jsonl');
  const cancelled = { end: { result: { stopReason: 'cancelled' } } };
  const agent = rig.acp({ steps: [DONE, { awaitCancel: true }, cancelled], record });
  const outcome = await agent.work(rig.brief({ limits: { wallMs: 1500, idleMs: 60_000 } }));
  expect(outcome).toMatchObject({ how: 'timed-out', answer: 'Done.\n\nTASK_COMPLETE\n' });
  expect(readFileSync(record, 'utf8')).toContain('"method":"session/cancel"');
});

test('another version of the protocol cannot be spoken, which is reported (R-AGT-1)', async () => {
  const { outcome } = await work({ steps: [], responses: { initialize: { result: { protocolVersion: 2 } } } });
  expect(outcome).toMatchObject({
    how: 'not-found',
    message: 'The agent speaks version 2 of the Agent Client Protocol, and specloop version 1.',
  });
});

test('a program that never responds is no agent of this protocol, which is reported well before its silence limit (R-AGT-4)', async () => {
  const brief = rig.brief({ limits: { wallMs: 60_000, idleMs: 1000 } });
  const outcome = await rig.acp({ steps: [] }, { program: '/bin/sleep', args: ['600'] }).work(brief);
  expect(outcome).toMatchObject({ how: 'not-found', message: expect.stringContaining('--acp or acp') });
});
