import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Part } from './scripted-agent-script.ts';

/** What a scripted agent wrote down about itself, in the order it happened. */
export type TraceEntry = Part &
  (
    | {
        readonly what: 'started';
        /** `SPECLOOP_ATTEMPT`, or 0 if it was not given. */
        readonly attempt: number;
        readonly pid: number;
        readonly workspace: string;
        readonly prompt: string;
      }
    | { readonly what: 'left-child'; readonly pid: number }
    | { readonly what: 'left'; readonly code: number }
  );

/** Path of the trace that belongs to a script. */
function tracePath(scriptPath: string): string {
  return `${scriptPath}.trace`;
}

/** What the agents of this script did so far; a last line that is still being written is left out. */
export function readTrace(scriptPath: string): readonly TraceEntry[] {
  const path = tracePath(scriptPath);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as TraceEntry);
}

/** Adds an entry with a single write, so that agents that run side by side do not mix their lines. */
export function trace(scriptPath: string, entry: TraceEntry): void {
  appendFileSync(tracePath(scriptPath), `${JSON.stringify(entry)}\n`);
}

/** How often this part was started so far: outlives the coordinator, unlike a number it hands out. */
export function startsOf(scriptPath: string, part: Part): number {
  const isStart = (entry: TraceEntry) =>
    entry.what === 'started' && entry.role === part.role && entry.taskId === part.taskId;
  return readTrace(scriptPath).filter(isStart).length;
}
