/** How long a program may take. All times in milliseconds; time in which the machine slept does not count. */
export interface Limits {
  readonly wallMs: number;
  /** Longest silence on stdout and stderr together; without it, silence is fine. */
  readonly idleMs?: number;
  /** How long output may still arrive after the program has left, when something it started cannot be ended. Default 2000. */
  readonly graceAfterExitMs?: number;
}

/** One rung of the ladder down which a program is asked to leave, and how long it has to obey. */
export type StopStep =
  | { readonly signal: 'SIGINT' | 'SIGTERM'; readonly graceMs: number }
  /** Asks it in a way that its caller knows, as by a word on its stdin. The rung is left out if `ask` returns `false`. */
  | { readonly ask: () => boolean; readonly graceMs: number };

/** The stdin of a program that is answered while it runs, as one that speaks a protocol over stdin and stdout needs. */
export interface ProcessInput {
  /**
   * Writes a text and resolves once the program's system has taken it, which holds memory bounded for those who wait; with
   * `false` if the program has closed its stdin, or is gone. Never rejects.
   */
  write(text: string): Promise<boolean>;
  /** Closes stdin after what was written. Twice is no failure. */
  end(): void;
}

/** A program to start. It gets exactly `env`, and the marks by which what it starts is found again (R-DEL-6). */
export interface Launch {
  /** No shell reads it. `argv[0]` is looked up on the `PATH` of `env` unless it holds a slash. */
  readonly argv: readonly [string, ...string[]];
  /** Absolute path. */
  readonly cwd: string;
  /** Absolute path of the root of the working tree that `cwd` lies in, which a sandbox lets it write; `cwd` itself if absent. */
  readonly tree?: string;
  readonly env: Readonly<Record<string, string>>;
  /** What the program reads from stdin, of any length; nothing if absent (R-DEL-3). */
  readonly stdin?: string;
  /**
   * Called once, as soon as the program runs: stdin is then a pipe that stays open after `stdin` was written to it, until
   * it is ended or the program is gone. Answers to a line are written from `onLine`.
   */
  readonly onInput?: (input: ProcessInput) => void;
  readonly limits: Limits;
  /** What happens before SIGKILL when a limit is passed or `signal` is aborted. Default: SIGTERM, 2500 ms. */
  readonly stopSteps?: readonly StopStep[];
  /** How many of the last bytes of each stream are kept for the caller. */
  readonly tailBytesMax: number;
  /** Absolute path of a file for every byte printed, stdout and stderr as they come; replaced, mode 0600, folders made. */
  readonly logFile?: string;
  /** Longer logs lose their middle: a tenth is kept of the beginning, the rest of the end. Default 50 MiB. */
  readonly logBytesMax?: number;
  /** Called with each complete line of stdout, and a last one without a line break, without its line break. */
  readonly onLine?: (line: string) => void;
  /** The rest of a longer line is dropped. Default 8 MiB. */
  readonly lineBytesMax?: number;
  /** Called whenever the program printed something. */
  readonly onActivity?: () => void;
  /** What it may write in a sandbox, in addition to `cwd`: absolute paths of files, and of folders, which are made if they are missing. */
  readonly writable?: readonly string[];
  /** Whether it reaches the network in a sandbox. Default `allow`. */
  readonly network?: 'allow' | 'deny';
  /** Ends the program and all it started. With the reason `'now'`, without asking it first (R-UX-3). */
  readonly signal?: AbortSignal;
}

/** The last part of what was printed; what is not UTF-8 in it is shown as U+FFFD. */
export interface Printed {
  readonly text: string;
  /** Whether `text` lacks the beginning. */
  readonly truncated: boolean;
  /** All that was printed. */
  readonly bytes: number;
}

/** Why a program never ran. */
export type NotStarted =
  | 'not-found'
  | 'not-permitted'
  | 'argument-too-long'
  | 'cancelled'
  /** This machine lacks what any program needs: temporary files, open files, processes. */
  | 'no-resources'
  | 'failed';

/** How a program ended. `by: 'signal'` is a signal that someone else sent, the system included. */
export type ProcessEnd =
  | { readonly how: 'exited'; readonly code: number }
  | { readonly how: 'killed'; readonly by: 'wall-timeout' | 'idle-timeout' | 'cancel' }
  | { readonly how: 'killed'; readonly by: 'signal'; readonly signal: string }
  /** `message` is one sentence for people. */
  | { readonly how: 'not-started'; readonly reason: NotStarted; readonly message: string };

export type Ended = ProcessEnd & {
  readonly stdout: Printed;
  readonly stderr: Printed;
  /** From the start until nothing was left. */
  readonly durationMs: number;
  /** How many processes it left running; they are ended. */
  readonly leftovers: number;
  /** Why the log is incomplete, one sentence; absent if it is not. */
  readonly logFailure?: string;
};

/** Whether programs can be contained, and put into a sandbox, as the configuration asks; `problem` is one sentence, with what to do. */
export type Containment = { readonly works: true } | { readonly works: false; readonly problem: string };

/**
 * Runs programs so that nothing they start outlives them, not even when the coordinator is killed (R-DEL-6).
 * No method throws for what the world is known to do.
 */
export interface Processes {
  /** The mark that everything of this run carries; kept so that a later run can `reap` it. */
  readonly runMark: string;

  /** Begins to make what the first program needs, which it would otherwise wait for. May be left out. */
  prepare(): void;

  /** Runs a program to its end. When it resolves, nothing that it started is left. */
  run(launch: Launch): Promise<Ended>;

  /** Ends what a dead run left, and resolves with the ids of it once all of it is gone. */
  reap(runMark: string): Promise<readonly number[]>;

  /** Tries out containment and sandbox by really running a trivial program in them. */
  probe(): Promise<Containment>;

  /** Ends at once whatever of this run still runs. The last call of a run; nothing may be run afterwards. */
  close(): Promise<void>;
}
