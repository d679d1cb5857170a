import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AgentScript } from './scripted-agent-script.ts';

export type {
  AgentScript,
  CommonStep,
  FileStep,
  Part,
  ProcessStep,
  ScriptStep,
  Texts,
} from './scripted-agent-script.ts';
export { readTrace, type TraceEntry } from './scripted-agent-trace.ts';

/** Writes the script of a scripted agent as JSON. It may be written again between two starts of the agent. */
export function writeScript(path: string, script: AgentScript): void {
  writeFileSync(path, `${JSON.stringify(script, undefined, 2)}\n`);
}

/**
 * The command line of an agent that follows a script, for `--agent-command` or `commandAgent`: no model, no network,
 * the same every time. Its nth start for a role and task takes the nth attempt of the script, also after a restart of
 * its caller, because it counts in a trace next to the script (`readTrace`).
 */
export function scriptedAgentCommand(scriptPath: string): [string, ...string[]] {
  return [process.execPath, builtAgent(), scriptPath];
}

/** Programs of ours are started as they are built, also by tests that run from the sources. */
function builtAgent(): string {
  const fromSources = import.meta.url.endsWith('.ts');
  return fileURLToPath(new URL(fromSources ? '../../dist/scripted-agent.js' : './scripted-agent.js', import.meta.url));
}
