#!/usr/bin/env node
// Stands in for Claude Code: prints the events it is told to, and behaves as badly as the real one is known to.
// FAKE_CLAUDE holds its orders as JSON, see `FakeClaude` in rig.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const { steps, ignore = [], interruptedStream, record } = JSON.parse(process.env.FAKE_CLAUDE);
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
  if (said.length > 0) await printEvent({ type: 'result', subtype: 'success', is_error: false, result: said.join('') });
  process.exit(code);
}

async function say(words) {
  said.push(words);
  await printEvent({ type: 'assistant', message: { model: 'claude', content: [{ type: 'text', text: words }] } });
}

// In pieces that fall in the middle of lines and of characters.
async function printStream(name) {
  const bytes = readFileSync(join(import.meta.dirname, 'claude-code-streams', `${name}.jsonl`));
  for (let at = 0; at < bytes.length; at += 97) await print(bytes.subarray(at, at + 97));
}

function printEvent(event) {
  return print(`${JSON.stringify(event)}\n`);
}

function print(chunk) {
  return new Promise((go) => process.stdout.write(chunk, go));
}
