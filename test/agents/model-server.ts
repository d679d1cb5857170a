import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** What the model says in one turn; `uses` are calls of tools. */
export interface Turn {
  readonly text?: string;
  readonly uses?: readonly { readonly tool: string; readonly input: object }[];
  readonly stopReason?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

/** A turn, or how the service fails instead of taking one. */
export type Reply =
  | Turn
  | {
      readonly status: number;
      readonly type: string;
      readonly message: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly fault: 'never-answer' | 'drop' | 'stall-mid-stream' };

/** What a request for a turn looked like. */
export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly name: string }[];
}

export interface ModelServer {
  readonly url: string;
  /** The requests that took a reply of the script, in order. */
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

/**
 * A model service on loopback that speaks the Anthropic Messages protocol and follows a script: one reply for each
 * request that offers tools, the last one again when the script runs out. Side requests (titles, classifiers) offer no
 * tools and get a fixed text.
 */
export async function startModelServer(script: readonly [Reply, ...Reply[]]): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'HEAD') {
      response.end();
    } else if (request.method !== 'POST' || !request.url?.startsWith('/v1/messages?')) {
      fail(response, NOT_FOUND);
    } else {
      const asked = (await json(request)) as ModelRequest;
      if (asked.tools?.length) requests.push(asked);
      const next = asked.tools?.length ? script[Math.min(requests.length, script.length) - 1] : undefined;
      answer(response, asked.model, next ?? { text: 'Noted.' });
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

const NOT_FOUND = { status: 404, type: 'not_found_error', message: 'There is nothing here.' };

function answer(response: ServerResponse, model: string, reply: Reply): void {
  if ('status' in reply) fail(response, reply);
  else if ('fault' in reply) misbehave(response, model, reply.fault);
  else {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(frames(model, reply).join(''));
  }
}

function misbehave(response: ServerResponse, model: string, fault: 'never-answer' | 'drop' | 'stall-mid-stream'): void {
  switch (fault) {
    case 'never-answer':
      return;
    case 'drop':
      response.destroy();
      return;
    case 'stall-mid-stream':
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(frames(model, { text: 'Half a' }).slice(0, 3).join(''));
  }
}

function fail(response: ServerResponse, failure: Extract<Reply, { status: number }>): void {
  response.writeHead(failure.status, { 'content-type': 'application/json', ...failure.headers });
  response.end(JSON.stringify({ type: 'error', error: { type: failure.type, message: failure.message } }));
}

let messageCount = 0;

function frames(model: string, turn: Turn): string[] {
  messageCount += 1;
  const blocks = [
    ...(turn.text === undefined
      ? []
      : [{ start: { type: 'text', text: '' }, delta: { type: 'text_delta', text: turn.text } }]),
    ...(turn.uses ?? []).map((use, index) => ({
      start: { type: 'tool_use', id: `toolu_${messageCount}_${index}`, name: use.tool, input: {} },
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
    id: `msg_${messageCount}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  const stopReason = turn.stopReason ?? (turn.uses?.length ? 'tool_use' : 'end_turn');
  return [
    frame({ type: 'message_start', message }),
    ...blocks.flatMap(({ start, delta }, index) => [
      frame({ type: 'content_block_start', index, content_block: start }),
      frame({ type: 'content_block_delta', index, delta }),
      frame({ type: 'content_block_stop', index }),
    ]),
    frame({
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: turn.outputTokens ?? 20 },
    }),
    frame({ type: 'message_stop' }),
  ];
}

function frame(event: { readonly type: string; readonly [field: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
