import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClaudeCodeOptions, claudeCodeAgent } from '../../src/adapters/agent/claude-code/claude-code.ts';
import { commandAgent } from '../../src/adapters/agent/command.ts';
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

/** What the stand-in for Claude Code does; see fake-claude.mjs. */
export interface FakeClaude {
  readonly steps: readonly (
    | Exclude<CommonStep, { append: unknown } | { remove: unknown }>
    /** Prints a file of claude-code-streams. */
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

  claude(orders: FakeClaude, options: Partial<ClaudeCodeOptions> = {}): Agent {
    return claudeCodeAgent({
      program: join(import.meta.dirname, 'fake-claude.mjs'),
      processes: this.processes,
      newId: randomUUID,
      ...options,
      env: { ...this.env, ...options.env, FAKE_CLAUDE: JSON.stringify(orders) },
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
