import { join } from 'node:path';
import type { Agent } from '../../../ports/agent.ts';
import type { AgentKind, AgentOrder } from '../agent-kind.ts';
import { hasOption } from '../has-option.ts';
import { streamAgent } from '../stream-agent.ts';
import { EMPTY_GEMINI_TRANSCRIPT, readLine } from './events.ts';
import { judgeSession } from './verdict.ts';

/** Variables of the user's environment that are Gemini CLI's own (R-SEC-2). Other `GEMINI_*` variables belong to a session around us. */
const GEMINI_VARIABLES: readonly string[] = [
  'GEMINI_API_KEY',
  'GEMINI_API_KEY_AUTH_MECHANISM',
  'GEMINI_CLI_HOME',
  'GEMINI_CLI_SYSTEM_SETTINGS_PATH',
  'GEMINI_MODEL',
  'GEMINI_SANDBOX',
  'GEMINI_SYSTEM_MD',
  'GOOGLE_API_KEY',
  'GOOGLE_CLOUD_LOCATION',
  'GOOGLE_CLOUD_PROJECT',
  'GOOGLE_CLOUD_PROJECT_ID',
  'GOOGLE_GEMINI_BASE_URL',
  'GOOGLE_GENAI_API_VERSION',
  'GOOGLE_GENAI_USE_GCA',
  'GOOGLE_GENAI_USE_VERTEXAI',
  'GOOGLE_VERTEX_BASE_URL',
  'NODE_EXTRA_CA_CERTS',
];

/** Gemini CLI, as the rest of the program knows it. What accounts of a cloud are known by is passed on only where a person says so. */
export const GEMINI: AgentKind = {
  name: 'gemini',
  program: 'gemini',
  tellsLimits: true,
  about: {
    can: ['model', 'tokens', 'limits'],
    untested: ['limits'],
    tested: { from: '0.61.0', to: '0.61.0' },
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    unattended: { args: ['--help'], option: '--yolo' },
  },
  variables: () => ({ passed: GEMINI_VARIABLES, missed: ['GOOGLE_APPLICATION_CREDENTIALS'] }),
  make: geminiAgent,
};

/**
 * Without a second process of its own, which would keep signals from the first. A run begins only in a workspace that the
 * user trusts, so that it need not ask again (R-SEC-1).
 */
const FIXED_VARIABLES = { GEMINI_CLI_NO_RELAUNCH: 'true', GEMINI_CLI_TRUST_WORKSPACE: 'true' };

/** Options of its own that say what it may do. */
const PERMISSION_OPTIONS = ['-y', '--yolo', '--approval-mode'];

/** Gemini CLI as an agent (R-AGT-1): one session per attempt, without a terminal. The user installs it and signs in. */
export function geminiAgent(options: AgentOrder): Agent {
  const { program, processes, env } = options;
  return streamAgent({
    name: 'gemini',
    program,
    processes,
    arguments: () => argumentsOf(options),
    env: { ...env, ...FIXED_VARIABLES },
    writable: () => stateOf(env),
    empty: EMPTY_GEMINI_TRANSCRIPT,
    read: readLine,
    judge: judgeSession,
  });
}

function argumentsOf({ model, args = [] }: AgentOrder): readonly string[] {
  return [
    ...['--output-format', 'stream-json'],
    ...(model === undefined ? [] : ['--model', model]),
    ...(hasOption(args, PERMISSION_OPTIONS) ? [] : ['--yolo']),
    ...args,
  ];
}

/** Where it keeps its sign-in, settings and sessions. */
function stateOf({ GEMINI_CLI_HOME, HOME }: AgentOrder['env']): readonly string[] {
  const home = GEMINI_CLI_HOME ?? HOME;
  return home === undefined ? [] : [join(home, '.gemini')];
}
