import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GEMINI } from '../../src/adapters/agent/gemini/gemini.ts';
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

/** Every recorded stream, and what it means. The exit code of an error is the status of its service, as far as it fits into a byte. */
const STREAMS: Readonly<Record<string, ExpectedEnd>> = {
  '0.61.0/completed': { how: 'completed', answer: COMPLETE, usage: USAGE },
  '0.61.0/task-by-a-tool': { how: 'completed', answer: 'Wrote it.\n\nTASK_COMPLETE', usage: USAGE },
  '0.61.0/failed-tool': { how: 'completed', answer: COMPLETE },
  '0.61.0/denied-tool': { how: 'completed', answer: 'I may not run it.', denials: ['run_shell_command'] },
  '0.61.0/tool-taken-away': { how: 'completed', answer: 'I may not run it.', denials: ['run_shell_command'] },
  '0.61.0/signal-before-last-tool': { how: 'failed', code: 0, message: /empty answer/ },
  '0.61.0/no-message': { how: 'failed', code: 0, message: /empty answer/ },
  '0.61.0/no-tokens': { how: 'failed', code: 0, message: /without asking its model/ },
  '0.61.0/prompt-too-long-locally': { how: 'failed', code: 0, answer: '' },
  '0.61.0/invalid-key': { how: 'unauthenticated', code: 145, message: /Incorrect API key provided.*GEMINI_API_KEY/ },
  '0.61.0/invalid-key-as-bad-request': { how: 'unauthenticated', code: 144 },
  '0.61.0/forbidden': { how: 'unauthenticated', code: 147 },
  '0.61.0/unknown-model': { how: 'not-found', code: 148, message: /models\/nope is not found.*Choose another model/ },
  '0.61.0/daily-quota': { how: 'rate-limited', code: 173, message: /daily quota/ },
  '0.61.0/daily-quota-with-advice': { how: 'rate-limited', code: 173, message: /daily quota on this model\.$/ },
  '0.61.0/refusal': { how: 'refused', code: 1, message: /blocked due to safety settings\.$/ },
  '0.61.0/unknown-model-without-status': { how: 'not-found', code: 1, message: /`nope` does not exist/ },
  '0.61.0/nested-error': { how: 'unauthenticated', code: 144, message: /API key not valid/ },
  '0.61.0/too-many-requests': { how: 'overloaded', code: 173 },
  '0.61.0/overloaded': { how: 'overloaded', code: 247, answer: 'Half a', message: /The model is overloaded/ },
  '0.61.0/service-unavailable': { how: 'overloaded', code: 247, message: /overloaded\.$/ },
  '0.61.0/disconnected': { how: 'overloaded', code: 1, message: /fetch failed/ },
  '0.61.0/internal': { how: 'overloaded', code: 244 },
  '0.61.0/context-overflow': { how: 'context-overflow', code: 144, message: /input token count/ },
  '0.61.0/bad-request': { how: 'failed', code: 144, message: /Unsupported value\.$/ },
  '0.61.0/cut-off': { how: 'failed', code: 0, message: /without a result/ },
};

describe('what a session of Gemini CLI prints, and how its attempt ended (R-DEL-7, R-AGT-3, R-AGT-4)', () => {
  testRecordedStreams({ folder: 'gemini', agent: (orders) => rig.gemini(orders), brief: () => rig.brief() }, STREAMS);

  test.each([
    [41, 'Please set an Auth method in your .gemini/settings.json', 'unauthenticated', /Auth method.*GEMINI_API_KEY/],
    [42, 'No input provided via stdin.', 'failed', /code 42: No input/],
    [52, 'Invalid settings.', 'not-found', /Correct the settings/],
    [53, 'Reached max session turns for this session.', 'failed', /maxSessionTurns/],
    [55, 'Gemini CLI is not running in a trusted directory.', 'not-found', /Trust this folder/],
    [1, 'Unknown argument: deep', 'not-found', /Unknown argument: deep\. Correct the arguments/],
  ])('with exit code %i and the words "%s" it is %s', async (exit, stderr, how, message) => {
    const ended = await rig.gemini({ steps: [{ stderr: `${stderr}\n` }, { exit }] }).work(rig.brief());
    expect(ended).toMatchObject({ how, message: expect.stringMatching(message) });
  });
});

test('a session of Gemini CLI tells what it does as it happens; its prompt is no text of its own (R-AGT-2)', async () => {
  const told = async (stream: string) => {
    const events: AgentEvent[] = [];
    await rig
      .gemini({ steps: [{ stream }] })
      .work(rig.brief({ onEvent: (event) => void (event.type === 'output' || events.push(event)) }));
    return events;
  };
  expect(await told('0.61.0/completed')).toEqual([
    { type: 'text', text: 'On it.' },
    { type: 'tool-call', tool: 'write_file', target: '/home/me/repo/hello.txt' },
    { type: 'text', text: 'Done.\n\nTASK_' },
    { type: 'text', text: 'COMPLETE' },
    { type: 'usage', ...USAGE },
    { type: 'answer', text: COMPLETE },
    { type: 'end', how: 'completed' },
  ]);
  expect(await told('0.61.0/denied-tool')).toContainEqual({ type: 'denial', tool: 'run_shell_command' });
});

test('it is called without a terminal and unattended, in one process, in a folder that is trusted (R-AGT-1, R-DEL-3)', async () => {
  const record = join(rig.dir, 'given.json');
  const given = async (options: object) => {
    await rig.gemini({ steps: [{ stream: '0.61.0/completed' }], record }, options).work(rig.brief());
    return readGiven(record);
  };
  const call = await given({ model: 'gemini-9', args: ['--extensions', 'none'] });
  expect(call.args.join(' ')).toBe('--output-format stream-json --model gemini-9 --yolo --extensions none');
  expect(call.prompt).toBe(rig.brief().prompt);
  expect(call.env).toMatchObject({ GEMINI_CLI_NO_RELAUNCH: 'true', GEMINI_CLI_TRUST_WORKSPACE: 'true' });
  const own = await given({ args: ['--approval-mode=auto_edit'] });
  expect(own.args.join(' ')).toBe('--output-format stream-json --approval-mode=auto_edit');
});

test("of the user's environment it gets its own variables and no other key (R-SEC-2)", () => {
  const env = {
    ...{ GEMINI_API_KEY: 'key', GOOGLE_CLOUD_PROJECT: 'p', GEMINI_CLI: '1' },
    ...{ ANTHROPIC_API_KEY: 'other', OPENAI_API_KEY: 'other', GOOGLE_APPLICATION_CREDENTIALS: '/secret.json' },
  };
  const allowed = allowedEnvironment(env, { pass: GEMINI.variables(env).passed });
  expect(allowed).toEqual({ GEMINI_API_KEY: 'key', GOOGLE_CLOUD_PROJECT: 'p' });
});
