import { join } from 'node:path';
import type { Agent, McpServerEntry } from '../../../ports/agent.ts';
import type { AgentKind, AgentOrder, ProgramAnswer, SignedIn } from '../agent-kind.ts';
import { fields, type JsonFields, parseFields } from '../json-fields.ts';
import { streamAgent } from '../stream-agent.ts';
import { EMPTY_OPENCODE_TRANSCRIPT, readLine } from './events.ts';
import { judgeRun } from './verdict.ts';

/** Variables of the user's environment that are opencode's own (R-SEC-2). Other `OPENCODE*` variables belong to a session around us. */
const OPENCODE_VARIABLES: readonly string[] = [
  'NODE_EXTRA_CA_CERTS',
  'OPENCODE_API_KEY',
  'OPENCODE_CONFIG',
  'OPENCODE_CONFIG_CONTENT',
  'OPENCODE_CONFIG_DIR',
  'OPENCODE_DISABLE_*',
  'OPENCODE_ENABLE_*',
  'OPENCODE_EXPERIMENTAL*',
  'OPENCODE_MODELS_URL',
  'OPENCODE_PERMISSION',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
];

/** It lists what it is signed in to, and how much that is; models of its own need no account. */
function signedIn({ code, stdout }: ProgramAnswer): SignedIn {
  const count = /(\d+) credentials?/.exec(stdout)?.[1];
  if (code !== 0 || count === undefined) return 'unknown';
  return count === '0' ? 'no' : 'yes';
}

/** opencode, as the rest of the program knows it. It has no model of its own: a key of its providers is passed on where a person says so. */
export const OPENCODE: AgentKind = {
  name: 'opencode',
  program: 'opencode',
  tellsLimits: true,
  about: {
    can: ['model', 'tokens', 'cost', 'limits', 'denials', 'tools'],
    untested: ['limits'],
    tested: { from: '1.18.33', to: '1.18.33' },
    signIn: { args: ['auth', 'list'], read: signedIn },
    unattended: { args: ['run', '--help'], option: '--auto' },
  },
  variables: () => ({
    passed: OPENCODE_VARIABLES,
    missed: ['*_API_KEY', '*_AUTH_TOKEN', 'AWS_*', 'AZURE_*', 'GOOGLE_*'],
  }),
  make: opencodeAgent,
};

/** What a user may set otherwise. */
const DEFAULT_VARIABLES = { OPENCODE_DISABLE_AUTOUPDATE: '1' };

/** opencode as an agent (R-AGT-1): `opencode run`, one session per attempt. The user installs it and signs in. */
export function opencodeAgent(options: AgentOrder): Agent {
  const { program, processes, env } = options;
  return streamAgent({
    name: 'opencode',
    program,
    processes,
    arguments: () => argumentsOf(options),
    env: { ...DEFAULT_VARIABLES, ...env },
    toolVariables: (tools) => ({
      OPENCODE_CONFIG_CONTENT: withServer(parseFields(env.OPENCODE_CONFIG_CONTENT ?? ''), tools),
    }),
    writable: () => stateOf(env),
    empty: EMPTY_OPENCODE_TRANSCRIPT,
    read: readLine,
    judge: judgeRun,
  });
}

/** `--auto` allows what no rule of the user's denies. */
function argumentsOf({ model, args = [] }: AgentOrder): readonly string[] {
  return ['run', '--format', 'json', '--auto', ...(model === undefined ? [] : ['--model', model]), ...args];
}

/** The settings that the user gives it in a variable, and the MCP server of the attempt. */
function withServer(own: JsonFields, { command, args, env }: McpServerEntry): string {
  const specloop = { type: 'local', command: [command, ...args], environment: env, enabled: true };
  return JSON.stringify({ ...own, mcp: { ...fields(own.mcp), specloop } });
}

/** Where it keeps its sign-in, settings, sessions and what it downloads. */
function stateOf(env: AgentOrder['env']): readonly string[] {
  const folders = [
    [env.XDG_CONFIG_HOME, '.config'],
    [env.XDG_DATA_HOME, '.local/share'],
    [env.XDG_CACHE_HOME, '.cache'],
    [env.XDG_STATE_HOME, '.local/state'],
  ] as const;
  return folders.flatMap(([own, usual]) => {
    const folder = own ?? (env.HOME === undefined ? undefined : join(env.HOME, usual));
    return folder === undefined ? [] : [join(folder, 'opencode')];
  });
}
