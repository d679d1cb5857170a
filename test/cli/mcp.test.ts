import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { offerTools } from '../../src/adapters/mcp/offer-tools.ts';
import type { AgentOutcome, Brief, McpServerEntry } from '../../src/ports/agent.ts';
import { PROGRAM, workshop } from './rig.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mcp-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const DONE: AgentOutcome = { how: 'completed', answer: 'Done.', message: '', usage: {}, durationMs: 1 };
const BRIEF = {
  role: 'executor',
  prompt: 'p',
  workspace: '/',
  variables: {},
  limits: { wallMs: 1, idleMs: 1 },
  logFile: '/dev/null',
  signal: new AbortController().signal,
  shown: { task: '- [ ] 1.1 Task 1.1', progress: '- the sky is high' },
} as const satisfies Brief;

let tokens = 0;
/** An attempt whose agent does this with the tools that it is given. */
const attempt = (work: (tools: McpServerEntry) => Promise<void>, brief: Brief = BRIEF) =>
  offerTools(
    {
      name: 'fake',
      work: async ({ tools }) => {
        if (tools) await work(tools);
        return DONE;
      },
    },
    {
      command: process.execPath,
      args: [PROGRAM, 'mcp'],
      makeFolder: () => mkdtempSync(join(root, 'attempt-')),
      newToken: () => `token-${tokens++}`,
    },
  ).work(brief);

/** Calls tools of a server as an agent does; resolves with the text of each answer. */
async function call({ command, args, env }: McpServerEntry, ...calls: readonly [string, object?][]): Promise<string[]> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args: [...args], env: { ...env } }));
  try {
    const replies: string[] = [];
    for (const [name, given = {}] of calls) {
      const { content, isError } = await client.callTool({ name, arguments: { ...given } });
      replies.push(`${isError ? 'ERROR ' : ''}${(content as { text: string }[]).map(({ text }) => text).join()}`);
    }
    return replies;
  } finally {
    await client.close();
  }
}

test('an agent sees its own task and the notes, and what it says by tools comes with its outcome (R-AGT-9)', async () => {
  const request = { type: 'SPLIT_TASK', originalTaskId: '1.1', reasoning: 'big', proposedTasks: ['- [ ] 1.1.1 x'] };
  let seen: string[] = [];
  const outcome = await attempt(async (tools) => {
    seen = await call(
      tools,
      ['get_task'],
      ['get_progress'],
      ['add_learning', { text: 'water is wet' }],
      ['task_failed', { error: 'no' }],
      ['needs_input', { question: 'Which port?' }],
      ['request_modification', request],
      ['task_complete', { summary: 'all of it' }],
    );
  });
  expect(seen.slice(0, 2)).toEqual(['- [ ] 1.1 Task 1.1', '- the sky is high']);
  expect(outcome.learnings).toEqual(['water is wet']);
  expect(outcome.claims).toEqual([
    { status: 'failed', error: 'no' },
    { status: 'needs-input', question: 'Which port?' },
    { status: 'modification-requested', request },
    { status: 'complete', summary: 'all of it' },
  ]);
});

test('the token of another attempt, and a call after the end, are refused, and change nothing (R-AGT-9)', async () => {
  let first: McpServerEntry | undefined;
  await attempt(async (tools) => {
    first = tools;
  });
  const second = await attempt(async (tools) => {
    const mixed = { ...tools, env: { ...tools.env, SPECLOOP_MCP_TOKEN: first?.env.SPECLOOP_MCP_TOKEN ?? '' } };
    const replies = await call(mixed, ['task_complete'], ['get_task'], ['add_learning', { text: 'x' }]);
    for (const reply of replies) expect(reply).toBe('ERROR Refused: the token belongs to another attempt.');
  });
  expect(second).toEqual(DONE);
  if (first) expect((await call(first, ['task_complete']))[0]).toMatch(/^ERROR Refused: the attempt is over/);
});

test('a call that makes no sense is refused with the reason (R-AGT-9)', async () => {
  const outcome = await attempt(async (tools) => {
    const replies = await call(tools, ['task_failed'], ['add_learning', { text: 'x'.repeat(5_000) }]);
    expect(replies.every((reply) => reply.startsWith('ERROR'))).toBe(true);
  });
  expect(outcome).toEqual(DONE);
});

test('what an agent writes into its channel itself is read with care, and what is damaged is reported (R-AGT-9)', async () => {
  const lines = ['{"claim":{"status":"failed","error":"e"}}', 'nonsense', '{"claim":{"status":"x"}}'];
  const outcome = await attempt(async ({ folder }) =>
    writeFileSync(join(folder, 'told.jsonl'), lines.map((line) => `${line}\n`).join('')),
  );
  expect(outcome.claims).toEqual([{ status: 'failed', error: 'e' }]);
  expect(outcome.warnings).toEqual([expect.stringContaining('damaged')]);
});

test('without anything to show the agent works without tools (R-AGT-9)', async () => {
  const { shown: _shown, ...bare } = BRIEF;
  const work = async () => {
    throw new Error('it was given tools');
  };
  expect(await attempt(work, bare)).toEqual(DONE);
});

test('started by hand it says what it is for (R-AGT-9, R-UX-4)', () => {
  const shop = workshop();
  try {
    expect(shop.run('mcp')).toMatchObject({ code: 2, stderr: expect.stringContaining('not started by hand') });
  } finally {
    shop.remove();
  }
});
