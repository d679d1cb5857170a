import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Envelope } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { jsonSurface } from './json.ts';

const envelope: Envelope = { v: 1, seq: 1, at: 'a', spec: 'demo', run: 'r', event: { type: 'waited' } };
const seen = { type: 'tool-call', tool: 'Write', target: 'a.ts' } as const;

async function printed(options: Parameters<typeof jsonSurface>[1], stream = new PassThrough()) {
  const surface = jsonSurface(stream, options);
  surface.active?.('1.1', seen);
  await surface.show(envelope, {} as RunState);
  surface.active?.('1.1', seen);
  surface.active?.('1.1', { type: 'output' });
  return String(stream.read() ?? '');
}

test('what agents do is printed between the events of the run where that is asked for (R-AGT-2, R-UX-2)', async () => {
  const line = { v: 1, at: 'now', spec: 'demo', run: 'r', task: '1.1', agentEvent: seen };
  const both = `${JSON.stringify(envelope)}\n${JSON.stringify(line)}\n`;
  expect(await printed({ agentEvents: { now: () => 'now' } })).toBe(both);
  expect(await printed({})).toBe(`${JSON.stringify(envelope)}\n`);
});

test('a reader that is slow misses some of what agents do, and none of the events (R-AGT-2)', async () => {
  const stream = new PassThrough({ highWaterMark: 1 });
  const surface = jsonSurface(stream, { agentEvents: { now: () => 'now' } });
  void surface.show(envelope, {} as RunState);
  surface.active?.('1.1', seen);
  expect(String(stream.read())).toBe(`${JSON.stringify(envelope)}\n`);
});
