import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  CLAUDE_CODE_VARIABLES,
  type ClaudeCodeOptions,
  claudeCodeAgent,
} from '../../src/adapters/agent/claude-code/claude-code.ts';
import { allowedEnvironment } from '../../src/adapters/process/environment.ts';
import type { Agent } from '../../src/ports/agent.ts';
import { PROGRAM, workshop } from '../cli/rig.ts';
import { type ModelServer, type Reply, startModelServer } from './model-server.ts';
import { DRAFTED, expectOneDraft, ONE_TASK } from './one-draft.ts';
import { claudeProgram, claudeVariables } from './real-claude-program.ts';
import { AgentRig, isRunning } from './rig.ts';

const program = claudeProgram();
const obstacle = 'obstacle' in program ? program.obstacle : undefined;

describe.skipIf(obstacle !== undefined)(
  `the installed Claude Code${obstacle === undefined ? '' : ` (skipped: ${obstacle})`}`,
  () => {
    let rig: AgentRig;
    let server: ModelServer;
    beforeEach(() => {
      rig = new AgentRig();
    });
    afterEach(async () => {
      await rig.close();
      await server.close();
    });

    /** The program with a home of its own and a model that follows a script; it cannot reach another. */
    async function claude(
      script: readonly [Reply, ...Reply[]],
      options: Partial<ClaudeCodeOptions> = {},
    ): Promise<Agent> {
      server = await startModelServer(script);
      const home = join(rig.dir, 'home');
      mkdirSync(home, { recursive: true });
      const own = { PATH: process.env.PATH, ...claudeVariables(home, server.url) };
      const env = allowedEnvironment(own, { pass: [...CLAUDE_CODE_VARIABLES, 'IS_SANDBOX'] });
      return claudeCodeAgent({
        program: 'path' in program ? program.path : 'claude',
        processes: rig.processes,
        newId: () => crypto.randomUUID(),
        ...options,
        env,
      });
    }

    test('writes a file with its own tool and gives its answer (R-DEL-1, R-DEL-4)', async () => {
      const path = join(rig.workspace, 'hello.txt');
      const agent = await claude([
        { text: 'Writing.', uses: [{ tool: 'Write', input: { file_path: path, content: 'hi\n' } }] },
        { text: 'Wrote it.\n\nTASK_COMPLETE' },
      ]);
      const outcome = await agent.work(rig.brief({ prompt: 'Task: Execute task 0 for spec demo\n' }));
      expect(outcome).toMatchObject({ how: 'completed', answer: 'Wrote it.\n\nTASK_COMPLETE', message: '' });
      expect(readFileSync(path, 'utf8')).toBe('hi\n');
      expect(outcome.usage).toMatchObject({ inputTokens: 200, outputTokens: 40 });
      expect(outcome.usage.costUsd).toBeGreaterThan(0);
      expect(JSON.stringify(server.requests[0]?.messages)).toContain('Task: Execute task 0 for spec demo');
      expect(JSON.stringify(server.requests[1]?.messages)).toContain('tool_result');
    });

    test('drafts a document with its own tools; what it writes elsewhere is put back, and fails the attempt (R-AGT-8, R-PLAN-2)', async () => {
      const shop = workshop();
      const write = (path: string, content: string) => ({
        tool: 'Write',
        input: { file_path: join(shop.dir, path), content },
      });
      const uses = [write('specs/login/tasks.md', ONE_TASK), write('stray.txt', 'stray')];
      server = await startModelServer([{ uses }, { text: DRAFTED }]);
      const home = shop.env.HOME ?? '';
      const path = 'path' in program ? dirname(program.path) : '';
      const env = { ...shop.env, ...claudeVariables(home, server.url), PATH: [path, shop.env.PATH].join(delimiter) };
      const args = ['new', 'login', 'Fix a typo', '--agent', 'claude', '--pass-env', 'IS_SANDBOX'];
      const child = spawn(process.execPath, [PROGRAM, ...args], {
        cwd: shop.dir,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const exited = new Promise<number | null>((go) => child.once('exit', go));
      const [stderr, code] = await Promise.all([text(child.stderr), exited]);
      expect(code, stderr).toBe(3);
      expectOneDraft(shop, stderr);
      shop.remove();
    });

    test.each([
      ['unauthenticated', { status: 401, type: 'authentication_error', message: 'invalid x-api-key' }],
      [
        'unauthenticated',
        {
          status: 400,
          type: 'invalid_request_error',
          message: 'Your credit balance is too low to access the Anthropic API.',
        },
      ],
      ['overloaded', { status: 429, type: 'rate_limit_error', message: 'slow down' }],
      ['overloaded', { status: 529, type: 'overloaded_error', message: 'Overloaded' }],
      ['overloaded', { fault: 'drop' }],
      ['overloaded', { status: 500, type: 'api_error', message: 'Internal' }],
      [
        'context-overflow',
        { status: 400, type: 'invalid_request_error', message: 'prompt is too long: 250000 tokens > 200000 maximum' },
      ],
      ['not-found', { status: 404, type: 'not_found_error', message: 'model: nope' }],
      ['refused', { text: 'No.', stopReason: 'refusal' }],
      ['failed', { text: '' }],
    ] as const)('is %s when the model service answers %j (R-DEL-7)', async (how, reply) => {
      const outcome = await (await claude([reply])).work(rig.brief());
      expect(outcome.how).toBe(how);
      expect(outcome.message).toMatch(/\.$/);
    });

    test('tells when the usage limit of a subscription ends (R-DEL-7)', async () => {
      const resetsAt = Math.floor(Date.now() / 1000) + 7200;
      const headers = {
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-reset': String(resetsAt),
        'anthropic-ratelimit-unified-representative-claim': 'five_hour',
        'anthropic-ratelimit-unified-5h-status': 'rejected',
        'anthropic-ratelimit-unified-5h-reset': String(resetsAt),
        'anthropic-ratelimit-unified-5h-utilization': '1',
        'anthropic-ratelimit-unified-overage-status': 'rejected',
      };
      const limit = { status: 429, type: 'rate_limit_error', message: 'limit', headers };
      const agent = await claude([limit]);
      // With a key there is no subscription, and the headers mean nothing to it.
      const variables = { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-fake' };
      expect(await agent.work(rig.brief({ variables }))).toMatchObject({
        how: 'rate-limited',
        resetsAt: new Date(resetsAt * 1000).toISOString(),
      });
    });

    test('stops at its budget and tells what it spent (R-DEL-8)', async () => {
      const read = { tool: 'Read', input: { file_path: join(rig.workspace, 'a.txt') } };
      const agent = await claude([{ uses: [read], inputTokens: 300_000, outputTokens: 15_000 }], {
        model: 'claude-sonnet-4-5',
      });
      const limits = { wallMs: 60_000, idleMs: 60_000, costUsdMax: 1 };
      expect(await agent.work(rig.brief({ limits }))).toMatchObject({ how: 'over-budget', usage: { costUsd: 1.125 } });
    });

    test('may only use the tools of an allow-list (R-SEC-3)', async () => {
      const use = { tool: 'Bash', input: { command: 'touch made-by-bash', description: 'Makes a file' } };
      const agent = await claude([{ uses: [use] }, { text: 'TASK_COMPLETE' }], {
        permissions: { mode: 'allow-list', tools: ['Read'] },
      });
      expect(await agent.work(rig.brief())).toMatchObject({
        how: 'completed',
        denials: ['Bash'],
      });
    });

    test('is silent when its model stops in the middle of a sentence (R-DEL-6)', async () => {
      const agent = await claude([{ fault: 'stall-mid-stream' }]);
      expect((await agent.work(rig.brief({ limits: { wallMs: 60_000, idleMs: 4000 } }))).how).toBe('silent');
    });

    test('leaves no tool running when it is asked to stop (R-DEL-6)', async () => {
      const pidFile = join(rig.workspace, 'tool.pid');
      writeFileSync(join(rig.workspace, 'hang.sh'), 'echo $$ > tool.pid\nexec sleep 600\n');
      const agent = await claude([
        { uses: [{ tool: 'Bash', input: { command: 'sh ./hang.sh', description: 'Hangs' } }] },
      ]);
      const stop = new AbortController();
      const working = agent.work(rig.brief({ signal: stop.signal }));
      const pid = await vi.waitFor(() => Number(readFileSync(pidFile, 'utf8').trim() || expect.fail('no id yet')), {
        timeout: 30_000,
      });
      stop.abort();
      expect((await working).how).toBe('cancelled');
      expect(isRunning(pid)).toBe(false);
    });
  },
);
