import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../../core/agent/agent-event.ts';
import { type ClaudeTranscript, EMPTY_CLAUDE_TRANSCRIPT, readLine } from './events.ts';

function read(...events: readonly object[]): ClaudeTranscript {
  return readLines(events.map((event) => JSON.stringify(event))).transcript;
}

function readLines(lines: readonly string[]): { transcript: ClaudeTranscript; events: readonly AgentEvent[] } {
  const told: AgentEvent[] = [];
  const transcript = lines.reduce((before, line) => {
    const after = readLine(before, line);
    told.push(...after.events);
    return after.transcript;
  }, EMPTY_CLAUDE_TRANSCRIPT);
  return { transcript, events: told };
}

const eventsOf = (...events: readonly object[]) => readLines(events.map((event) => JSON.stringify(event))).events;

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
        expect(readLine(before, line).transcript).toBe(before);
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

  test('an error that is no text is reported as JSON, whatever its fields are called', () => {
    const error = { toString: 1, valueOf: 2 };
    expect(read({ type: 'result', errors: ['no', error] }).result?.errors).toEqual(['no', JSON.stringify(error)]);
  });

  test('a result that does not say whether it is an error is one: success has to be said', () => {
    expect(read({ type: 'result', subtype: 'success', result: 'Done.' }).result?.isError).toBe(true);
  });
});

describe('what is reported as it happens (R-AGT-2)', () => {
  const message = (content: readonly object[], more: object = {}) => ({
    type: 'assistant',
    message: { model: 'claude', content },
    ...more,
  });
  const write = { type: 'tool_use', name: 'Write', input: { file_path: '/w/a.ts', content: 'x' } };

  test('texts and the tools that the model begins to use, with what they are used on', () => {
    expect(eventsOf(message([{ type: 'text', text: 'Now.' }, write]))).toEqual([
      { type: 'text', text: 'Now.' },
      { type: 'tool-call', tool: 'Write', target: '/w/a.ts' },
    ]);
    expect(eventsOf(message([{ type: 'tool_use', name: 'TodoWrite', input: { todos: [] } }]))).toEqual([
      { type: 'tool-call', tool: 'TodoWrite' },
    ]);
    expect(eventsOf(message([{ type: 'thinking', thinking: 'TASK_COMPLETE' }]))).toEqual([]);
  });

  test("a sub-agent's texts and tools are marked, and are not the session's own words", () => {
    const helper = { parent_tool_use_id: 'toolu_1' };
    const event = message([{ type: 'text', text: 'TASK_COMPLETE' }, write], helper);
    expect(eventsOf(event)).toEqual([
      { type: 'text', text: 'TASK_COMPLETE', isHelper: true },
      { type: 'tool-call', tool: 'Write', target: '/w/a.ts', isHelper: true },
    ]);
    expect(read(event).lastText).toBe('');
  });

  test('a text that the program made up for an error is none of the model', () => {
    expect(eventsOf({ ...said('API Error: 500'), error: 'server_error' })).toEqual([]);
  });

  test('a limit that is near, a denial and a retry', () => {
    expect(
      eventsOf(
        limit({ status: 'allowed_warning' }),
        { type: 'system', subtype: 'permission_denied', tool_name: 'Bash' },
        { type: 'system', subtype: 'api_retry', attempt: 1, error_status: 529, error: 'overloaded' },
        {
          type: 'result',
          is_error: false,
          result: 'x',
          permission_denials: [{ tool_name: 'Bash' }, { tool_name: 'Write' }],
        },
      ),
    ).toEqual([
      { type: 'limit', isReached: false, resetsAt: '2026-11-28T21:06:40.000Z' },
      { type: 'denial', tool: 'Bash' },
      { type: 'retry', why: 'overloaded 529' },
      { type: 'denial', tool: 'Write' },
    ]);
  });

  test('lines that are no event tell nothing and change nothing', () => {
    const lines = ['{"tool_use', 'null', '42', '"assistant"', JSON.stringify({ type: 'an_event_of_tomorrow' })];
    expect(readLines(lines)).toEqual({ transcript: EMPTY_CLAUDE_TRANSCRIPT, events: [] });
  });
});
