import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { ANTHROPIC, type ModelProtocol } from './model-protocols.ts';

/** A call of a tool; `namespace` for protocols that put the tools of one server into one. */
export interface ToolUse {
  readonly tool: string;
  readonly namespace?: string;
  readonly input: object;
}

/** What the model says in one turn; `uses` are calls of tools. */
export interface Turn {
  readonly text?: string;
  /** Words of the model in place of an answer, where its protocol has them. */
  readonly refusal?: string;
  readonly uses?: readonly ToolUse[];
  readonly stopReason?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

/** How the service fails instead of taking a turn. */
export interface Failure {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  /** More fields of the error. */
  readonly more?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Reply = Turn | Failure | { readonly fault: 'never-answer' | 'drop' | 'stall-mid-stream' };

/** What a request for a turn looked like. */
export interface ModelRequest {
  readonly model?: string;
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly object[];
}

export interface ModelServer {
  readonly url: string;
  /** The requests that took a reply of the script, in order. */
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

/** What a model says: reply after reply, or what it makes of each request. */
export type ModelScript = readonly [Reply, ...Reply[]] | ((request: ModelRequest) => Reply);

/**
 * A model service on loopback that follows a script: one reply for each request that offers tools, the last one again when
 * the script runs out. Side requests (titles, classifiers) offer no tools and get a fixed text.
 */
export async function startModelServer(script: ModelScript, protocol: ModelProtocol = ANTHROPIC): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  let answers = 0;
  const server = createServer(async (request, response) => {
    if (request.method === 'HEAD') {
      response.end();
    } else if (request.method === 'GET' && request.headers.upgrade !== undefined) {
      response.writeHead(426).end(); // A program that tries a socket first falls back at once.
    } else if (request.method !== 'POST' || !protocol.isAsked(request.url ?? '')) {
      fail(response, NOT_FOUND, protocol);
    } else {
      const asked = (await json(request)) as ModelRequest;
      const isWork = protocol.offersTools(asked);
      if (isWork) requests.push(asked);
      const next = isWork ? replyOf(script, asked, requests.length) : undefined;
      answers += 1;
      const frames = (turn: Turn) => protocol.frames(asked, turn, answers);
      answer(response, next ?? { text: 'Noted.' }, { protocol, frames });
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

function replyOf(script: ModelScript, asked: ModelRequest, n: number): Reply | undefined {
  return typeof script === 'function' ? script(asked) : script[Math.min(n, script.length) - 1];
}

const NOT_FOUND = { status: 404, type: 'not_found_error', message: 'There is nothing here.' };
const STREAM = { 'content-type': 'text/event-stream' };

interface Speaker {
  readonly protocol: ModelProtocol;
  readonly frames: (turn: Turn) => readonly string[];
}

function answer(response: ServerResponse, reply: Reply, { protocol, frames }: Speaker): void {
  if ('status' in reply) fail(response, reply, protocol);
  else if ('fault' in reply) misbehave(response, reply.fault, frames);
  else {
    response.writeHead(200, STREAM);
    response.end(frames(reply).join(''));
  }
}

function misbehave(
  response: ServerResponse,
  fault: 'never-answer' | 'drop' | 'stall-mid-stream',
  frames: Speaker['frames'],
): void {
  switch (fault) {
    case 'never-answer':
      return;
    case 'drop':
      response.destroy();
      return;
    case 'stall-mid-stream': {
      const all = frames({ text: 'Half a' });
      response.writeHead(200, STREAM);
      response.write(all.length > 3 ? all.slice(0, 3).join('') : ': no event\n\n');
    }
  }
}

function fail(response: ServerResponse, failure: Failure, protocol: ModelProtocol): void {
  response.writeHead(failure.status, { 'content-type': 'application/json', ...failure.headers });
  response.end(JSON.stringify(protocol.failure(failure)));
}
