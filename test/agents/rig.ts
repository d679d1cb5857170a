import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acpAgent } from '../../src/adapters/agent/acp/acp.ts';
import type { AgentOrder } from '../../src/adapters/agent/agent-kind.ts';
import { type ClaudeCodeOptions, claudeCodeAgent } from '../../src/adapters/agent/claude-code/claude-code.ts';
import { codexAgent } from '../../src/adapters/agent/codex/codex.ts';
import { commandAgent } from '../../src/adapters/agent/command.ts';
import { geminiAgent } from '../../src/adapters/agent/gemini/gemini.ts';
import { opencodeAgent } from '../../src/adapters/agent/opencode/opencode.ts';
import { allowedEnvironment } from '../../src/adapters/process/environment.ts';
import { newMark, nodeProcesses } from '../../src/adapters/process/node.ts';
import type { Agent, Brief } from '../../src/ports/agent.ts';
import type { Processes } from '../../src/ports/process.ts';
import {
  type AgentScript,
  type CommonStep,
  scriptedAgentCommand,
  writeScript,
} from '../../src/testing/scripted-agent.ts';

/** What the stand-in for an agent's program does; see fake-agent.mjs. */
export interface FakeAgent {
  readonly steps: readonly (
    | Exclude<CommonStep, { append: unknown } | { remove: unknown }>
    /** Prints a file of the agent's folder in fixtures, as `2.1.197/completed`. */
    | { readonly stream: string }
    /** Prints one event of this size. */
    | { readonly hugeEventMiB: number }
  )[];
  readonly ignore?: readonly NodeJS.Signals[];
  /** What it prints before it leaves when it is interrupted. */
  readonly interruptedStream?: string;
  /** Absolute path of a file for what it was given. */
  readonly record?: string;
}

/** What the stand-in for an agent of the Agent Client Protocol does; see fake-acp.mjs. */
export interface FakeAcp {
  readonly steps: readonly (
    | Exclude<CommonStep, { append: unknown } | { remove: unknown }>
    | { readonly update: object }
    | { readonly ask: { readonly method: string; readonly params: object } }
    | { readonly end: { readonly result: object } | { readonly error: object } }
    /** Waits for a cancel. */
    | { readonly awaitCancel: true }
  )[];
  /** Responses to requests by their method, in place of its own. */
  readonly responses?: Readonly<Record<string, { readonly result: object } | { readonly error: object }>>;
  /** Stays when its stdin is closed, as some do. */
  readonly stays?: true;
  /** Absolute path of a file for all that it was told, a line each. */
  readonly record?: string;
}

/** What the stand-in was given. */
export interface Given {
  readonly args: readonly string[];
  readonly prompt: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A folder for one test, with agents that run as real processes in it. */
export class AgentRig {
  readonly dir = mkdtempSync(join(tmpdir(), 'agents-'));
  readonly workspace = mkdtempSync(join(this.dir, 'workspace-'));
  readonly logFile = join(this.dir, 'attempt.log');
  readonly scriptPath = join(this.dir, 'script.json');
  readonly processes: Processes = nodeProcesses({ runMark: newMark(), containment: 'marker' });
  readonly env: Readonly<Record<string, string>> = allowedEnvironment(process.env, { pass: [] });

  brief(change: Partial<Brief> = {}): Brief {
    return {
      role: 'executor',
      prompt: 'Task: Execute task 0 for spec demo\n',
      workspace: this.workspace,
      variables: { SPECLOOP_ROLE: 'executor', SPECLOOP_TASK_ID: '1.1', SPECLOOP_WORKSPACE: this.workspace },
      limits: { wallMs: 60_000, idleMs: 60_000 },
      logFile: this.logFile,
      signal: new AbortController().signal,
      ...change,
    };
  }

  scripted(script: AgentScript): Agent {
    writeScript(this.scriptPath, script);
    return this.command(scriptedAgentCommand(this.scriptPath));
  }

  command(argv: readonly [string, ...string[]]): Agent {
    return commandAgent({ argv, processes: this.processes, env: this.env });
  }

  claude(orders: FakeAgent, options: Partial<ClaudeCodeOptions> = {}): Agent {
    return claudeCodeAgent({ ...options, ...this.#order('claude-code', orders, options) });
  }

  codex(orders: FakeAgent, options: Partial<AgentOrder> = {}): Agent {
    return codexAgent({ ...options, ...this.#order('codex', orders, options) });
  }

  gemini(orders: FakeAgent, options: Partial<AgentOrder> = {}): Agent {
    return geminiAgent({ ...options, ...this.#order('gemini', orders, options) });
  }

  opencode(orders: FakeAgent, options: Partial<AgentOrder> = {}): Agent {
    return opencodeAgent({ ...options, ...this.#order('opencode', orders, options) });
  }

  #order(dialect: string, orders: FakeAgent, options: Partial<AgentOrder>): AgentOrder {
    return {
      program: options.program ?? join(import.meta.dirname, 'fake-agent.mjs'),
      processes: this.processes,
      newId: options.newId ?? randomUUID,
      env: { ...this.env, ...options.env, FAKE_AGENT: JSON.stringify({ dialect, ...orders }) },
    };
  }

  acp(orders: FakeAcp, options: Partial<AgentOrder> = {}): Agent {
    return acpAgent({
      program: join(import.meta.dirname, 'fake-acp.mjs'),
      processes: this.processes,
      newId: randomUUID,
      ...options,
      env: { ...this.env, ...options.env, FAKE_ACP: JSON.stringify(orders) },
    });
  }

  log(): string {
    return readFileSync(this.logFile, 'utf8');
  }

  async close(): Promise<void> {
    await this.processes.close();
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** What the stand-in recorded. */
export function readGiven(path: string): Given {
  return JSON.parse(readFileSync(path, 'utf8')) as Given;
}

/** Whether a process runs. One that has ended and that nobody has collected yet does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !existsSync(`/proc/${pid}/status`) || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
