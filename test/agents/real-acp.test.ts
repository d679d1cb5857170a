import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ACP } from '../../src/adapters/agent/acp/acp.ts';
import { allowedEnvironment } from '../../src/adapters/process/environment.ts';
import type { AgentEvent } from '../../src/core/agent/agent-event.ts';
import type { Agent } from '../../src/ports/agent.ts';
import { type ModelServer, type Reply, startModelServer } from './model-server.ts';
import { obstacleTo, REAL_AGENTS } from './real-agents.ts';
import { AgentRig, isRunning } from './rig.ts';

const COMPLETE = 'Wrote it.\n\nTASK_COMPLETE';

/** How each agent is made to speak the Agent Client Protocol, apart from its settings. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  gemini: ['--acp', '--model', 'gemini-2.5-pro'],
  opencode: ['acp'],
};
const SPEAKERS = REAL_AGENTS.filter(({ kind }) => kind.name in CALLS).map((real) => [real.kind.name, real] as const);

describe.each(SPEAKERS)('the real %s over the Agent Client Protocol', (name, real) => {
  const obstacle = obstacleTo(real);
  let rig: AgentRig;
  let server: ModelServer | undefined;
  beforeEach(() => {
    rig = new AgentRig();
  });
  afterEach(async () => {
    await rig.close();
    await server?.close();
    server = undefined;
  });

  async function agent(...script: readonly [Reply, ...Reply[]]): Promise<Agent> {
    server = await startModelServer(script, real.protocol);
    const home = join(rig.dir, 'home');
    mkdirSync(home, { recursive: true });
    const own = { PATH: process.env.PATH, HOME: home, ...real.settings(home, server.url) };
    return ACP.make({
      program: real.program,
      args: CALLS[name] ?? [],
      processes: rig.processes,
      newId: () => crypto.randomUUID(),
      env: allowedEnvironment(own, { pass: Object.keys(own) }),
    });
  }

  test.skipIf(obstacle)('writes a file, is allowed to, and gives its answer (R-AGT-8, R-AGT-1, R-AGT-2)', async () => {
    const path = join(rig.workspace, 'hello.txt');
    const events: AgentEvent[] = [];
    const working = await agent({ text: 'Writing.', uses: [real.writes(path, 'hi')] }, { text: COMPLETE });
    const outcome = await working.work(rig.brief({ onEvent: (event) => void events.push(event) }));
    expect(outcome, rig.log()).toMatchObject({ how: 'completed', answer: COMPLETE, message: '' });
    expect(outcome.usage.inputTokens).toBeGreaterThan(0);
    expect(readFileSync(path, 'utf8')).toBe('hi');
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['text', 'tool-call', 'usage', 'answer', 'end']),
    );
  });

  test.skipIf(obstacle)('stops the run at a wrong key (R-AGT-8, R-AGT-4)', async () => {
    const reply: Reply = { status: 401, type: 'invalid_api_key', message: 'Incorrect API key provided' };
    expect((await (await agent(reply)).work(rig.brief())).how, rig.log()).toBe('unauthenticated');
  });

  test.skipIf(obstacle)('tells a usage limit (R-AGT-8, R-AGT-3)', async () => {
    expect((await (await agent(real.usageLimit)).work(rig.brief())).how, rig.log()).toBe('rate-limited');
  });

  test.skipIf(obstacle)('is silent when its model never answers (R-AGT-8, R-DEL-6)', async () => {
    const brief = rig.brief({ limits: { wallMs: 90_000, idleMs: 15_000 } });
    expect((await (await agent({ fault: 'never-answer' })).work(brief)).how, rig.log()).toBe('silent');
  });

  test.skipIf(obstacle)('leaves no tool running when its turn is cancelled (R-AGT-8, R-DEL-6)', async () => {
    const pidFile = join(rig.workspace, 'tool.pid');
    writeFileSync(join(rig.workspace, 'hang.sh'), 'echo $$ > tool.pid\nexec sleep 600\n');
    const stop = new AbortController();
    const working = (await agent({ uses: [real.runs('sh ./hang.sh')] })).work(rig.brief({ signal: stop.signal }));
    const pid = await vi.waitFor(() => Number(readFileSync(pidFile, 'utf8').trim() || expect.fail('no id yet')), {
      timeout: 40_000,
    });
    stop.abort();
    expect((await working).how, rig.log()).toBe('cancelled');
    expect(isRunning(pid)).toBe(false);
  });
});
