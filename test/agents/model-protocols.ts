import type { Failure, ModelRequest, Turn } from './model-server.ts';

/** A protocol that a service of models speaks. */
export interface ModelProtocol {
  /** Whether a request to this path asks for a turn of the model. */
  isAsked(path: string): boolean;
  /** Whether the model may use tools: it may in the work itself, and not in side requests for titles and the like. */
  offersTools(request: ModelRequest): boolean;
  /** A turn as it is streamed, in frames. `n` makes its ids unique. */
  frames(request: ModelRequest, turn: Turn, n: number): readonly string[];
  /** What a failure is sent as. */
  failure(failure: Failure): object;
}

/** The Messages protocol of Anthropic. */
export const ANTHROPIC: ModelProtocol = {
  isAsked: (path) => path.startsWith('/v1/messages?'),
  offersTools: ({ tools }) => (tools?.length ?? 0) > 0,
  frames: anthropicFrames,
  failure: ({ type, message }) => ({ type: 'error', error: { type, message } }),
};

/** The Responses protocol of OpenAI. */
export const RESPONSES: ModelProtocol = {
  isAsked: (path) => path.startsWith('/v1/responses'),
  offersTools: ({ tools }) => (tools?.length ?? 0) > 0,
  frames: responsesFrames,
  failure: ({ type, message, more }) => ({ error: { type, code: type, message, ...more } }),
};

/** The chat completions of OpenAI and of many others. */
export const CHAT: ModelProtocol = {
  isAsked: (path) => path.startsWith('/v1/chat/completions'),
  offersTools: ({ tools }) => (tools?.length ?? 0) > 0,
  frames: chatFrames,
  failure: ({ type, message, more }) => ({ error: { type, code: type, message, ...more } }),
};

/** The protocol of the Gemini API. */
export const GEMINI_API: ModelProtocol = {
  isAsked: (path) => path.includes(':streamGenerateContent'),
  offersTools: ({ tools }) => (tools?.length ?? 0) > 0,
  frames: geminiFrames,
  failure: ({ status, type, message, more }) => ({ error: { code: status, message, status: type, ...more } }),
};

function anthropicFrames({ model = '' }: ModelRequest, turn: Turn, n: number): readonly string[] {
  const blocks = [
    ...(turn.text === undefined
      ? []
      : [{ start: { type: 'text', text: '' }, delta: { type: 'text_delta', text: turn.text } }]),
    ...(turn.uses ?? []).map((use, index) => ({
      start: { type: 'tool_use', id: `toolu_${n}_${index}`, name: use.tool, input: {} },
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(use.input) },
    })),
  ];
  const usage = {
    input_tokens: turn.inputTokens ?? 100,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 1,
  };
  const message = {
    ...{ id: `msg_${n}`, type: 'message', role: 'assistant', model },
    ...{ content: [], stop_reason: null, stop_sequence: null, usage },
  };
  const stopReason = turn.stopReason ?? (turn.uses?.length ? 'tool_use' : 'end_turn');
  return [
    named({ type: 'message_start', message }),
    ...blocks.flatMap(({ start, delta }, index) => [
      named({ type: 'content_block_start', index, content_block: start }),
      named({ type: 'content_block_delta', index, delta }),
      named({ type: 'content_block_stop', index }),
    ]),
    named({
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: turn.outputTokens ?? 20 },
    }),
    named({ type: 'message_stop' }),
  ];
}

function responsesFrames({ model = '' }: ModelRequest, turn: Turn, n: number): readonly string[] {
  const { inputTokens = 100, outputTokens = 20 } = turn;
  const said = turn.text === undefined ? [] : [{ type: 'output_text', text: turn.text, annotations: [] }];
  const refused = turn.refusal === undefined ? [] : [{ type: 'refusal', refusal: turn.refusal }];
  const content = [...said, ...refused];
  const message = { type: 'message', id: `msg_${n}`, role: 'assistant', status: 'completed', content };
  const calls = (turn.uses ?? []).map(({ tool, namespace, input }, index) => ({
    ...{ type: 'function_call', id: `fc_${n}_${index}`, call_id: `call_${n}_${index}`, status: 'completed' },
    ...(namespace !== undefined && { namespace }),
    ...{ name: tool, arguments: JSON.stringify(input) },
  }));
  const output = [...(content.length === 0 ? [] : [message]), ...calls];
  const usage = {
    ...{ input_tokens: inputTokens, input_tokens_details: { cached_tokens: 0 } },
    ...{ output_tokens: outputTokens, output_tokens_details: { reasoning_tokens: 0 } },
    total_tokens: inputTokens + outputTokens,
  };
  const response = { id: `resp_${n}`, object: 'response', model };
  const end =
    turn.stopReason === undefined
      ? { type: 'response.completed', response: { ...response, status: 'completed', output, usage } }
      : {
          type: 'response.incomplete',
          response: { ...response, status: 'incomplete', output, incomplete_details: { reason: turn.stopReason } },
        };
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    ...output.flatMap((item, index) => [
      { type: 'response.output_item.added', output_index: index, item },
      { type: 'response.output_item.done', output_index: index, item },
    ]),
    end,
  ].map((event, index) => named({ ...event, sequence_number: index }));
}

function chatFrames({ model = '' }: ModelRequest, turn: Turn, n: number): readonly string[] {
  const { inputTokens = 100, outputTokens = 20 } = turn;
  const chunk = (delta: object, finish: string | null = null) =>
    data({
      ...{ id: `c${n}`, object: 'chat.completion.chunk', created: 1, model },
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const calls = (turn.uses ?? []).map(({ tool, input }, index) => ({
    ...{ index, id: `call_${n}_${index}`, type: 'function' },
    function: { name: tool, arguments: JSON.stringify(input) },
  }));
  const usage = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
  return [
    chunk({ role: 'assistant', content: '' }),
    ...(turn.text === undefined ? [] : [chunk({ content: turn.text })]),
    ...(calls.length === 0 ? [] : [chunk({ tool_calls: calls })]),
    chunk({}, turn.stopReason ?? (calls.length === 0 ? 'stop' : 'tool_calls')),
    data({ id: `c${n}`, object: 'chat.completion.chunk', created: 1, model, choices: [], usage }),
    'data: [DONE]\n\n',
  ];
}

function geminiFrames(_request: ModelRequest, turn: Turn): readonly string[] {
  const { inputTokens = 100, outputTokens = 20 } = turn;
  const parts = [
    ...(turn.text === undefined ? [] : [{ text: turn.text }]),
    ...(turn.uses ?? []).map(({ tool, input }) => ({ functionCall: { name: tool, args: input } })),
  ];
  const candidate = { content: { role: 'model', parts }, finishReason: turn.stopReason ?? 'STOP', index: 0 };
  const usageMetadata = {
    promptTokenCount: inputTokens,
    candidatesTokenCount: outputTokens,
    totalTokenCount: inputTokens + outputTokens,
  };
  return [data({ candidates: [candidate], usageMetadata, modelVersion: 'gemini-2.5-pro' })];
}

function named(event: { readonly type: string; readonly [field: string]: unknown }): string {
  return `event: ${event.type}\n${data(event)}`;
}

function data(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
