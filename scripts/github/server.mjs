import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { answerQuery } from './graphql.mjs';
import { answerRest } from './rest.mjs';

/**
 * Serves a model to the `gh` program: on a Unix socket, to which `gh` sends all it asks, of whatever host, as plain HTTP.
 * Resolves with the variables that make a `gh` use it, and `close`. `dir` is an empty folder of its own, with a short path: a
 * socket's may have a hundred characters.
 */
export async function serveGitHub(model, dir) {
  const socket = join(dir, 'gh.sock');
  const config = join(dir, 'gh-config');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'config.yml'), `version: "1"\nprompt: disabled\nhttp_unix_socket: ${socket}\n`);
  /** Every request so far, as `POST /graphql Checks` or `GET /repos/acme/app/labels/spec`. */
  const requests = [];
  const server = createServer((request, response) => {
    answerRequest(model, requests, request, response).catch((error) => {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ message: `The scripted GitHub failed: ${error.stack}` }));
    });
  });
  await new Promise((resolve) => server.listen(socket, resolve));
  const close = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(resolve);
    });
  const env = { GH_CONFIG_DIR: config, GH_TOKEN: 'token', GH_REPO: `${model.owner}/${model.name}` };
  return { env, requests, close };
}

async function answerRequest(model, requests, request, response) {
  const text = await bodyOf(request);
  const body = text === '' ? {} : JSON.parse(text);
  // An Enterprise host has its interfaces below /api.
  const path = new URL(request.url, 'http://github').pathname.replace(/^\/api(\/v3)?\//, '/');
  const name = `${request.method} ${path}${path === '/graphql' ? ` ${/(?:query|mutation) (\w+)/.exec(body.query)?.[1]}` : ''}`;
  requests.push(name);
  model.sync();
  const fault = model.takeFault(name);
  const isCarriedOut = fault === undefined || fault.isAnswerLost;
  const carriedOut = isCarriedOut && (await answerOf(model, { method: request.method, path, body }));
  if (fault?.status === 0 || fault?.isAnswerLost) return request.socket.destroy();
  const answer = carriedOut || failureOf(fault);
  send(response, answer);
}

async function answerOf(model, { method, path, body }) {
  if (model.isSignedOut) return { status: 401, body: { message: 'Bad credentials' } };
  if (path === '/graphql') return { status: 200, body: await answerQuery(model, body) };
  return answerRest(model, { method, path, body });
}

/** A failure as GitHub shows it; a limit in its words. */
function failureOf({ status, limit, seconds = 60, headers = {}, message = 'Server Error' }) {
  if (limit === 'primary') {
    const reset = String(Math.ceil(Date.now() / 1000) + seconds);
    const counters = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
    return { status: 403, headers: counters, body: { message: 'API rate limit exceeded for user ID 1.' } };
  }
  if (limit === 'secondary') {
    const retry = { 'retry-after': String(seconds) };
    return { status: 403, headers: retry, body: { message: 'You have exceeded a secondary rate limit.' } };
  }
  return { status, headers, body: status >= 500 ? `<html>${message}</html>` : { message } };
}

function send(response, { status, headers = {}, body, location }) {
  const isText = typeof body === 'string';
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  response.writeHead(status, { 'content-type': type, ...(location && { location }), ...headers });
  response.end(isText ? body : JSON.stringify(body ?? {}));
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
