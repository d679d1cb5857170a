import type { Remote } from '../../../ports/remote.ts';
import { DEFAULT_TIMEOUTS, gitCalls } from '../calls.ts';
import { withFaults } from '../fault.ts';
import { advance } from './advance.ts';
import { fetch } from './fetch.ts';
import { merge } from './merge.ts';
import { type NetworkOptions, networkOf } from './network.ts';
import { push, type RemoteHere } from './push.ts';

export interface GitRemoteOptions extends NetworkOptions {
  /** Absolute path of the working tree that has the branch checked out. */
  readonly root: string;
  /** As in `remote.<name>.url`. */
  readonly name: string;
}

/** A remote of the repository, over the git program. Methods throw `GitFault` for what is wrong on this machine. */
export function gitRemote({ root, name, ...network }: GitRemoteOptions): Remote {
  const tree = { dir: root };
  const calls = gitCalls(network.env, DEFAULT_TIMEOUTS);
  const here: RemoteHere = { name, tree, calls, network: networkOf(tree, network) };
  return {
    name,
    ...withFaults<Omit<Remote, 'name'>>({
      push: (branch, commit) => push(here, branch, commit),
      fetch: (branch) => fetch(here, branch),
      advance: (commit) => advance(calls, tree, commit),
      merge: (ours, theirs, message) => merge(calls, tree, { ours, theirs, message }),
    }),
  };
}
