import type { ToolCall } from '../../../core/agent/agent-event.ts';
import { fields, type JsonFields, list, string } from '../json-fields.ts';
import { targetIn } from '../tool-target.ts';

/** The name of the tool in a tool call; some agents have it apart from the title that they show. */
export function toolOf(call: JsonFields): string {
  return string(metaOf(call).toolName) ?? string(call.title) ?? string(call.kind) ?? 'a tool';
}

/** The beginning of a tool's use, as an event. */
export function toolCallOf(call: JsonFields): ToolCall {
  const place = string(fields(list(call.locations)[0]).path);
  return {
    type: 'tool-call',
    tool: toolOf(call),
    ...(place === undefined ? targetIn(fields(call.rawInput)) : { target: place }),
    ...(isOfHelper(call) && { isHelper: true }),
  };
}

/** Whether a helper of the agent did it (R-AGT-2). The protocol has no word for that; one agent tells it in its extensions. */
export function isOfHelper(update: JsonFields): boolean {
  return string(metaOf(update).parentToolUseId) !== undefined;
}

function metaOf({ _meta: meta }: JsonFields): JsonFields {
  return fields(fields(meta).claudeCode);
}
