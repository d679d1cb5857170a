import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OPENCODE } from '../../src/adapters/agent/opencode/opencode.ts';
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

/** Every recorded stream, and what it means. */
const STREAMS: Readonly<Record<string, ExpectedEnd>> = {
  '1.18.33/completed': {
    how: 'completed',
    answer: COMPLETE,
    usage: { inputTokens: 240, outputTokens: 45, costUsd: 0.0012 },
  },
  '1.18.33/task-by-a-tool': { how: 'completed', answer: 'Wrote it.\n\nTASK_COMPLETE' },
  '1.18.33/recovered-after-error': { how: 'completed', answer: COMPLETE },
  '1.18.33/synthetic-text': { how: 'completed', answer: 'I have a plan.' },
  '1.18.33/signal-before-last-tool': { how: 'failed', code: 0, answer: COMPLETE, message: /empty answer/ },
  '1.18.33/helper-session': {
    how: 'completed',
    answer: 'The helper is through.',
    usage: { inputTokens: 300, outputTokens: 60 },
  },
  '1.18.33/rejected-permission': { how: 'completed', answer: 'I need to look outside.', denials: ['bash'] },
  '1.18.33/denied-by-rule': { how: 'completed', answer: COMPLETE, denials: ['bash'] },
  '1.18.33/tool-taken-away': { how: 'completed', answer: 'I may not run it.', denials: ['bash'] },
  '1.18.33/ended-within-tools': { how: 'failed', code: 0, message: /before its last step ended/ },
  '1.18.33/empty-answer': { how: 'failed', code: 0, message: /empty answer/ },
  '1.18.33/too-long-answer': { how: 'failed', code: 0, answer: 'abc', message: /longest answer/ },
  '1.18.33/refusal': { how: 'refused', message: /content filter\.$/ },
  '1.18.33/content-filter-without-error': { how: 'refused', code: 0 },
  '1.18.33/invalid-key': { how: 'unauthenticated', message: /Incorrect API key.*opencode auth login/ },
  '1.18.33/no-key': { how: 'unauthenticated', message: /API key is missing.*opencode auth login/ },
  '1.18.33/unknown-model': { how: 'not-found', message: /does not exist.*Choose another model/ },
  '1.18.33/usage-limit': { how: 'rate-limited', resetsAt: '2026-11-28T21:06:40.000Z' },
  '1.18.33/too-many-requests': { how: 'rate-limited', message: /Rate limit reached\.$/ },
  '1.18.33/overloaded': { how: 'overloaded', message: /overloaded\.$/ },
  '1.18.33/unreachable': { how: 'overloaded', message: /Unable to connect/ },
  '1.18.33/context-overflow': { how: 'context-overflow', message: /maximum context length/ },
  '1.18.33/context-overflow-loop': { how: 'context-overflow', code: 0, message: /exceeds the maximum/ },
  '1.18.33/context-overflow-between-tools': { how: 'completed', answer: COMPLETE },
  '1.18.33/cut-off-after-compaction': { how: 'failed', code: 0, message: /empty answer/ },
  '1.18.33/context-overflow-then-fine': { how: 'completed', answer: COMPLETE },
  '1.18.33/cut-off': { how: 'failed', code: 0, answer: 'On it.', message: /before its last step ended/ },
};

describe('what a run of opencode prints, and how its attempt ended (R-DEL-7, R-AGT-3, R-AGT-4)', () => {
  testRecordedStreams(
    { folder: 'opencode', agent: (orders) => rig.opencode(orders), brief: () => rig.brief() },
    STREAMS,
  );

  test('a conversation that stays too long is ended by us, as it would be sent again for ever', async () => {
    const agent = rig.opencode({ steps: [{ stream: '1.18.33/context-overflow' }, { sleepMs: 600_000 }] });
    expect((await agent.work(rig.brief())).how).toBe('context-overflow');
  });

  test('its help in place of work means an argument that it does not know', async () => {
    const ended = await rig
      .opencode({ steps: [{ stderr: 'opencode run [message..]\n\nrun opencode with a message\n' }, { exit: 1 }] })
      .work(rig.brief());
    expect(ended).toMatchObject({ how: 'not-found', message: expect.stringContaining('Correct the arguments') });
  });
});

test('a run of opencode tells what it does as it happens, and what was spent until then (R-AGT-2)', async () => {
  const told = async (stream: string) => {
    const events: AgentEvent[] = [];
    await rig
      .opencode({ steps: [{ stream }] })
      .work(rig.brief({ onEvent: (event) => void (event.type === 'output' || events.push(event)) }));
    return events;
  };
  expect(await told('1.18.33/completed')).toEqual([
    { type: 'text', text: 'On it.' },
    { type: 'tool-call', tool: 'write', target: '/home/me/repo/hello.txt' },
    { type: 'usage', inputTokens: 140, outputTokens: 25, costUsd: 0.0006 },
    { type: 'text', text: COMPLETE },
    { type: 'usage', inputTokens: 240, outputTokens: 45, costUsd: 0.0012 },
    { type: 'usage', inputTokens: 240, outputTokens: 45, costUsd: 0.0012 },
    { type: 'answer', text: COMPLETE },
    { type: 'end', how: 'completed' },
  ]);
  expect(await told('1.18.33/helper-session')).toContainEqual({ type: 'text', text: 'TASK_COMPLETE', isHelper: true });
  expect(await told('1.18.33/rejected-permission')).toContainEqual({ type: 'denial', tool: 'bash' });
});

test('it is called without a terminal and unattended, the prompt by stdin (R-AGT-1, R-DEL-3)', async () => {
  const record = join(rig.dir, 'given.json');
  const options = { model: 'fake/model-9', args: ['--variant', 'high'] };
  await rig.opencode({ steps: [{ stream: '1.18.33/completed' }], record }, options).work(rig.brief());
  const given = readGiven(record);
  expect(given.args.join(' ')).toBe('run --format json --auto --model fake/model-9 --variant high');
  expect(given.prompt).toBe(rig.brief().prompt);
});

test("of the user's environment it gets its own variables and no key of a provider; those it may miss (R-SEC-2)", () => {
  const env = {
    ...{ OPENCODE_CONFIG: '/c.json', XDG_DATA_HOME: '/d', OPENCODE: '1', OPENCODE_PID: '7' },
    ...{ ANTHROPIC_API_KEY: 'other', GH_TOKEN: 'other' },
  };
  const { passed, missed } = OPENCODE.variables(env);
  expect(allowedEnvironment(env, { pass: passed })).toEqual({ OPENCODE_CONFIG: '/c.json', XDG_DATA_HOME: '/d' });
  expect(missed).toContain('*_API_KEY');
});

test('the MCP server of an attempt is put into the settings that the user gives it in a variable (R-AGT-9)', async () => {
  const settings = JSON.stringify({ model: 'own/model', mcp: { other: { type: 'remote' } } });
  const record = join(rig.dir, 'given.json');
  const agent = rig.opencode({ record, steps: [] }, { env: { OPENCODE_CONFIG_CONTENT: settings } });
  const tools = { command: 'node', args: ['cli.js', 'mcp'], env: { TOKEN: 't' }, folder: rig.dir };
  await agent.work(rig.brief({ tools }));
  expect(JSON.parse(readGiven(record).env.OPENCODE_CONFIG_CONTENT ?? '')).toEqual({
    model: 'own/model',
    mcp: {
      other: { type: 'remote' },
      specloop: { type: 'local', command: ['node', 'cli.js', 'mcp'], environment: { TOKEN: 't' }, enabled: true },
    },
  });
});
