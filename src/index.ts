import { Writable } from 'node:stream';
import { runImplement } from './cli/implement/run-implement.ts';
import type { Sources } from './config/load.ts';
import type { Envelope } from './core/run/event.ts';
import type { RunState } from './core/run/state.ts';

export type { Envelope, RunEvent } from './core/run/event.ts';
export type { RunState } from './core/run/state.ts';
export { UserError } from './core/user-error.ts';

/** What to run, and how. */
export interface RunSpecOptions {
  /** Absolute path of a folder in the repository. */
  readonly cwd: string;
  /** Name of the spec. Default: the active one. */
  readonly spec?: string;
  /** Settings by their names in the config file; values as on the command line, such as `{ agent: 'claude', maxTaskIterations: '3' }`. */
  readonly settings?: NonNullable<Sources['flags']>;
  /** Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Trust the commands of the plan and the agent in this workspace, now and later (R-SEC-1). */
  readonly trust?: boolean;
  /** Run in a worktree of the spec's own beside the repository, on its own branch; it is made if it is missing. */
  readonly worktree?: boolean;
  /** Called with every event once it is written down. */
  readonly onEvent?: (envelope: Envelope, state: RunState) => void;
  /** Asks the run to stop in order when it is aborted; the run can be resumed. */
  readonly signal?: AbortSignal;
  /** Gets what the command line would print on stderr. */
  readonly log?: (text: string) => void;
}

/**
 * Runs the tasks of a spec to their end, as `specloop implement` does. Resolves with its exit code (0: every task is
 * verified and recorded). Throws `UserError` for what has to be put right before a run can begin.
 */
export async function runSpec(options: RunSpecOptions): Promise<number> {
  const { cwd, spec, settings = {}, env = process.env, trust = false, worktree = false } = options;
  const { onEvent, signal, log = () => {} } = options;
  return await runImplement({
    cwd,
    env,
    flags: settings,
    stdout: sink(() => {}),
    stderr: sink(log),
    onStop: (stop) => signal?.addEventListener('abort', () => stop('SIGTERM'), { once: true }),
    options: { dryRun: false, json: false, resetState: false, trust, worktree },
    ...(spec === undefined ? {} : { spec }),
    ...(onEvent === undefined ? {} : { watch: onEvent }),
  });
}

function sink(take: (text: string) => void): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      take(String(chunk));
      done();
    },
  });
}
