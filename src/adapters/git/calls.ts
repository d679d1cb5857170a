import { setTimeout as sleep } from 'node:timers/promises';
import type { Tree } from '../../ports/git.ts';
import { GitFault } from '../../ports/git.ts';
import { gitEnvironment, type Hooks, onlyIn } from './environment.ts';
import { faultOf, isPassing } from './fault.ts';
import { type GitAnswer, runGit } from './program.ts';

/** How long git may take, in milliseconds. `readMs` for calls that only look, `workMs` for those that write or run hooks. */
export interface GitTimeouts {
  readonly readMs: number;
  readonly workMs: number;
  /** How long what another program holds, or has half made, is waited for. */
  readonly lockMs: number;
}

export const DEFAULT_TIMEOUTS: GitTimeouts = { readMs: 60_000, workMs: 300_000, lockMs: 5_000 };

/** What differs from call to call. */
export interface CallOptions {
  readonly stdin?: Buffer | string;
  readonly env?: Readonly<Record<string, string>>;
  /** Default `off`. */
  readonly hooks?: Hooks;
  /** For commands that take no pathspecs, and refuse to be told so. */
  readonly plainPaths?: true;
  /** The folder need not be the root of a working tree: git looks for one upward from it. */
  readonly searches?: true;
  /** Default 256 MiB. */
  readonly bytesMax?: number;
  /** Default `read`. */
  readonly effort?: 'read' | 'work';
  /** Ends git and all it started, as Ctrl-C would. */
  readonly signal?: AbortSignal;
}

/** The one way in which this adapter starts git. */
export interface GitCalls {
  readonly timeouts: GitTimeouts;
  /** Runs git in the tree, waiting for what others hold or have half made, and gives any exit code back. */
  run(tree: Tree, args: readonly string[], options?: CallOptions): Promise<GitAnswer>;
  /** The same, for calls that have to succeed: what git printed. Throws `GitFault`. */
  ask(tree: Tree, args: readonly string[], options?: CallOptions): Promise<Buffer>;
}

const BYTES_MAX = 256 * 1024 * 1024;
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 500;

/** What every call of one adapter has in common. */
export interface GitCallsOptions extends GitTimeouts {
  /** Where commits have to take hooks from, where that is not git's to say (R-VER-14). */
  readonly hooksPath?: () => string | undefined;
}

export function gitCalls(inherited: NodeJS.ProcessEnv, { hooksPath, ...timeouts }: GitCallsOptions): GitCalls {
  const env = { run: gitEnvironment(inherited, 'run'), off: gitEnvironment(inherited, 'off') };
  const once = (tree: Tree, args: readonly string[], options: CallOptions): Promise<GitAnswer> =>
    runGit({
      args: [...flagsFor(options, hooksPath?.()), ...args],
      cwd: tree.dir,
      env: {
        ...env[options.hooks ?? 'off'],
        // Hooks work in other repositories too, where the variables would mislead them.
        ...(options.hooks === 'run' || options.searches === true ? {} : onlyIn(tree.dir)),
        ...options.env,
      },
      bytesMax: options.bytesMax ?? BYTES_MAX,
      wallMs: options.effort === 'work' ? timeouts.workMs : timeouts.readMs,
      ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  const run: GitCalls['run'] = async (tree, args, options = {}) => {
    const deadline = performance.now() + timeouts.lockMs;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const answer = await once(tree, args, options);
      const isOver = performance.now() + pause > deadline || options.signal?.aborted === true;
      if (!isPassing(answer) || isOver) return answer;
      await sleep(pause);
    }
  };
  return { timeouts, run, ask: async (tree, args, options) => succeeded(args, await run(tree, args, options)) };
}

/** The flag for pathspecs reaches hooks, which have pathspecs of their own. */
function flagsFor({ hooks, plainPaths }: CallOptions, hooksPath: string | undefined): readonly string[] {
  if (hooks === 'run') return hooksPath === undefined ? [] : ['-c', `core.hooksPath=${hooksPath}`];
  return plainPaths === true ? [] : ['--literal-pathspecs'];
}

function succeeded(args: readonly string[], answer: GitAnswer): Buffer {
  if (answer.code === 0 && answer.stopped === 'no') return answer.stdout;
  throw faultOf(args[0] ?? '', answer);
}

/** What git said in one line of text, without the line break. */
export async function line(
  calls: GitCalls,
  tree: Tree,
  args: readonly string[],
  options?: CallOptions,
): Promise<string> {
  return (await calls.ask(tree, args, options)).toString().trimEnd();
}

/** A commit id or ref that comes from a file and goes into an argument: never read as an option (R-SEC-1). */
export function revision(text: string): string {
  if (/^[0-9A-Za-z]/.test(text)) return text;
  throw new GitFault('other', `"${text}" is not a commit.`);
}
