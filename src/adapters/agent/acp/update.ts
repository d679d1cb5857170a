import type { Usage } from '../../../core/agent/agent-end.ts';
import { fields, type JsonFields, number, string } from '../json-fields.ts';
import { ANSWER_BYTES_MAX, boundedAnswer } from '../printed.ts';
import type { ReadLine } from '../stream-agent.ts';
import type { Conversation } from './state.ts';
import { isOfHelper, toolCallOf } from './tool.ts';

/** What an agent prints as a message of its own when its mode was changed. */
const MODE_NOTICE = /^\[MODE_UPDATE\] [\w-]+\s*$/;

/**
 * Takes what the agent tells of its work (R-AGT-2). The answer is what its messages say after the last tool call; its
 * thoughts, echoes of the prompt and its helpers' words are none.
 */
export function readUpdate(now: Conversation, update: JsonFields): ReadLine<Conversation> {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      return said(now, update);
    case 'tool_call':
    case 'tool_call_update':
      return toolSeen(now, update);
    case 'usage_update':
      return spent(now, fields(update.cost));
    default:
      return { transcript: now, events: [] };
  }
}

function said(now: Conversation, update: JsonFields): ReadLine<Conversation> {
  const text = string(fields(update.content).text) ?? '';
  if (text === '' || MODE_NOTICE.test(text)) return { transcript: now, events: [] };
  if (isOfHelper(update)) return { transcript: now, events: [{ type: 'text', text, isHelper: true }] };
  const all = now.answer + text;
  const answer = all.length > 2 * ANSWER_BYTES_MAX ? boundedAnswer(all, now.subject.keepLine) : all;
  return { transcript: { ...now, answer, lastText: answer }, events: [] };
}

/** Some agents begin with a request for permission or an update: a call whose id is new begins. */
function toolSeen(now: Conversation, update: JsonFields): ReadLine<Conversation> {
  const id = string(update.toolCallId) ?? '';
  if (now.tools.has(id)) return { transcript: now, events: [] };
  const tools = new Set([...now.tools, id]);
  const call = toolCallOf(update);
  if (call.isHelper) return { transcript: { ...now, tools }, events: [call] };
  const events = now.answer === '' ? [call] : [{ type: 'text', text: now.answer } as const, call];
  return { transcript: { ...now, tools, answer: '' }, events };
}

/** The cost of the whole session so far. */
function spent(now: Conversation, { amount, currency }: JsonFields): ReadLine<Conversation> {
  const costUsd = currency === 'USD' ? number(amount) : undefined;
  if (costUsd === undefined) return { transcript: now, events: [] };
  const usage = { ...now.usage, costUsd };
  return { transcript: { ...now, usage }, events: [{ type: 'usage', ...usage }] };
}

/**
 * The tokens of a turn, as its result tells them. The sum of all counts those from a cache, which some agents leave out of
 * the input. One agent tells them in its extensions.
 */
export function usageIn(result: JsonFields): Usage {
  const { inputTokens, outputTokens, totalTokens } = fields(result.usage);
  const quota = fields(fields(fields(result._meta).quota).token_count);
  const output = number(outputTokens) ?? number(quota.output_tokens);
  const input = number(inputTokens) ?? number(quota.input_tokens);
  const total = number(totalTokens);
  const read = total === undefined || output === undefined ? input : Math.max(input ?? 0, total - output);
  return {
    ...(read !== undefined && { inputTokens: read }),
    ...(output !== undefined && { outputTokens: output }),
  };
}
