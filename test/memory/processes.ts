import type { Ended, Launch, Processes } from '../../src/ports/process.ts';
import { MemoryStdin } from './stdin.ts';

/** What a program in memory did: its exit code and what it printed. */
export interface Performed {
  readonly code: number;
  readonly stdout?: string;
}

/** What a program in memory has while it runs. */
export interface Terminal {
  /** Empty for a launch without `onInput`. */
  readonly stdin: Pick<MemoryStdin, 'lines' | 'close'>;
  /** Prints a line at once. */
  readonly print: (line: string) => void;
}

/** Runs programs that are functions, which end by themselves when their launch is stopped: nothing is started, nothing can be left. */
export function memoryProcesses(
  perform: (launch: Launch, terminal: Terminal) => Promise<Performed>,
  runMark = 'memory',
): Processes {
  return {
    runMark,
    async run(launch): Promise<Ended> {
      const rest = { stderr: printed(''), durationMs: 0, leftovers: 0 };
      const cancelled = { how: 'killed', by: 'cancel', stdout: printed(''), ...rest } as const;
      if (launch.signal?.aborted) return cancelled;
      const stdin = new MemoryStdin(launch.onInput && launch.stdin);
      launch.onInput?.(stdin);
      let shown = '';
      let isEnded = false;
      const print = (line: string): void => {
        if (isEnded) return;
        shown += `${line}\n`;
        launch.onLine?.(line);
      };
      const end = (): void => {
        isEnded = true;
        stdin.close();
      };
      launch.signal?.addEventListener('abort', () => {
        const steps = launch.signal?.reason === 'now' ? [] : (launch.stopSteps ?? []);
        const asked = steps.find((step) => 'ask' in step && step.ask());
        if (asked === undefined) end();
        else setTimeout(end, asked.graceMs).unref();
      });
      const performed = await perform(launch, { stdin, print });
      stdin.close();
      if (launch.signal?.aborted) return { ...cancelled, stdout: printed(shown) };
      return { how: 'exited', code: performed.code, stdout: printed(shown + (performed.stdout ?? '')), ...rest };
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
