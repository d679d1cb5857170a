import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AgentOrder } from '../../src/adapters/agent/agent-kind.ts';
import { allowedEnvironment } from '../../src/adapters/process/environment.ts';
import type { AgentEvent } from '../../src/core/agent/agent-event.ts';
import type { Agent, AgentEnd } from '../../src/ports/agent.ts';
import { PROGRAM, type Workshop, workshop } from '../cli/rig.ts';
import { type ModelServer, type Reply, startModelServer } from './model-server.ts';
import { DRAFTED, expectOneDraft, ONE_TASK } from './one-draft.ts';
import { obstacleTo, REAL_AGENTS, type RealAgent } from './real-agents.ts';
import { AgentRig, isRunning } from './rig.ts';

const COMPLETE = 'Wrote it.\n\nTASK_COMPLETE';

/** How each agent ends when its model service fails so. */
const FAILURES: readonly (readonly [string, Reply, Readonly<Record<string, AgentEnd>>])[] = [
  [
    'a wrong key',
    { status: 401, type: 'invalid_api_key', message: 'Incorrect API key provided' },
    { codex: 'unauthenticated', gemini: 'unauthenticated', opencode: 'unauthenticated' },
  ],
  [
    'an unknown model',
    { status: 404, type: 'model_not_found', message: 'The model `nope` does not exist' },
    { codex: 'not-found', gemini: 'not-found', opencode: 'not-found' },
  ],
  [
    'a broken service',
    { status: 503, type: 'UNAVAILABLE', message: 'overloaded' },
    { codex: 'overloaded', gemini: 'overloaded' },
  ],
  ['a broken connection', { fault: 'drop' }, { codex: 'overloaded', gemini: 'overloaded' }],
  [
    'a prompt that is too long',
    {
      ...{ status: 400, type: 'context_length_exceeded' },
      message: 'The input token count (9999) exceeds the maximum number of tokens allowed (100).',
    },
    { codex: 'context-overflow', gemini: 'context-overflow', opencode: 'context-overflow' },
  ],
];

/** How each model says that it refuses, and how the agent ends then. */
const REFUSALS: Readonly<Record<string, { readonly reply: Reply; readonly how: AgentEnd }>> = {
  codex: { reply: { text: 'Half', stopReason: 'content_filter' }, how: 'refused' },
  gemini: { reply: { stopReason: 'SAFETY' }, how: 'refused' },
  opencode: { reply: { text: 'Half', stopReason: 'content_filter' }, how: 'refused' },
};

describe.each(REAL_AGENTS.map((real) => [real.kind.name, real] as const))('the real %s', (name, real) => {
  const obstacle = obstacleTo(real);
  let rig: AgentRig;
  let server: ModelServer | undefined;
  beforeEach(() => {
    rig = new AgentRig();
  });
  afterEach(async (context) => {
    keepLog(name, context.task.name, rig);
    await rig.close();
    await server?.close();
    server = undefined;
  });

  /** The program with a home of its own and a model that follows a script; it cannot reach another. */
  async function agent(script: readonly [Reply, ...Reply[]], options: Partial<AgentOrder> = {}): Promise<Agent> {
    server = await startModelServer(script, real.protocol);
    const home = join(rig.dir, 'home');
    mkdirSync(home, { recursive: true });
    const own = { PATH: process.env.PATH, HOME: home, ...real.settings(home, server.url) };
    return real.kind.make({
      program: real.program,
      processes: rig.processes,
      newId: () => crypto.randomUUID(),
      model: real.model,
      ...options,
      env: allowedEnvironment(own, { pass: real.kind.variables(own).passed }),
    });
  }

  test.skipIf(obstacle)(
    'writes a file with its own tool, tells of it and gives its answer (R-AGT-8, R-AGT-2)',
    async () => {
      const path = join(rig.workspace, 'hello.txt');
      const events: AgentEvent[] = [];
      const working = await agent([{ text: 'Writing.', uses: [real.writes(path, 'hi')] }, { text: COMPLETE }]);
      const outcome = await working.work(rig.brief({ onEvent: (event) => void events.push(event) }));
      expect(outcome).toMatchObject({ how: 'completed', answer: COMPLETE, message: '' });
      expect(outcome.usage).toMatchObject({ inputTokens: 200, outputTokens: 40 });
      expect(readFileSync(path, 'utf8')).toBe('hi');
      expect(events.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['text', 'tool-call', 'usage', 'answer', 'end']),
      );
      expect(JSON.stringify(server?.requests[0])).toContain('Task: Execute task 0 for spec demo');
    },
  );

  test.skipIf(obstacle).each(FAILURES.filter(([, , ends]) => name in ends))(
    'ends at %s as the rules say (R-AGT-8, R-AGT-4)',
    async (_what, reply, ends) => {
      const outcome = await (await agent([reply])).work(rig.brief());
      expect(outcome).toMatchObject({ how: ends[name], message: expect.stringMatching(/\.$/) });
    },
  );

  test.skipIf(obstacle)('tells a usage limit, and its end where its service tells it (R-AGT-8, R-AGT-3)', async () => {
    const outcome = await (await agent([real.usageLimit])).work(rig.brief());
    expect(outcome.how, outcome.message).toBe('rate-limited');
    expect(outcome.resetsAt === undefined).toBe(name === 'gemini');
  });

  test.skipIf(obstacle)('does not complete when its model refuses (R-AGT-8)', async () => {
    const { reply, how } = REFUSALS[name] ?? expect.fail('no refusal is known');
    expect(await (await agent([reply])).work(rig.brief())).toMatchObject({ how });
  });

  test.skipIf(obstacle ?? real.denial === undefined)(
    'names a tool that it was not allowed to use (R-AGT-8, R-AGT-6)',
    async () => {
      const { args = [], variables = {} } = real.denial ?? {};
      const working = await agent([{ uses: [real.runs('touch made')] }, { text: 'I may not run it.' }], { args });
      const outcome = await working.work(rig.brief({ variables }));
      expect(existsSync(join(rig.workspace, 'made'))).toBe(false);
      expect(outcome).toMatchObject({ how: 'completed', denials: [real.runs('').tool] });
    },
  );

  test.skipIf(obstacle)('stops the run at an option that it does not know (R-AGT-4)', async () => {
    const working = await agent([{ text: COMPLETE }], { args: ['--no-such-option-of-any-program'] });
    expect((await working.work(rig.brief())).how).toBe('not-found');
  });

  test.skipIf(obstacle)('is silent when its model never answers (R-AGT-8, R-DEL-6)', async () => {
    const working = await agent([{ fault: 'never-answer' }]);
    const outcome = await working.work(rig.brief({ limits: { wallMs: 60_000, idleMs: 10_000 } }));
    expect(outcome.how).toBe('silent');
  });

  test.skipIf(obstacle)('leaves no tool running when it is asked to stop (R-AGT-8, R-DEL-6)', async () => {
    const pidFile = join(rig.workspace, 'tool.pid');
    writeFileSync(join(rig.workspace, 'hang.sh'), 'echo $$ > tool.pid\nexec sleep 600\n');
    const stop = new AbortController();
    const working = (await agent([{ uses: [real.runs('sh ./hang.sh')] }])).work(rig.brief({ signal: stop.signal }));
    const pid = await vi.waitFor(() => Number(readFileSync(pidFile, 'utf8').trim() || expect.fail('no id yet')), {
      timeout: 40_000,
    });
    stop.abort();
    expect((await working).how).toBe('cancelled');
    expect(isRunning(pid)).toBe(false);
  });

  test.skipIf(obstacle)('does a task of a plan, which is verified and committed (R-AGT-8, R-VER-5)', async () => {
    const shop = workshop();
    server = await startModelServer(
      [{ uses: [real.writes(join(shop.dir, 'a.txt'), 'a')] }, { text: COMPLETE }],
      real.protocol,
    );
    const { code, stdout, stderr } = await implement(real, shop, server.url);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('ALL_TASKS_COMPLETE');
    expect(shop.git('log', '--format=%s')).toContain('feat: add the file\n');
    shop.remove();
  });

  const { ownTool } = real;
  test.skipIf(obstacle ?? ownTool === undefined)(
    'completes a task by a call of a tool of ours, without a word (R-AGT-8, R-AGT-9)',
    async () => {
      const shop = workshop();
      const call = { ...(ownTool?.('task_complete') ?? expect.fail('no tools')), input: { summary: 'Wrote it.' } };
      const writes = real.writes(join(shop.dir, 'a.txt'), 'a');
      server = await startModelServer([{ uses: [writes] }, { uses: [call] }, { text: 'Wrote it.' }], real.protocol);
      const { code, stdout, stderr } = await implement(real, shop, server.url);
      expect(code, stderr).toBe(0);
      expect(stdout).toContain('ALL_TASKS_COMPLETE');
      shop.remove();
    },
  );

  test.skipIf(obstacle)(
    'drafts a document with its own tools; what it writes elsewhere is put back, and fails the attempt (R-AGT-8, R-PLAN-2)',
    async () => {
      const shop = workshop();
      const writes = [
        real.writes(join(shop.dir, 'specs/login/tasks.md'), ONE_TASK),
        real.writes(join(shop.dir, 'stray.txt'), 'stray'),
      ];
      server = await startModelServer([{ uses: writes }, { text: DRAFTED }], real.protocol);
      const { code, stderr } = await callWith(real, shop, server.url, ['new', 'login', 'Fix a typo']);
      expect(code, stderr).toBe(3);
      expectOneDraft(shop, stderr);
      shop.remove();
    },
  );

  test.skipIf(obstacle)(
    'asks a person in its answer, and the run stops with exit code 3 (R-AGT-8, R-AGT-6)',
    async () => {
      const shop = workshop();
      server = await startModelServer([{ text: 'NEEDS_INPUT\nWhich port?' }], real.protocol);
      const { code, stderr } = await implement(real, shop, server.url);
      expect(code, stderr).toBe(3);
      expect(stderr).toContain('Which port?');
      shop.remove();
    },
  );
});

async function implement(real: RealAgent, shop: Workshop, url: string) {
  return await callWith(real, shop, url, ['implement', 'demo', '--review', 'off']);
}

/** Runs the built program with the agent on its `PATH`. */
async function callWith(real: RealAgent, shop: Workshop, url: string, command: readonly string[]) {
  const bin = join(shop.env.HOME ?? '', 'bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(real.program, join(bin, real.kind.program));
  chmodSync(real.program, 0o755);
  const own = real.settings(join(shop.env.HOME ?? '', 'agent'), url);
  const env = { ...shop.env, ...own, PATH: `${bin}${delimiter}${shop.env.PATH}` };
  const args = [...command, '--agent', real.kind.name, '--model', real.model];
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: shop.dir, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<number | null>((go) => child.once('exit', go));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { code, stdout, stderr };
}

/** Where `SPECLOOP_KEEP_LOGS` names a folder, what the program printed is kept in it. */
function keepLog(name: string, title: string, { logFile }: AgentRig): void {
  const folder = process.env.SPECLOOP_KEEP_LOGS;
  if (folder === undefined) return;
  try {
    mkdirSync(folder, { recursive: true });
    copyFileSync(logFile, join(folder, `${name}-${title.replace(/[^a-z0-9]+/gi, '-').slice(0, 60)}.log`));
  } catch {
    // This test had no log.
  }
}
