import type { Usage } from '../../../ports/agent.ts';
import { fields, type JsonFields, number, parseFields, string } from '../json-fields.ts';
import { EMPTY_TRANSCRIPT, type ReadLine, type Transcript } from '../stream-agent.ts';
import { targetIn } from '../tool-target.ts';

/** What is known from the lines of `gemini --output-format stream-json` read so far. */
export interface GeminiTranscript extends Transcript {
  /** How it ended, in its own words; `undefined` while it works. */
  readonly result: { readonly status: string; readonly error: string } | undefined;
  /** The last `error` event of the severity `error`: a result may come without the reason. */
  readonly error: string | undefined;
  /** The tools that are in use, by their calls: a refusal names only the call. */
  readonly tools: Readonly<Record<string, string>>;
}

export const EMPTY_GEMINI_TRANSCRIPT: GeminiTranscript = {
  ...EMPTY_TRANSCRIPT,
  result: undefined,
  error: undefined,
  tools: {},
};

/** Takes one line of `--output-format stream-json`. Lines and events that are not known change nothing. */
export function readLine(transcript: GeminiTranscript, line: string): ReadLine<GeminiTranscript> {
  const event = parseFields(line);
  switch (event.type) {
    case 'message':
      return withMessage(transcript, event);
    case 'tool_use':
      return withTool(transcript, event);
    case 'tool_result':
      return withToolResult(transcript, event);
    case 'error':
      if (event.severity !== 'error') return { transcript, events: [] };
      return { transcript: { ...transcript, error: string(event.message) }, events: [] };
    case 'result': {
      const error = string(fields(event.error).message) ?? transcript.error ?? '';
      const result = { status: string(event.status) ?? '', error };
      return { transcript: { ...transcript, at: 'rest', result, usage: usageOf(fields(event.stats)) }, events: [] };
    }
    default:
      return { transcript, events: [] };
  }
}

/** It prints its prompt too, as the message of a user. Its own messages come in pieces. */
function withMessage(transcript: GeminiTranscript, event: JsonFields): ReadLine<GeminiTranscript> {
  const text = string(event.content) ?? '';
  if (event.role !== 'assistant' || text === '') return { transcript, events: [] };
  const answer = transcript.answer + text;
  return { transcript: { ...transcript, at: 'work', answer, lastText: answer }, events: [{ type: 'text', text }] };
}

/** The answer is what it says after its last tool. */
function withTool(transcript: GeminiTranscript, event: JsonFields): ReadLine<GeminiTranscript> {
  const tool = string(event.tool_name) ?? 'a tool';
  const call = string(event.tool_id);
  const tools = call === undefined ? transcript.tools : { ...transcript.tools, [call]: tool };
  return {
    transcript: { ...transcript, at: 'work', answer: '', tools },
    events: [{ type: 'tool-call', tool, ...targetIn(fields(event.parameters)) }],
  };
}

function withToolResult(transcript: GeminiTranscript, event: JsonFields): ReadLine<GeminiTranscript> {
  const call = string(event.tool_id) ?? '';
  const { [call]: tool = 'a tool', ...tools } = transcript.tools;
  const after = { ...transcript, tools };
  if (!isDenied(tool, string(fields(event.error).type)) || after.denials.includes(tool))
    return { transcript: after, events: [] };
  return {
    transcript: { ...after, denials: [...after.denials, tool] },
    events: [{ type: 'denial', tool }],
  };
}

/** Tools of its own that it takes away where it may not ask whether they are allowed. */
const ASKED_FOR = ['run_shell_command', 'write_file', 'replace', 'web_fetch'];

function isDenied(tool: string, error: string | undefined): boolean {
  return error === 'policy_violation' || (error === 'tool_not_registered' && ASKED_FOR.includes(tool));
}

/** Tokens of the whole session; those from a cache are among the input. */
function usageOf(stats: JsonFields): Usage {
  const inputTokens = number(stats.input_tokens);
  const outputTokens = number(stats.output_tokens);
  return { ...(inputTokens !== undefined && { inputTokens }), ...(outputTokens !== undefined && { outputTokens }) };
}
