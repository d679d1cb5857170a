import type { Tree } from '../../../ports/git.ts';
import type { Pushed } from '../../../ports/remote.ts';
import { type GitCalls, revision } from '../calls.ts';
import type { Network } from './network.ts';
import { broughtSomething, failureOf } from './refusal.ts';
import { wordsOf } from './trouble.ts';

/** A remote of a repository, as a working tree of it sees it. */
export interface RemoteHere {
  readonly name: string;
  readonly tree: Tree;
  /** For what stays on this machine. */
  readonly calls: GitCalls;
  readonly network: Network;
}

/**
 * See `Remote.push`. Whatever the settings say, this branch alone is pushed: no tags, no branches of submodules, no mirror
 * of everything. A commit of a submodule that is nowhere but here is refused, as no one could check the branch out.
 */
export async function push(remote: RemoteHere, branch: string, commit: string): Promise<Pushed> {
  const { name, network } = remote;
  const answer = await network.push([
    ...['-c', `remote.${name}.mirror=false`],
    ...['push', '--porcelain', '--no-follow-tags', '--recurse-submodules=check'],
    ...['--', name, `${revision(commit)}:refs/heads/${branch}`],
  ]);
  const failure = failureOf(answer, branch);
  if (failure !== undefined && !(failure.isUncertain && (await isThere(remote, branch, commit))))
    return { how: 'refused', cause: failure.cause, output: wordsOf(answer, network.timeouts.pushMs) };
  await follow(remote, branch);
  return { how: 'pushed', isNew: broughtSomething(answer, branch) };
}

async function isThere({ name, network }: RemoteHere, branch: string, commit: string): Promise<boolean> {
  const answer = await network.read(['ls-remote', '--', name, `refs/heads/${branch}`]);
  return answer.code === 0 && answer.stdout.toString() === `${commit}\trefs/heads/${branch}\n`;
}

/**
 * What `git push --set-upstream` would do where no upstream is set. The user may set another one, and a setting that
 * cannot be written undoes no push.
 */
async function follow({ name, tree, calls }: RemoteHere, branch: string): Promise<void> {
  const isSet = async (key: string, value?: string): Promise<boolean> => {
    const { code, stdout } = await calls.run(tree, ['config', '--get', key]);
    return code === 0 && stdout.toString() !== `${value}\n`;
  };
  if ((await isSet(`branch.${branch}.merge`)) || (await isSet(`branch.${branch}.remote`, name))) return;
  await calls.run(tree, ['config', `branch.${branch}.remote`, name], { effort: 'work' });
  await calls.run(tree, ['config', `branch.${branch}.merge`, `refs/heads/${branch}`], { effort: 'work' });
}
