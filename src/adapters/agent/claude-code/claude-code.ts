import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, AgentOutcome, Brief } from '../../../ports/agent.ts';
import type { Ended, Launch } from '../../../ports/process.ts';
import type { AgentKind, AgentOrder, AgentVariables } from '../agent-kind.ts';
import { type AgentVerdict, judge } from '../ending.ts';
import { boundedAnswer } from '../printed.ts';
import { EMPTY_TRANSCRIPT, readLine, type Transcript, toolUseIn } from './events.ts';
import { judgeSession } from './verdict.ts';

/**
 * What Claude Code may do without asking; an unattended agent has no one to ask. `bypass`: everything. `allow-list`:
 * only these tools, in the program's own notation, as `Write` or `Bash(git *)`; a denied tool fails the attempt.
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
  variables,
  make: claudeCodeAgent,
};

/** What a user may set otherwise. Few retries, because long waits are the coordinator's. */
const DEFAULT_VARIABLES = { CLAUDE_CODE_MAX_RETRIES: '3', DISABLE_AUTOUPDATER: '1' };

/** What keeps it from giving results while work of its own goes on in the background. */
const FIXED_VARIABLES = { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' };

/** An interrupt lets it end its tools; a termination may leave them running. */
const STOP_STEPS = [
  { signal: 'SIGINT', graceMs: 5000 },
  { signal: 'SIGTERM', graceMs: 5000 },
] as const;

const LINE_BYTES_MAX = 16 * 1024 * 1024;
const TAIL_BYTES_MAX = 64 * 1024;

/**
 * Claude Code as an agent (R-DEL-1): one session per attempt, without a terminal, its events read as they come. The
 * user installs it and signs in; nothing here knows a credential.
 */
export function claudeCodeAgent(options: ClaudeCodeOptions): Agent {
  return {
    name: 'claude-code',
    async work(brief: Brief): Promise<AgentOutcome> {
      const { ended, transcript } = await follow(options, brief);
      const attempted = { program: options.program, limits: brief.limits };
      const onExit = (code: number): AgentVerdict => judgeSession(transcript, { code, stderr: ended.stderr.text });
      const verdict = isEndOfGrace(ended, brief) ? onExit(0) : judge(ended, attempted, onExit);
      return {
        ...verdict,
        answer: boundedAnswer(
          verdict.how === 'completed' ? (transcript.result?.text ?? '') : transcript.lastText,
          brief.keepLine,
        ),
        usage: transcript.result?.usage ?? {},
        durationMs: ended.durationMs,
      };
    },
  };
}

/**
 * Runs a session to its end. It is known to stay after its result, so a timer ends it then; what it prints on being
 * ended is no longer its answer.
 */
async function follow(options: ClaudeCodeOptions, brief: Brief): Promise<{ ended: Ended; transcript: Transcript }> {
  const { graceAfterResultMs = 10_000, processes } = options;
  // Silence after a result is not held against it, so its grace is over before its silence limit.
  const graceMs = Math.min(graceAfterResultMs, brief.limits.idleMs / 2);
  const grace = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let transcript = EMPTY_TRANSCRIPT;
  const onLine = (line: string): void => {
    if (grace.signal.aborted) return;
    const use = toolUseIn(line);
    if (use !== undefined) brief.onEvent?.(use);
    const before = transcript;
    transcript = readLine(before, line);
    if (transcript.at === before.at && transcript.result === before.result) return;
    clearTimeout(timer);
    if (transcript.at === 'rest') timer = setTimeout(() => grace.abort(), graceMs);
  };
  try {
    const launch = launchOf(options, brief);
    const ended = await processes.run({ ...launch, onLine, signal: AbortSignal.any([brief.signal, grace.signal]) });
    return { ended, transcript };
  } finally {
    clearTimeout(timer);
  }
}

/** Whether we ended it only because it stayed after its result: then the result counts. */
function isEndOfGrace(ended: Ended, { signal }: Brief): boolean {
  return ended.how === 'killed' && ended.by === 'cancel' && !signal.aborted;
}

function launchOf(options: ClaudeCodeOptions, brief: Brief): Launch {
  return {
    argv: [options.program, ...argumentsOf(options, brief)],
    cwd: brief.workspace,
    ...(brief.tree !== undefined && { tree: brief.tree }),
    env: { ...DEFAULT_VARIABLES, ...options.env, ...FIXED_VARIABLES, ...brief.variables },
    stdin: brief.prompt,
    limits: { wallMs: brief.limits.wallMs, idleMs: brief.limits.idleMs },
    stopSteps: STOP_STEPS,
    tailBytesMax: TAIL_BYTES_MAX,
    lineBytesMax: LINE_BYTES_MAX,
    logFile: brief.logFile,
    writable: stateOf(options.env),
    ...(brief.onEvent && { onActivity: () => brief.onEvent?.({ type: 'output' }) }),
  };
}

/** Where it keeps its sign-in, settings and sessions. */
function stateOf({ CLAUDE_CONFIG_DIR, HOME }: ClaudeCodeOptions['env']): readonly string[] {
  if (CLAUDE_CONFIG_DIR !== undefined) return [CLAUDE_CONFIG_DIR];
  if (HOME === undefined) return [];
  const file = join(HOME, '.claude.json');
  return [join(HOME, '.claude'), ...(existsSync(file) ? [file] : [])];
}

function argumentsOf(
  { model, turnsMax, permissions = { mode: 'bypass' }, newId, args = [] }: ClaudeCodeOptions,
  { limits }: Brief,
): string[] {
  return [
    ...['-p', '--output-format', 'stream-json', '--verbose', '--session-id', newId()],
    ...(model === undefined ? [] : ['--model', model]),
    ...(turnsMax === undefined ? [] : ['--max-turns', String(turnsMax)]),
    ...(limits.costUsdMax === undefined ? [] : ['--max-budget-usd', String(limits.costUsdMax)]),
    ...args,
    ...permissionArguments(permissions),
  ];
}

/** The list of tools takes all arguments that follow, so these come last. */
function permissionArguments(permissions: ClaudePermissions): readonly string[] {
  switch (permissions.mode) {
    case 'bypass':
      return ['--dangerously-skip-permissions'];
    case 'allow-list':
      return ['--permission-mode', 'dontAsk', '--allowedTools', ...permissions.tools];
  }
}
