import type { Readable, Writable } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import * as z from 'zod';
import { Refused, readShown, tell } from './channel.ts';
import type { ToolReport } from './tool-report.ts';

/** What a server is bound to, and how its agent reaches it. */
export interface McpSession {
  /** The folder of the attempt, and the token that opens it. */
  readonly folder: string;
  readonly token: string;
  readonly version: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
}

const TEXT_CHARS_MAX = 10_000;
const LEARNING_CHARS_MAX = 1_000;
const TASKS_MAX = 20;

const text = z.string().trim().min(1).max(TEXT_CHARS_MAX);

/** Offers the tools of one attempt on stdio until the agent leaves (R-AGT-9). */
export async function serveTools({ folder, token, version, stdin, stdout }: McpSession): Promise<void> {
  const server = new McpServer({ name: 'specloop', version });
  const say: Say = (report, reply) =>
    answer(() => {
      tell(folder, token, report);
      return reply;
    });
  addClaims(server, say);
  server.registerTool(
    'add_learning',
    {
      description: 'Note something that later tasks should know. It goes into the progress file.',
      inputSchema: { text: z.string().trim().min(1).max(LEARNING_CHARS_MAX) },
    },
    ({ text: learning }) => say({ learning }, 'Noted.'),
  );
  server.registerTool('get_task', { description: 'Show the task of this attempt as it is in the plan.' }, () =>
    answer(() => readShown(folder, token).task),
  );
  server.registerTool(
    'get_progress',
    { description: 'Show the notes of the run: the goal, completed tasks, learnings.' },
    () => answer(() => readShown(folder, token).progress),
  );
  const isOver = new Promise<void>((resolve) => stdin.once('end', resolve).once('close', resolve));
  await server.connect(new StdioServerTransport(stdin, stdout));
  await isOver;
  await server.close();
}

type Say = (report: ToolReport, reply: string) => ToolReply;

/** The tools that mean what a signal means. */
function addClaims(server: McpServer, say: Say): void {
  server.registerTool(
    'task_complete',
    {
      description: 'Say that the whole task is done and its check passes. End your answer after it.',
      inputSchema: { summary: text.optional() },
    },
    ({ summary }) =>
      say(
        { claim: { status: 'complete', ...(summary !== undefined && { summary }) } },
        'Noted. The work is checked now.',
      ),
  );
  server.registerTool(
    'task_failed',
    {
      description: 'Say that the task cannot be done, or its check does not pass, and why.',
      inputSchema: { error: text },
    },
    ({ error }) => say({ claim: { status: 'failed', error } }, 'Noted. The next attempt is told.'),
  );
  server.registerTool(
    'needs_input',
    {
      description: 'Ask a person what only a person can decide, and stop. The next attempt gets the answer.',
      inputSchema: { question: text },
    },
    ({ question }) => say({ claim: { status: 'needs-input', question } }, 'Noted. Stop here; a person is asked.'),
  );
  server.registerTool(
    'request_modification',
    {
      description: 'Ask for a change of the plan, where the task cannot be done as it stands.',
      inputSchema: {
        type: z.enum(['SPLIT_TASK', 'ADD_PREREQUISITE', 'ADD_FOLLOWUP']),
        originalTaskId: text,
        reasoning: text,
        proposedTasks: z.array(text).min(1).max(TASKS_MAX),
      },
    },
    (request) => say({ claim: { status: 'modification-requested', request } }, 'Noted. It is looked at when you end.'),
  );
}

interface ToolReply {
  readonly [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  isError?: boolean;
}

/** A refusal is the answer to a call, so that the agent reads it. */
function answer(make: () => string): ToolReply {
  try {
    return { content: [{ type: 'text', text: make() }] };
  } catch (error) {
    const why = error instanceof Refused ? error.message : 'Refused: the attempt cannot be reached.';
    return { content: [{ type: 'text', text: why }], isError: true };
  }
}
