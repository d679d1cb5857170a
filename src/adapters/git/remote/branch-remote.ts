import type { Tree } from '../../../ports/git.ts';
import { DEFAULT_TIMEOUTS, type GitCalls, gitCalls, line } from '../calls.ts';
import { faultOf } from '../fault.ts';
import { withoutPassword } from './trouble.ts';

/** The remote of a branch, from what the repository knows of it; nothing is asked over the network. */
export interface BranchRemote {
  readonly name: string;
  /** Where pushes go, after `insteadOf` and `pushInsteadOf`, without a password. */
  readonly url: string;
  /** The default branch there, if a clone or `git remote set-head` noted it. */
  readonly defaultBranch: string | undefined;
}

/**
 * The remote that `git push` would take for a branch: `branch.<name>.pushRemote`, `remote.pushDefault`,
 * `branch.<name>.remote`, `origin`, or the only one there is (R-PR-7). `undefined` if there is none, or if one of those
 * settings is an address in place of a name: such a remote keeps no branches here.
 */
export async function branchRemote(
  { root, env }: { readonly root: string; readonly env: NodeJS.ProcessEnv },
  branch: string,
): Promise<BranchRemote | undefined> {
  const [calls, tree] = [gitCalls(env, DEFAULT_TIMEOUTS), { dir: root }];
  const [settings, output] = await Promise.all([readSettings(calls, tree), calls.ask(tree, ['remote'], USER)]);
  const names = output.toString().split('\n').slice(0, -1);
  const asked = [`branch.${branch}.pushremote`, 'remote.pushdefault', `branch.${branch}.remote`]
    .flatMap((key) => settings.get(key) ?? [])
    // A branch that follows another one of this repository has the remote `.`.
    .find((name) => name !== '.');
  const name = asked ?? (names.includes('origin') || names.length !== 1 ? 'origin' : names[0]);
  if (name === undefined || !names.includes(name)) return undefined;
  const [url, defaultBranch] = await Promise.all([
    line(calls, tree, ['remote', 'get-url', '--push', '--', name], USER),
    headOfRemote(calls, tree, name),
  ]);
  return { name, url: withoutPassword(url), defaultBranch };
}

/** Settings in the user's environment count, as they do for the push. */
const USER = { hooks: 'run' } as const;

/** By key, as git spells it: the parts around the branch in lower case. The last value of a key is the one that counts. */
async function readSettings(calls: GitCalls, tree: Tree): Promise<ReadonlyMap<string, string>> {
  const pattern = '^(branch\\..*\\.(pushremote|remote)|remote\\.pushdefault)$';
  const answer = await calls.run(tree, ['config', '--null', '--get-regexp', pattern], USER);
  if (answer.code !== 0 && answer.code !== 1) throw faultOf('config', answer);
  const entries = answer.stdout.toString().split('\0');
  return new Map(
    entries.flatMap((entry): readonly [string, string][] => {
      const at = entry.indexOf('\n');
      return at === -1 ? [] : [[entry.slice(0, at), entry.slice(at + 1)]];
    }),
  );
}

async function headOfRemote(calls: GitCalls, tree: Tree, name: string): Promise<string | undefined> {
  const prefix = `refs/remotes/${name}/`;
  const answer = await calls.run(tree, ['symbolic-ref', '--quiet', `${prefix}HEAD`]);
  const target = answer.stdout.toString().trimEnd();
  return answer.code === 0 && target.startsWith(prefix) ? target.slice(prefix.length) : undefined;
}
