import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AgentScript } from './scripted-agent-script.ts';

export type { AgentScript, CommonStep, FileStep, Part, ProcessStep, Step, Texts } from './scripted-agent-script.ts';
export { readTrace, type TraceEntry } from './scripted-agent-trace.ts';

/** Writes the script of a scripted agent as JSON. It may be written anew between two starts of the agent. */
export function writeScript(path: string, script: AgentScript): void {
  writeFileSync(path, `${JSON.stringify(script, undefined, 2)}\n`);
}

/**
 * The command line of an agent that follows a script, for `--agent-command` or `commandAgent`: no model, no network,
 * the same every time. Its nth start for a role and task takes the nth attempt of the script, also after a restart of
 * whoever starts it, because it counts in a trace beside the script (`readTrace`).
 *
 * `program` is the built agent; only code that does not run from the package needs to name it.
 */
export function scriptedAgentCommand(
  scriptPath: string,
  program: string = fileURLToPath(new URL('./scripted-agent.js', import.meta.url)),
): [string, ...string[]] {
  return [process.execPath, program, scriptPath];
}
