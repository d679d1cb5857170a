import type { AgentEvent } from '../../../core/agent/agent-event.ts';
import type { Usage } from '../../../ports/agent.ts';
import { fields, type JsonFields, number, parseFields, string, total } from '../json-fields.ts';
import { EMPTY_TRANSCRIPT, type ReadLine, type Transcript } from '../stream-agent.ts';
import { targetIn } from '../tool-target.ts';

/** An `error` event, in the program's own words. It is no end: the work may go on after it. */
export interface OpencodeError {
  readonly name: string;
  readonly message: string;
  /** HTTP status of the model's service. */
  readonly status: number | undefined;
  /** What the service sent with it, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What is known from the lines of `opencode run --format json` read so far. */
export interface OpencodeTranscript extends Transcript {
  /** The session that was begun first: another is one of its helpers. */
  readonly session: string | undefined;
  /** Why its last step ended; `undefined` while a step is under way. */
  readonly reason: string | undefined;
  /** The last error since a step ended. */
  readonly error: OpencodeError | undefined;
  /** How often the conversation was too long for the model since it last used a tool. */
  readonly overflows: number;
}

export const EMPTY_OPENCODE_TRANSCRIPT: OpencodeTranscript = {
  ...EMPTY_TRANSCRIPT,
  session: undefined,
  reason: undefined,
  error: undefined,
  overflows: 0,
};

/** Takes one line of `--format json`. Lines and events that are not known change nothing. */
export function readLine(before: OpencodeTranscript, line: string): ReadLine<OpencodeTranscript> {
  const event = parseFields(line);
  const session = string(event.sessionID);
  const transcript = before.session === undefined && session !== undefined ? { ...before, session } : before;
  const isHelper = session !== undefined && session !== transcript.session;
  const part = fields(event.part);
  switch (event.type) {
    case 'step_start':
      if (isHelper) return { transcript, events: [] };
      return { transcript: { ...transcript, at: 'work', answer: '', reason: undefined }, events: [] };
    case 'text':
      return withText(transcript, part, isHelper);
    case 'tool_use':
      return withTool(transcript, part, isHelper);
    case 'step_finish':
      return withStep(transcript, part, isHelper);
    case 'error':
      return isHelper ? { transcript, events: [] } : withError(transcript, fields(event.error));
    default:
      return { transcript, events: [] };
  }
}

/**
 * The answer is what is said in the last step. A synthetic text is the program's own: with one it goes on after it has made
 * a conversation shorter, which looks like a last step.
 */
function withText(transcript: OpencodeTranscript, part: JsonFields, isHelper: boolean): ReadLine<OpencodeTranscript> {
  const text = string(part.text) ?? '';
  if (part.ignored === true || text === '') return { transcript, events: [] };
  if (part.synthetic === true)
    return { transcript: isHelper ? transcript : { ...transcript, at: 'work', answer: '' }, events: [] };
  if (isHelper) return { transcript, events: [{ type: 'text', text, isHelper }] };
  const answer = transcript.answer + text;
  return { transcript: { ...transcript, answer, lastText: answer }, events: [{ type: 'text', text }] };
}

/** How the two ways begin in which a tool is refused: by the answer to a question, and by a rule. */
const DENIED = /^(The user rejected permission|The user has specified a rule which prevents)/;

/** Tools of its own that it takes away where a rule denies all of their uses. A call of such a tool is reported as `invalid`. */
const TAKEN_AWAY = ['bash', 'edit', 'write', 'patch', 'webfetch', 'task'];

function withTool(transcript: OpencodeTranscript, part: JsonFields, isHelper: boolean): ReadLine<OpencodeTranscript> {
  const tool = string(part.tool) ?? 'a tool';
  const state = fields(part.state);
  const input = fields(state.input);
  const use: AgentEvent = { type: 'tool-call', tool, ...targetIn(input), ...(isHelper && { isHelper }) };
  const denied = deniedBy(tool, state, input);
  if (denied === undefined || transcript.denials.includes(denied)) return { transcript, events: [use] };
  return {
    transcript: { ...transcript, denials: [...transcript.denials, denied] },
    events: [use, { type: 'denial', tool: denied }],
  };
}

/** The tool that was not allowed in this call. */
function deniedBy(tool: string, state: JsonFields, input: JsonFields): string | undefined {
  if (state.status === 'error' && DENIED.test(string(state.error) ?? '')) return tool;
  const wanted = string(input.tool);
  return tool === 'invalid' && wanted !== undefined && TAKEN_AWAY.includes(wanted) ? wanted : undefined;
}

/** A step's tokens and cost are its own; a helper's are spent too. */
function withStep(transcript: OpencodeTranscript, part: JsonFields, isHelper: boolean): ReadLine<OpencodeTranscript> {
  const usage = sumOf(transcript.usage, part);
  const events: readonly AgentEvent[] = [{ type: 'usage', ...usage }];
  if (isHelper) return { transcript: { ...transcript, usage }, events };
  const reason = string(part.reason) ?? '';
  const at = GOES_ON.includes(reason) ? 'work' : 'rest';
  const overflows = reason === 'tool-calls' ? 0 : transcript.overflows;
  return { transcript: { ...transcript, at, reason, error: undefined, overflows, usage }, events };
}

/** Reasons after which it begins another step. */
const GOES_ON = ['tool-calls', 'unknown'];

function sumOf(before: Usage, part: JsonFields): Usage {
  const tokens = fields(part.tokens);
  const cost = number(part.cost);
  const cache = total(fields(tokens.cache), ['read', 'write']) ?? 0;
  const input = (number(tokens.input) ?? 0) + cache;
  const output = total(tokens, ['output', 'reasoning']) ?? 0;
  return {
    inputTokens: (before.inputTokens ?? 0) + input,
    outputTokens: (before.outputTokens ?? 0) + output,
    ...((cost ?? before.costUsd) !== undefined && { costUsd: (before.costUsd ?? 0) + (cost ?? 0) }),
  };
}

const OVERFLOW = 'ContextOverflowError';

/** It makes a conversation shorter that is too long for the model; one that stays too long it would send again for ever. */
function withError(transcript: OpencodeTranscript, error: JsonFields): ReadLine<OpencodeTranscript> {
  const data = fields(error.data);
  const name = string(error.name) ?? '';
  const overflows = transcript.overflows + (name === OVERFLOW ? 1 : 0);
  const headers = Object.entries(fields(data.responseHeaders)).map(([key, value]) => [key.toLowerCase(), `${value}`]);
  const told: OpencodeError = {
    name,
    message: string(data.message) ?? string(error.message) ?? name,
    status: number(data.statusCode),
    headers: Object.fromEntries(headers),
  };
  return { transcript: { ...transcript, at: overflows > 1 ? 'over' : 'work', error: told, overflows }, events: [] };
}
