#!/usr/bin/env node
// Stands in for the program of an agent that prints events: prints those it is told to, and behaves as badly as the real
// ones are known to. FAKE_AGENT holds its orders as JSON, see `FakeAgent` in rig.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

// What each program prints when its model says something, and when its work is over.
const DIALECTS = {
  'claude-code': {
    say: (words) => [{ type: 'assistant', message: { model: 'claude', content: [{ type: 'text', text: words }] } }],
    end: (answer) => [{ type: 'result', subtype: 'success', is_error: false, result: answer }],
  },
  codex: {
    say: (words) => [{ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text: words } }],
    end: () => [{ type: 'turn.completed', usage: { input_tokens: 100, output_tokens: 20 } }],
  },
  gemini: {
    say: (words) => [{ type: 'message', role: 'assistant', content: words, delta: true }],
    end: () => [{ type: 'result', status: 'success', stats: { input_tokens: 100, output_tokens: 20 } }],
  },
  opencode: {
    say: (words) => [{ type: 'text', sessionID: 'ses_1', part: { type: 'text', text: words } }],
    end: () => [
      { type: 'step_finish', sessionID: 'ses_1', part: { reason: 'stop', tokens: { input: 100, output: 20 } } },
    ],
  },
};

const { dialect, steps, ignore = [], interruptedStream, record } = JSON.parse(process.env.FAKE_AGENT);
for (const signal of ignore) process.on(signal, () => {});
if (interruptedStream) process.on('SIGINT', () => printStream(interruptedStream).then(() => process.exit(0)));
const prompt = await text(process.stdin);
if (record) {
  writeFileSync(record, JSON.stringify({ args: process.argv.slice(2), prompt, cwd: process.cwd(), env: process.env }));
}
const said = [];
for (const step of steps) {
  if ('exit' in step) await leave(step.exit);
  if ('stream' in step) await printStream(step.stream);
  if ('print' in step) await say(step.print);
  if ('write' in step) for (const [path, content] of Object.entries(step.write)) writeFileSync(path, content);
  if ('stderr' in step) process.stderr.write(step.stderr);
  if ('hugeEventMiB' in step) await printEvent({ type: 'user', text: 'x'.repeat(step.hugeEventMiB * 1024 * 1024) });
  if ('sleepMs' in step) await sleep(step.sleepMs);
}
await leave(0);

async function leave(code) {
  if (said.length > 0) for (const event of DIALECTS[dialect].end(said.join(''))) await printEvent(event);
  process.exit(code);
}

async function say(words) {
  said.push(words);
  for (const event of DIALECTS[dialect].say(words)) await printEvent(event);
}

// In pieces that fall in the middle of lines and of characters.
async function printStream(name) {
  const bytes = readFileSync(join(import.meta.dirname, 'fixtures', dialect, `${name}.jsonl`));
  for (let at = 0; at < bytes.length; at += 97) await print(bytes.subarray(at, at + 97));
}

function printEvent(event) {
  return print(`${JSON.stringify(event)}\n`);
}

function print(chunk) {
  return new Promise((go) => process.stdout.write(chunk, go));
}
