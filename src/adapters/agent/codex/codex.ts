import { join } from 'node:path';
import type { Agent, Brief, McpServerEntry } from '../../../ports/agent.ts';
import type { AgentKind, AgentOrder } from '../agent-kind.ts';
import { hasOption } from '../has-option.ts';
import { streamAgent } from '../stream-agent.ts';
import { EMPTY_CODEX_TRANSCRIPT, readLine } from './events.ts';
import { judgeTurn } from './verdict.ts';

/** Variables of the user's environment that are Codex's own (R-SEC-2). Other `CODEX_*` variables belong to a session around us. */
const CODEX_VARIABLES: readonly string[] = [
  'CODEX_ACCESS_TOKEN',
  'CODEX_API_KEY',
  'CODEX_CA_CERTIFICATE',
  'CODEX_HOME',
  'OPENAI_*',
  'SSL_CERT_FILE',
];

const UNATTENDED = '--dangerously-bypass-approvals-and-sandbox';

/** Codex, as the rest of the program knows it. A provider of the user's own may read a key of any name. */
export const CODEX: AgentKind = {
  name: 'codex',
  program: 'codex',
  tellsLimits: true,
  about: {
    can: ['model', 'tokens', 'limits', 'tools'],
    untested: ['limits'],
    tested: { from: '0.171.0', to: '0.171.0' },
    keys: ['CODEX_API_KEY', 'CODEX_ACCESS_TOKEN'],
    signIn: { args: ['login', 'status'], read: ({ code }) => (code === 0 ? 'yes' : 'no') },
    unattended: { args: ['exec', '--help'], option: UNATTENDED },
  },
  variables: () => ({ passed: CODEX_VARIABLES, missed: ['*_API_KEY'] }),
  make: codexAgent,
};

/** An interrupt lets it end its tools; a termination leaves what they started. */
const STOP_STEPS = [
  { signal: 'SIGINT', graceMs: 5000 },
  { signal: 'SIGTERM', graceMs: 5000 },
] as const;

/** Options of its own that say what it may do. */
const PERMISSION_OPTIONS = ['-s', '--sandbox', 'sandbox_mode', '--dangerously-bypass-approvals-and-sandbox', '--yolo'];

/** Codex as an agent (R-AGT-1): `codex exec`, one thread per attempt. The user installs it and signs in. */
export function codexAgent(options: AgentOrder): Agent {
  const { program, processes, env } = options;
  return streamAgent({
    name: 'codex',
    program,
    processes,
    arguments: (brief) => argumentsOf(options, brief),
    env,
    writable: () => stateOf(env),
    stopSteps: STOP_STEPS,
    empty: EMPTY_CODEX_TRANSCRIPT,
    read: readLine,
    judge: judgeTurn,
  });
}

/** `-` takes the prompt from stdin. It comes first, since an option of the user's may take all words that follow it. */
function argumentsOf({ model, args = [] }: AgentOrder, { tools }: Brief): readonly string[] {
  return [
    ...['exec', '-', '--json', '--skip-git-repo-check'],
    ...(model === undefined ? [] : ['--model', model]),
    ...(tools === undefined ? [] : ['-c', `mcp_servers.specloop=${inToml(tools)}`]),
    ...(hasOption(args, PERMISSION_OPTIONS) ? [] : [UNATTENDED]),
    ...args,
  ];
}

/** A text of JSON is one of TOML, too. */
function inToml({ command, args, env }: McpServerEntry): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `{command=${JSON.stringify(command)},args=${JSON.stringify(args)},env={${variables.join(',')}}}`;
}

/** Where it keeps its sign-in, settings and sessions. */
function stateOf({ CODEX_HOME, HOME }: AgentOrder['env']): readonly string[] {
  if (CODEX_HOME !== undefined) return [CODEX_HOME];
  return HOME === undefined ? [] : [join(HOME, '.codex')];
}
