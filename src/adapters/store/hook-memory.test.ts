import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readHookMemory, writeHookMemory } from './hook-memory.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hook-memory-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('what a hook said to a session is remembered for the next call (R-SES-5)', () => {
  const memory = { owner: { session: 'a', run: 'none' }, sessions: { a: { mark: 'x' }, b: { isCorruptTold: true } } };
  expect(readHookMemory(dir)).toEqual({ sessions: {} });
  writeHookMemory(join(dir, 'spec'), memory);
  expect(readHookMemory(join(dir, 'spec'))).toEqual(memory);
});

test('the sessions that heard from a hook long ago are forgotten (R-SES-5)', () => {
  const sessions = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`s${n}`, { mark: String(n) }]));
  writeHookMemory(dir, { sessions });
  const kept = Object.keys(readHookMemory(dir).sessions);
  expect(kept).toHaveLength(20);
  expect(kept.at(-1)).toBe('s29');
});

test('a damaged memory counts as none (R-SES-5)', () => {
  for (const text of ['', '{', '[]', 'null', '{"sessions":[]}', '{"sessions":{"a":1}}', '{"sessions":{},"owner":{}}']) {
    writeFileSync(join(dir, 'hooks.json'), text);
    expect(readHookMemory(dir), text).toEqual({ sessions: {} });
  }
});
