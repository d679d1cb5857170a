import packageFile from '../../../package.json' with { type: 'json' };
import { UserError } from '../../core/user-error.ts';
import type { Command } from '../shared/command.ts';

/** The tools of one attempt, as an MCP server on stdio (R-AGT-9). An agent starts it, with what it was given by a run. */
export const mcp: Command = {
  operands: [],
  options: [],
  details:
    'A run gives it to agents that take an MCP server, bound to one attempt: the agent can end its task, ask, and note learnings by tools. There is nothing to configure.',
  examples: [['mcp', 'Serves the tools of the attempt whose agent started it.']],
  run: async ({ env, stdout }) => {
    const { serveAttempt } = await import('../../app/mcp.ts');
    const isServed = await serveAttempt(env, { version: packageFile.version, stdin: process.stdin, stdout });
    if (isServed) return 0;
    throw new UserError(
      'This is the server of the tools that specloop gives to its agents; it is not started by hand.',
      'Start a run with "specloop implement": agents that take an MCP server get it.',
    );
  },
};
