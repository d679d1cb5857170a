import type { Ended, Launch, Processes } from '../../src/ports/process.ts';

/** What a program in memory did: its exit code and what it printed. */
export interface Performed {
  readonly code: number;
  readonly stdout?: string;
}

/** Runs programs that are functions: nothing is started, nothing can be left. */
export function memoryProcesses(perform: (launch: Launch) => Promise<Performed>, runMark = 'memory'): Processes {
  return {
    runMark,
    async run(launch): Promise<Ended> {
      const rest = { stderr: printed(''), durationMs: 0, leftovers: 0 };
      const cancelled = { how: 'killed', by: 'cancel', stdout: printed(''), ...rest } as const;
      if (launch.signal?.aborted) return cancelled;
      const { code, stdout = '' } = await perform(launch);
      if (launch.signal?.aborted) return cancelled;
      return { how: 'exited', code, stdout: printed(stdout), ...rest };
    },
    prepare: () => {},
    reap: async () => [],
    probe: async () => ({ works: true }),
    close: async () => {},
  };
}

function printed(text: string): Ended['stdout'] {
  return { text, truncated: false, bytes: Buffer.byteLength(text) };
}
