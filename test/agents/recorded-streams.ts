import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Agent, AgentOutcome, Brief } from '../../src/ports/agent.ts';
import type { FakeAgent } from './rig.ts';

/** What a recorded stream means. `code`: the exit code, 0 for what completed and 1 for the rest if absent. */
export type ExpectedEnd = Partial<Omit<AgentOutcome, 'message'>> & {
  readonly message?: RegExp;
  readonly code?: number;
};

/** An agent whose recorded streams are tested. */
export interface RecordedAgent {
  /** Its folder in fixtures. */
  readonly folder: string;
  agent(orders: FakeAgent): Agent;
  brief(): Brief;
}

/** Runs every recorded stream of an agent through its adapter (R-DEL-7). */
export function testRecordedStreams(
  { folder, agent, brief }: RecordedAgent,
  streams: Readonly<Record<string, ExpectedEnd>>,
): void {
  for (const [stream, { code, message, ...outcome }] of Object.entries(streams)) {
    test(`${stream} is ${outcome.how}`, async () => {
      const exit = code ?? (outcome.how === 'completed' ? 0 : 1);
      const ended = await agent({ steps: [{ stream }, { exit }] }).work(brief());
      expect(ended).toMatchObject(outcome);
      expect(ended.message).toMatch(message ?? (outcome.how === 'completed' ? /^$/ : /\.$/));
      expect(ended.resetsAt).toBe(outcome.resetsAt);
      expect(ended.denials).toEqual(outcome.denials);
    });
  }

  test('every recorded stream is tested', () => {
    const dir = join(import.meta.dirname, 'fixtures', folder);
    const files = readdirSync(dir).flatMap((version) =>
      readdirSync(join(dir, version)).map((name) => `${version}/${name.replace('.jsonl', '')}`),
    );
    expect(Object.keys(streams).sort()).toEqual(files.sort());
  });
}
