import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, Brief, McpServerEntry } from '../../../ports/agent.ts';
import type { AgentKind, AgentOrder, AgentVariables, ProgramAnswer, SignedIn } from '../agent-kind.ts';
import { hasOption } from '../has-option.ts';
import { parseFields } from '../json-fields.ts';
import { streamAgent } from '../stream-agent.ts';
import { EMPTY_CLAUDE_TRANSCRIPT, readLine } from './events.ts';
import { judgeSession } from './verdict.ts';

/**
 * What Claude Code may do without asking; an unattended agent has no one to ask. `bypass`: everything. `allow-list`:
 * only these tools, in the program's own notation, as `Write` or `Bash(git *)`.
 */
export type ClaudePermissions =
  | { readonly mode: 'bypass' }
  | { readonly mode: 'allow-list'; readonly tools: readonly [string, ...string[]] };

/** How Claude Code is run. */
export interface ClaudeCodeOptions extends AgentOrder {
  /** Default `bypass`. */
  readonly permissions?: ClaudePermissions;
  /** Turns after which an attempt fails. Default: no limit. */
  readonly turnsMax?: number;
  /** How long it may take to leave once it has given its result. Default 10 seconds. */
  readonly graceAfterResultMs?: number;
}

/**
 * Variables of the user's environment that are Claude Code's own, so that it gets them without being told (R-SEC-2); a
 * name that ends in `*` stands for all names that begin so. Other `CLAUDE*` variables belong to a session around us.
 */
export const CLAUDE_CODE_VARIABLES: readonly string[] = [
  'ANTHROPIC_*',
  'API_TIMEOUT_MS',
  'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
  'CLAUDE_CODE_MAX_OUTPUT_TOKENS',
  'CLAUDE_CODE_MAX_RETRIES',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_SKIP_BEDROCK_AUTH',
  'CLAUDE_CODE_SKIP_FOUNDRY_AUTH',
  'CLAUDE_CODE_SKIP_VERTEX_AUTH',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_FOUNDRY',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CONFIG_DIR',
  'NODE_EXTRA_CA_CERTS',
];

/** For each switch to another provider of its models: where that is, and what its accounts are known by. */
const PROVIDERS = [
  { switch: 'CLAUDE_CODE_USE_BEDROCK', place: ['AWS_REGION', 'AWS_DEFAULT_REGION'], accounts: ['AWS_*'] },
  {
    switch: 'CLAUDE_CODE_USE_VERTEX',
    place: ['CLOUD_ML_REGION', 'VERTEX_REGION_*'],
    accounts: ['GOOGLE_*', 'GCLOUD_*'],
  },
  { switch: 'CLAUDE_CODE_USE_FOUNDRY', place: [], accounts: ['AZURE_*'] },
] as const;

/** What accounts of a cloud are known by is passed on only where a person says so (R-SEC-2). */
function variables(env: Readonly<Record<string, string | undefined>>): AgentVariables {
  const chosen = PROVIDERS.filter((provider) => (env[provider.switch] ?? '') !== '');
  return {
    passed: [...CLAUDE_CODE_VARIABLES, ...chosen.flatMap(({ place }) => place)],
    missed: chosen.flatMap(({ accounts }) => accounts),
  };
}

/** Claude Code, as the rest of the program knows it. */
export const CLAUDE_CODE: AgentKind = {
  name: 'claude',
  program: 'claude',
  tellsLimits: true,
  about: {
    can: ['model', 'tokens', 'cost', 'budget', 'limits', 'denials', 'tools'],
    untested: ['tools'],
    tested: { from: '2.1.197', to: '2.1.332' },
    keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
    signIn: { args: ['auth', 'status', '--json'], read: signedIn },
    unattended: { args: ['--help'], option: '--dangerously-skip-permissions' },
  },
  variables,
  make: claudeCodeAgent,
};

/** It answers as JSON. */
function signedIn({ stdout }: ProgramAnswer): SignedIn {
  const { loggedIn } = parseFields(stdout);
  return typeof loggedIn === 'boolean' ? (loggedIn ? 'yes' : 'no') : 'unknown';
}

/** What a user may set otherwise. Few retries, because long waits are the coordinator's. */
const DEFAULT_VARIABLES = { CLAUDE_CODE_MAX_RETRIES: '3', DISABLE_AUTOUPDATER: '1' };

/** What keeps it from giving results while work of its own goes on in the background. */
const FIXED_VARIABLES = { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' };

/** An interrupt lets it end its tools; a termination may leave them running. */
const STOP_STEPS = [
  { signal: 'SIGINT', graceMs: 5000 },
  { signal: 'SIGTERM', graceMs: 5000 },
] as const;

/**
 * Claude Code as an agent (R-DEL-1): one session per attempt, without a terminal, its events read as they come. The
 * user installs it and signs in; nothing here knows a credential.
 */
export function claudeCodeAgent(options: ClaudeCodeOptions): Agent {
  const { program, processes, env, graceAfterResultMs } = options;
  return streamAgent({
    name: 'claude-code',
    program,
    processes,
    arguments: (brief) => argumentsOf(options, brief),
    env: { ...DEFAULT_VARIABLES, ...env, ...FIXED_VARIABLES },
    writable: () => stateOf(env),
    stopSteps: STOP_STEPS,
    ...(graceAfterResultMs !== undefined && { graceAtRestMs: graceAfterResultMs }),
    empty: EMPTY_CLAUDE_TRANSCRIPT,
    read: readLine,
    judge: judgeSession,
  });
}

/** Where it keeps its sign-in, settings and sessions. */
function stateOf({ CLAUDE_CONFIG_DIR, HOME }: ClaudeCodeOptions['env']): readonly string[] {
  if (CLAUDE_CONFIG_DIR !== undefined) return [CLAUDE_CONFIG_DIR];
  if (HOME === undefined) return [];
  const file = join(HOME, '.claude.json');
  return [join(HOME, '.claude'), ...(existsSync(file) ? [file] : [])];
}

/** Options of its own that say what it may do. */
const PERMISSION_OPTIONS = ['--permission-mode', '--dangerously-skip-permissions', '--allowedTools', '--allowed-tools'];

function argumentsOf(
  { model, turnsMax, permissions = { mode: 'bypass' }, newId, args = [] }: ClaudeCodeOptions,
  { limits, tools }: Brief,
): string[] {
  const isUsers = hasOption(args, PERMISSION_OPTIONS);
  return [
    ...['-p', '--output-format', 'stream-json', '--verbose', '--session-id', newId()],
    ...(model === undefined ? [] : ['--model', model]),
    ...(turnsMax === undefined ? [] : ['--max-turns', String(turnsMax)]),
    ...(limits.costUsdMax === undefined ? [] : ['--max-budget-usd', String(limits.costUsdMax)]),
    ...(tools === undefined ? [] : ['--mcp-config', serverConfig(tools)]),
    ...(isUsers ? [] : permissionArguments(permissions)),
    ...(tools !== undefined && (isUsers || permissions.mode === 'allow-list') ? ['--allowedTools', OWN_TOOLS] : []),
    ...args,
  ];
}

/** The tools of an attempt, in the program's own notation. */
const OWN_TOOLS = 'mcp__specloop';

/** The user's own servers stay. */
function serverConfig({ command, args, env }: McpServerEntry): string {
  return JSON.stringify({ mcpServers: { specloop: { type: 'stdio', command, args, env } } });
}

/** The list of tools takes all arguments up to the next option. */
function permissionArguments(permissions: ClaudePermissions): readonly string[] {
  switch (permissions.mode) {
    case 'bypass':
      return ['--dangerously-skip-permissions'];
    case 'allow-list':
      return ['--permission-mode', 'dontAsk', '--allowedTools', ...permissions.tools];
  }
}
