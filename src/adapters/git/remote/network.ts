import type { Tree } from '../../../ports/git.ts';
import { DEFAULT_TIMEOUTS, gitCalls } from '../calls.ts';
import type { GitAnswer } from '../program.ts';

/** How long git may take to talk to a remote, in milliseconds. A push includes the user's `pre-push` hook. */
export interface NetworkTimeouts {
  readonly pushMs: number;
  readonly fetchMs: number;
}

const DEFAULT_NETWORK_TIMEOUTS: NetworkTimeouts = { pushMs: 900_000, fetchMs: 300_000 };

/** What every call that reaches a remote has in common. */
export interface NetworkOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly timeouts?: Partial<NetworkTimeouts>;
  /** Where hooks are taken from, where that is not git's to say (R-VER-14). */
  readonly hooksPath?: () => string | undefined;
  /** Ends git and all it started. */
  readonly signal?: AbortSignal;
}

/** Git as the user would call it to reach a remote. */
export interface Network {
  readonly timeouts: NetworkTimeouts;
  /** With the user's hooks. */
  push(args: readonly string[]): Promise<GitAnswer>;
  /** Without hooks: what is fetched or listed is our bookkeeping. */
  read(args: readonly string[]): Promise<GitAnswer>;
}

/**
 * Calls of git with the user's own environment, so that proxies, keys and credential helpers are those that the user has
 * (R-PR-7). The one difference: nothing asks in a terminal, where no one would answer.
 */
export function networkOf(tree: Tree, { env, timeouts, hooksPath, signal }: NetworkOptions): Network {
  const limits = { ...DEFAULT_NETWORK_TIMEOUTS, ...timeouts };
  const calls = gitCalls(env, {
    readMs: limits.fetchMs,
    workMs: limits.pushMs,
    lockMs: DEFAULT_TIMEOUTS.lockMs,
    ...(hooksPath && { hooksPath }),
  });
  const setsSsh = async (): Promise<boolean> => {
    if ((env.GIT_SSH_COMMAND ?? env.GIT_SSH ?? '') !== '') return true;
    return (await calls.run(tree, ['config', '--get', 'core.sshCommand'], { hooks: 'run' })).code === 0;
  };
  const run = async (args: readonly string[], effort: 'read' | 'work'): Promise<GitAnswer> =>
    calls.run(tree, args, {
      hooks: 'run',
      effort,
      env: { GIT_TERMINAL_PROMPT: '0', ...((await setsSsh()) ? {} : { GIT_SSH_COMMAND: 'ssh -o BatchMode=yes' }) },
      ...(signal && { signal }),
    });
  return {
    timeouts: limits,
    push: (args) => run(args, 'work'),
    read: (args) => run(['-c', 'core.hooksPath=/dev/null', ...args], 'read'),
  };
}
