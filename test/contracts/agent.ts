import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Agent, Brief } from '../../src/ports/agent.ts';
import type { CommonStep } from '../../src/testing/scripted-agent.ts';

/** Steps that every agent under test can be told to take. */
export type ContractStep = Exclude<CommonStep, { append: unknown } | { remove: unknown }>;

/** One kind of agent under test. */
export interface AgentUnderTest {
  agent(steps: readonly ContractStep[]): Agent;
  brief(change?: Partial<Brief>): Brief;
}

const ANSWER = { print: 'Did it.\n\nTASK_COMPLETE\n' };
const FOREVER = { sleepMs: 600_000 };

/** What the coordinator relies on, whichever agent it is (R-DEL-6, R-DEL-7). */
export function agentContract(kind: string, underTest: () => AgentUnderTest): void {
  test(`${kind}: an agent that answers and leaves in order has completed (R-DEL-7)`, async () => {
    const { agent, brief } = underTest();
    const outcome = await agent([ANSWER]).work(brief());
    expect(outcome).toMatchObject({ how: 'completed', answer: ANSWER.print, message: '' });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(0);
  });

  test(`${kind}: an agent works in the workspace of its brief (R-API-2)`, async () => {
    const { agent, brief } = underTest();
    const order = brief();
    await agent([{ write: { 'hello.txt': 'hi\n' } }, ANSWER]).work(order);
    expect(readFileSync(join(order.workspace, 'hello.txt'), 'utf8')).toBe('hi\n');
  });

  test(`${kind}: an exit code other than 0 is a failed attempt, whatever was said (R-DEL-7)`, async () => {
    const { agent, brief } = underTest();
    const outcome = await agent([ANSWER, { exit: 3 }]).work(brief());
    expect(outcome).toMatchObject({ how: 'failed', answer: ANSWER.print, message: 'The agent exited with code 3.' });
  });

  test(`${kind}: an agent past its time limit has timed out, although it answered (R-DEL-6)`, async () => {
    const { agent, brief } = underTest();
    const outcome = await agent([ANSWER, FOREVER]).work(brief({ limits: { wallMs: 1000, idleMs: 60_000 } }));
    expect(outcome.how).toBe('timed-out');
    expect(outcome.message).toMatch(/time limit.*\.$/);
  });

  test(`${kind}: an agent that prints nothing for too long is silent (R-DEL-6)`, async () => {
    const { agent, brief } = underTest();
    const outcome = await agent([ANSWER, FOREVER]).work(brief({ limits: { wallMs: 60_000, idleMs: 1000 } }));
    expect(outcome.how).toBe('silent');
    expect(outcome.message).toMatch(/printed nothing.*\.$/);
  });

  test(`${kind}: an agent that is told to stop is cancelled, whatever it said until then (R-DEL-7)`, async () => {
    const { agent, brief } = underTest();
    const stop = new AbortController();
    const outcome = await agent([ANSWER, FOREVER]).work(brief({ signal: stop.signal, onEvent: () => stop.abort() }));
    expect(outcome).toMatchObject({ how: 'cancelled', message: expect.stringMatching(/\.$/) });
  });

  test(`${kind}: an agent that is told to stop before it starts does nothing (R-DEL-7)`, async () => {
    const { agent, brief } = underTest();
    const order = brief({ signal: AbortSignal.abort() });
    const outcome = await agent([{ write: { 'late.txt': '' } }, ANSWER]).work(order);
    expect(outcome).toMatchObject({ how: 'cancelled', answer: '' });
    expect(existsSync(join(order.workspace, 'late.txt'))).toBe(false);
  });

  test(`${kind}: signs of life are passed on while the agent works (R-UX-2)`, async () => {
    const { agent, brief } = underTest();
    let signs = 0;
    await agent([ANSWER]).work(brief({ onEvent: () => void signs++ }));
    expect(signs).toBeGreaterThan(0);
  });
}
