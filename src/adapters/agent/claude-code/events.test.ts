import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EMPTY_TRANSCRIPT, readLine, type Transcript, toolUseIn } from './events.ts';

function read(...events: readonly object[]): Transcript {
  return events.map((event) => JSON.stringify(event)).reduce(readLine, EMPTY_TRANSCRIPT);
}

const limit = (info: object) => ({ type: 'rate_limit_event', rate_limit_info: { resetsAt: 1795900000, ...info } });
const said = (text: string, more: object = {}) => ({
  type: 'assistant',
  message: { model: 'claude', content: [{ type: 'text', text }] },
  ...more,
});

describe('usage limits (R-DEL-7)', () => {
  test('a limit that rejects the work is kept with its reset time', () => {
    expect(read(limit({ status: 'rejected' })).limit).toEqual({ resetsAt: 1795900000 });
  });

  test('a warning is no limit', () => {
    expect(read(limit({ status: 'allowed_warning' })).limit).toBeUndefined();
  });

  test('a limit that is paid beyond is no limit', () => {
    expect(read(limit({ status: 'rejected', isUsingOverage: true })).limit).toBeUndefined();
  });
});

describe('what the model said', () => {
  test('the last text stays when a tool call follows it', () => {
    const call = {
      type: 'assistant',
      message: { model: 'claude', content: [{ type: 'tool_use', name: 'Write', input: {} }] },
    };
    expect(read(said('On it.'), call).lastText).toBe('On it.');
  });

  test('an error that was put in its place is none of its words, and is over when it speaks again', () => {
    const error = {
      type: 'assistant',
      error: 'server_error',
      message: { model: '<synthetic>', content: [{ type: 'text', text: 'API Error' }] },
    };
    expect(read(said('On it.'), error)).toMatchObject({ lastText: 'On it.', error: 'server_error' });
    expect(read(error, said('Back.'))).toMatchObject({ lastText: 'Back.', error: undefined });
  });

  test('a subagent does not speak for it', () => {
    expect(read(said('On it.'), said('I am the helper.', { parent_tool_use_id: 'toolu_1' })).lastText).toBe('On it.');
  });

  test('a text inside a tool result is not its answer (R-DEL-4)', () => {
    const result = { type: 'user', message: { content: [{ type: 'tool_result', content: 'TASK_COMPLETE' }] } };
    expect(read(said('On it.'), result).lastText).toBe('On it.');
  });
});

describe('lines that are not understood (R-DEL-6)', () => {
  const known = new Set(['assistant', 'rate_limit_event', 'result', 'system']);

  test('whatever they hold, they change nothing', () => {
    const before = read(said('On it.'), { type: 'result', subtype: 'success', is_error: false, result: 'Done.' });
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
        fc.pre(![...known].some((type) => line.includes(`"${type}"`)));
        expect(readLine(before, line)).toEqual(before);
      }),
    );
  });

  test('known events with fields of any kind are survived', () => {
    const event = fc.record({
      type: fc.constantFrom(...known),
      message: fc.jsonValue(),
      result: fc.jsonValue(),
      usage: fc.jsonValue(),
    });
    const more = fc.record({
      rate_limit_info: fc.jsonValue(),
      permission_denials: fc.jsonValue(),
      modelUsage: fc.jsonValue(),
      errors: fc.jsonValue(),
    });
    fc.assert(
      fc.property(event, more, (some, others) => {
        const transcript = read({ ...some, ...others });
        expect(typeof transcript.lastText).toBe('string');
        expect(typeof (transcript.result?.text ?? '')).toBe('string');
      }),
    );
  });

  test('an error that is no text is told as JSON, whatever its fields are called', () => {
    const error = { toString: 1, valueOf: 2 };
    expect(read({ type: 'result', errors: ['no', error] }).result?.errors).toEqual(['no', JSON.stringify(error)]);
  });

  test('a result that does not say whether it is an error is one: success has to be said', () => {
    expect(read({ type: 'result', subtype: 'success', result: 'Done.' }).result?.isError).toBe(true);
  });
});

test('the tool that the model begins to use is read with what it is used on, subagents included', () => {
  const line = (content: unknown, more: object = {}) =>
    JSON.stringify({ type: 'assistant', message: { model: 'claude', content }, ...more });
  const write = { type: 'tool_use', name: 'Write', input: { file_path: '/w/a.ts', content: 'x' } };
  expect(toolUseIn(line([{ type: 'text', text: 'Now.' }, write]))).toEqual({
    type: 'tool-call',
    tool: 'Write',
    target: '/w/a.ts',
  });
  expect(toolUseIn(line([write], { parent_tool_use_id: 'toolu_1' }))?.tool).toBe('Write');
  expect(toolUseIn(line([{ type: 'tool_use', name: 'TodoWrite', input: { todos: [] } }]))).toEqual({
    type: 'tool-call',
    tool: 'TodoWrite',
  });
  expect([line([{ type: 'text', text: 'a "tool_use"' }]), '{"tool_use', 'null "tool_use"'].map(toolUseIn)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
