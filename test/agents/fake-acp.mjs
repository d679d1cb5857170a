#!/usr/bin/env node
// Stands in for an agent that speaks the Agent Client Protocol, and behaves as badly as real ones are known to.
// FAKE_ACP holds its orders as JSON, see `FakeAcp` in rig.ts.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const { steps, responses = {}, stays = false, record } = JSON.parse(process.env.FAKE_ACP);
const waiting = new Map();
let nextId = 0; // As real ones, it numbers its requests from 0.
let cwd = process.cwd();
let noticeCancel;
const cancelled = new Promise((go) => {
  noticeCancel = go;
});
const print = (message) =>
  new Promise((go) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`, go));
const update = (what) => print({ method: 'session/update', params: { sessionId: 'session-1', update: what } });
const OWN = {
  initialize: { result: { protocolVersion: 1, authMethods: [{ id: 'openai-api-key', name: 'Key' }] } },
  authenticate: { result: {} },
  'session/new': { result: { sessionId: 'session-1' } },
  'session/set_mode': { result: {} },
};

process.stdout.write('A warning that is no message.\n');
if (stays) setInterval(() => {}, 1000);
createInterface({ input: process.stdin })
  .on('line', (line) => void take(JSON.parse(line)))
  .on('close', () => stays || process.exit(0));

async function take(message) {
  if (record) appendFileSync(record, `${JSON.stringify(message)}\n`);
  const { id, method, params } = message;
  if (method === undefined) return waiting.get(id)?.(message);
  if (method === 'session/cancel') return noticeCancel();
  if (method === 'session/new') cwd = params.cwd;
  if (method === 'session/prompt' && !responses[method]) return work(id);
  const told = responses[method] ?? OWN[method];
  // A list has a response for each time.
  await print({
    id,
    ...(Array.isArray(told) ? told.shift() : (told ?? { error: { code: -32601, message: 'Method not found' } })),
  });
}

async function work(id) {
  let isOver = false;
  for (const step of steps) {
    if ('print' in step)
      await update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: step.print } });
    if ('write' in step)
      for (const [path, content] of Object.entries(step.write)) writeFileSync(join(cwd, path), content);
    if ('stderr' in step) process.stderr.write(step.stderr);
    if ('sleepMs' in step) await sleep(step.sleepMs);
    if ('exit' in step) process.exit(step.exit);
    if ('update' in step) await update(step.update);
    if ('ask' in step) await ask(step.ask);
    if ('awaitCancel' in step) await cancelled;
    if ('end' in step) isOver = true;
    if ('end' in step) await print({ id, ...step.end });
  }
  if (!isOver) await print({ id, result: { stopReason: 'end_turn' } });
}

function ask({ method, params }) {
  const own = nextId++;
  const answered = new Promise((go) => waiting.set(own, go));
  void print({ id: own, method, params });
  return answered;
}
