import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentKind } from '../../src/adapters/agent/agent-kind.ts';
import { CODEX } from '../../src/adapters/agent/codex/codex.ts';
import { GEMINI } from '../../src/adapters/agent/gemini/gemini.ts';
import { OPENCODE } from '../../src/adapters/agent/opencode/opencode.ts';
import { CHAT, GEMINI_API, type ModelProtocol, RESPONSES } from './model-protocols.ts';
import type { Failure, ToolUse } from './model-server.ts';

/** Where `npm run test:agents` puts the programs. */
const INSTALLED = join(import.meta.dirname, '../../node_modules/.cache/specloop-agents/node_modules');

/** The program of an agent as it is installed, and how it is made to talk to a model of ours. */
export interface RealAgent {
  readonly kind: AgentKind;
  /** Absolute path of its program. */
  readonly program: string;
  readonly model: string;
  readonly protocol: ModelProtocol;
  /** Its own variables, with what it needs put below this home. */
  settings(home: string, url: string): Readonly<Record<string, string>>;
  /** The call of a tool that writes a file, and that runs a command. */
  writes(path: string, content: string): ToolUse;
  runs(command: string): ToolUse;
  /** How it names a tool of our MCP server; absent where it is not given one. */
  readonly ownTool?: (name: string) => Omit<ToolUse, 'input'>;
  /** What keeps it from running commands; absent where it tells no denial. */
  readonly denial?: { readonly args?: readonly string[]; readonly variables?: Readonly<Record<string, string>> };
  /** What its service answers when a usage limit is reached. */
  readonly usageLimit: Failure;
}

export const codex: RealAgent = {
  kind: CODEX,
  program: join(INSTALLED, '.bin/codex'),
  model: 'fake-model',
  protocol: RESPONSES,
  settings(home, url) {
    const folder = join(home, 'codex');
    mkdirSync(folder, { recursive: true });
    const lines = [
      'model_provider = "fake"',
      'check_for_update_on_startup = false',
      '[analytics]\nenabled = false',
      `[model_providers.fake]\nname = "fake"\nbase_url = "${url}/v1"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"`,
      'request_max_retries = 1\nstream_max_retries = 1\nstream_idle_timeout_ms = 60000',
    ];
    writeFileSync(join(folder, 'config.toml'), `${lines.join('\n')}\n`);
    return { CODEX_HOME: folder, OPENAI_API_KEY: 'sk-proj-fake' };
  },
  writes: (path, content) => ({ tool: 'exec_command', input: { cmd: `printf '%s' '${content}' > '${path}'` } }),
  runs: (command) => ({ tool: 'exec_command', input: { cmd: command } }),
  ownTool: (tool) => ({ namespace: 'mcp__specloop', tool }),
  usageLimit: {
    ...{ status: 429, type: 'usage_limit_reached', message: 'The usage limit has been reached' },
    more: { plan_type: 'plus', resets_at: Math.floor(Date.now() / 1000) + 7200 },
  },
};

const gemini: RealAgent = {
  kind: GEMINI,
  program: join(INSTALLED, '.bin/gemini'),
  model: 'gemini-2.5-pro',
  protocol: GEMINI_API,
  settings(home, url) {
    mkdirSync(join(home, '.gemini'), { recursive: true });
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { maxAttempts: 1, disableAutoUpdate: true, enableAutoUpdate: false, disableUpdateNag: true },
    };
    writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings));
    return { HOME: home, GEMINI_API_KEY: 'AIza-fake', GOOGLE_GEMINI_BASE_URL: url };
  },
  writes: (path, content) => ({ tool: 'write_file', input: { file_path: path, content } }),
  runs: (command) => ({ tool: 'run_shell_command', input: { command, description: 'Runs it' } }),
  denial: { args: ['--approval-mode', 'default'] },
  usageLimit: {
    ...{ status: 429, type: 'RESOURCE_EXHAUSTED', message: 'You exceeded your current quota.' },
    more: {
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
          violations: [{ quotaMetric: 'requests', quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }],
        },
      ],
    },
  },
};

const opencode: RealAgent = {
  kind: OPENCODE,
  program: join(INSTALLED, `opencode-${process.platform}-${process.arch}/bin/opencode`),
  model: 'fake/fake-model',
  protocol: CHAT,
  settings(home, url) {
    const model = {
      tool_call: true,
      limit: { context: 100_000, output: 8000 },
      cost: { input: 3, output: 15 },
    };
    const options = { baseURL: `${url}/v1`, apiKey: 'fake' };
    const config = {
      ...{ autoupdate: false, share: 'disabled', model: 'fake/fake-model', small_model: 'fake/fake-model' },
      provider: { fake: { npm: '@ai-sdk/openai-compatible', options, models: { 'fake-model': model } } },
    };
    return {
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_DATA_HOME: join(home, 'data'),
      XDG_CACHE_HOME: join(INSTALLED, '../opencode-cache'), // Shared: it takes long to fill.
      XDG_STATE_HOME: join(home, 'state'),
      OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    };
  },
  writes: (path, content) => ({ tool: 'write', input: { filePath: path, content } }),
  runs: (command) => ({ tool: 'bash', input: { command, description: 'Runs it' } }),
  ownTool: (name) => ({ tool: `specloop_${name}` }),
  denial: { variables: { OPENCODE_PERMISSION: '{"bash":"deny"}' } },
  usageLimit: {
    ...{ status: 429, type: 'rate_limit_exceeded', message: 'Rate limit reached' },
    headers: { 'retry-after': '1' },
  },
};

export const REAL_AGENTS: readonly RealAgent[] = [codex, gemini, opencode];

/** Why an agent is not tested here; `undefined` if it is. */
export function obstacleTo({ program }: RealAgent): string | undefined {
  if (process.env.SPECLOOP_TEST_AGENTS !== '1') return 'set SPECLOOP_TEST_AGENTS=1 to run it';
  return existsSync(program) ? undefined : 'it is not installed; "npm run test:agents" installs it';
}
