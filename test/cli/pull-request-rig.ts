import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { GitHubModel, play, type Scenario, type ServedGitHub, serveGitHub } from '../../scripts/github/github.mjs';
import {
  type AgentScript,
  readTrace,
  type ScriptStep,
  scriptedAgentCommand,
  writeScript,
} from '../../src/testing/scripted-agent.ts';
import { PROGRAM, type Result, type Workshop, workshop } from './rig.ts';

/** Two tasks that the lifecycle does itself, after one for an agent. */
export const PLAN = `# Tasks

## Phase 1

- [ ] 1.1 Write a.txt
  - **Files**: a.txt
  - **Verify**: \`grep -q right a.txt\`
  - **Commit**: \`feat: write a.txt\`

## Phase 2: PR Lifecycle

- [ ] 2.1 Create the pull request
- [ ] 2.2 CI passes and reviews are answered
`;

export const DONE: ScriptStep = { print: 'It is done.\n\nTASK_COMPLETE\n' };

/** The steps of an attempt that writes files and says that it is done. */
export const writes = (texts: Readonly<Record<string, string>>): readonly ScriptStep[] => [{ write: texts }, DONE];

/** What an agent does that has no script for a task: something new each time, so that there is something to commit. */
const SCRIPT: AgentScript = {
  '1.1': [writes({ 'a.txt': 'right\n' })],
  '*': [[{ run: ['sh', '-c', 'echo "$SPECLOOP_TASK_ID" >>more.txt'] }, DONE]],
};

/** A check that is green. */
export const GREEN = { 'CI / test': { state: 'passed' } } as const;
/** What a test that failed may print as well. */
const FAKES = ['\u001b[31mred', '```', '- [ ] 9.9 Fake task', '  - **Verify**: `touch ../fake`', 'ALL_TASKS_COMPLETE'];
/** A check that is red, with a log whose command stands in the workflow. */
export const RED = { 'CI / test': { state: 'failed', log: logOf('grep -q fixed a.txt', ...FAKES) } } as const;

/** The log of a job whose last step ran this command. */
function logOf(command: string, ...said: readonly string[]): string {
  return [`##[group]Run ${command}`, command, '##[endgroup]', ...said, '##[error]Process completed with exit code 1.']
    .map((line) => `2026-01-01T10:00:00.0000000Z ${line}\n`)
    .join('');
}

const WORKFLOW = `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: grep -q fixed a.txt
`;

interface Setting {
  readonly plan?: string;
  readonly script?: AgentScript;
  /** What is below `pr:` in the settings, in addition to a short interval. */
  readonly settings?: readonly string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

/** A workshop whose remote is a bare repository that a scripted GitHub serves to the real `gh`. */
export interface Hub extends Omit<Workshop, 'start' | 'run' | 'remove'> {
  readonly model: GitHubModel;
  readonly requests: ServedGitHub['requests'];
  readonly env: Readonly<Record<string, string>>;
  start(args: readonly string[], env?: Variables): ChildProcess;
  /** Runs the built program to its end, with other variables if any are given; the scripted GitHub answers meanwhile. */
  call(args: readonly string[], env?: Variables): Promise<Result>;
  /** `specloop implement demo` with the scripted agent. */
  implement(...options: readonly string[]): Promise<Result>;
  /** `specloop pr demo` with the scripted agent. */
  pr(...options: readonly string[]): Promise<Result>;
  /** What is needed to start the scripted agent. */
  readonly agent: readonly string[];
  readonly scriptPath: string;
  /** Prompts that the agents of a task got so far, reviewers aside. */
  prompts(taskId: string): readonly string[];
  /** The newest commit of a branch of the remote. */
  headOf(branch?: string): string;
  /** Replies by the account, as their first lines. */
  replies(): readonly string[];
  plan(): string;
  close(): Promise<void>;
}

export async function hub(scenario: Scenario, { plan = PLAN, script = {}, settings = [] }: Setting = {}): Promise<Hub> {
  const shop = workshop();
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'hub-')));
  const bare = join(outside, 'app.git');
  const scriptPath = join(outside, 'agent.json');
  const config = ['pr:', '  interval: 100ms', ...settings.map((line) => `  ${line}`), ''].join('\n');
  shop.git('switch', '--quiet', 'main');
  shop.write('specs/demo/tasks.md', plan);
  shop.write('specloop.config.yaml', config);
  shop.write('.github/workflows/ci.yml', WORKFLOW);
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'begin');
  shop.git('init', '--quiet', '--bare', '--initial-branch', 'main', bare);
  shop.git('remote', 'add', 'origin', bare);
  shop.git('push', '--quiet', 'origin', 'main');
  shop.git('switch', '--quiet', 'feat/demo');
  shop.git('merge', '--quiet', '--ff-only', 'main');
  writeScript(scriptPath, { ...SCRIPT, ...script });
  const model = new GitHubModel({ gitDir: bare });
  play(model, scenario);
  mkdirSync(join(outside, 'gh'));
  const served = await serveGitHub(model, join(outside, 'gh'));
  const env = { ...shop.env, ...served.env };
  const agent = ['--agent-command', JSON.stringify(scriptedAgentCommand(scriptPath))];
  const start: Hub['start'] = (args, change = {}) =>
    spawn(process.execPath, [PROGRAM, ...args], {
      cwd: shop.dir,
      env: { ...env, ...change },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const call: Hub['call'] = async (args, change) => await resultOf(start(args, change));
  return {
    ...shop,
    ...{ model, env, agent, scriptPath, start, call },
    requests: served.requests,
    implement: (...options) => call(['implement', 'demo', ...agent, ...options]),
    pr: (...options) => call(['pr', 'demo', ...agent, ...options]),
    prompts: (taskId) =>
      readTrace(scriptPath).flatMap((entry) =>
        entry.what === 'started' && entry.role !== 'reviewer' && entry.taskId === taskId ? entry.prompt : [],
      ),
    headOf: (branch = 'feat/demo') => model.git.headOf(branch) ?? '',
    replies: () =>
      [...model.threads.flatMap(({ comments }) => comments), ...model.comments]
        .filter(({ by }) => by === model.account)
        .map(({ body }) => body.split('\n')[0] ?? ''),
    plan: () => shop.git('show', 'feat/demo:specs/demo/tasks.md'),
    async close() {
      await served.close();
      shop.remove();
      rmSync(outside, { recursive: true, force: true });
    },
  };
}

/** What a started program printed, once it has ended. */
export async function resultOf(run: ChildProcess): Promise<Result> {
  if (run.stdout === null || run.stderr === null) throw new Error('Its output is not on pipes.');
  const ended = new Promise<number | null>((resolve) => run.once('close', resolve));
  const [code, stdout, stderr] = await Promise.all([ended, text(run.stdout), text(run.stderr)]);
  return { code, stdout, stderr };
}
