import type { GitListing, Tree } from '../../ports/git.ts';
import { DEFAULT_TIMEOUTS, type GitCalls, gitCalls, revision } from './calls.ts';
import { withFaults } from './fault.ts';
import type { GitCliOptions } from './git-cli.ts';
import { branchesBelow } from './history.ts';
import { pathOfBytes, pathsOfList } from './path-bytes.ts';
import { ignoredAmong } from './staging.ts';
import { worktreeAt, worktreesBelow } from './worktree.ts';

/** The port over the git program; see `gitCli` for what the options mean. */
export function gitListing({ root, env, timeouts }: GitCliOptions): GitListing {
  const calls = gitCalls(env, { ...DEFAULT_TIMEOUTS, ...timeouts });
  const main: Tree = { dir: root };
  return withFaults({
    worktreeAt: (dir) => worktreeAt(main, dir),
    worktreesBelow: (dir) => worktreesBelow(main, dir),
    isReachable: (commit, except) => isReachable(calls, main, { commit, except }),
    branchesBelow: (prefix) => branchesBelow(calls, main, prefix),
    filesOf: (commit) => filesOf(calls, main, commit),
    ignoredIn: (tree) => ignoredIn(calls, tree),
    ignoredMatching: (tree, patterns) => ignoredMatching(calls, tree, patterns),
  });
}

/** HEADs of other worktrees do not count: they go with them. */
async function isReachable(
  calls: GitCalls,
  main: Tree,
  { commit, except }: { readonly commit: string; readonly except: string },
): Promise<boolean> {
  const others = ['--not', `--exclude=${except}`, '--all', '--'];
  const beyond = ['rev-list', '--max-count=1', '--single-worktree', revision(commit), ...others];
  return (await calls.ask(main, beyond)).length === 0;
}

/** `git ls-tree` prints `<mode> <type> <id>`, a tab and the path. */
async function filesOf(calls: GitCalls, main: Tree, commit: string): Promise<ReadonlyMap<string, string>> {
  const output = await calls.ask(main, ['ls-tree', '-r', '-z', '--full-tree', revision(commit)]);
  const entries = pathOfBytes(output).split('\0').slice(0, -1);
  return new Map(
    entries.map((entry) => {
      const tab = entry.indexOf('\t');
      return [entry.slice(tab + 1), entry.slice(entry.lastIndexOf(' ', tab) + 1, tab)];
    }),
  );
}

async function ignoredIn(calls: GitCalls, tree: Tree): Promise<readonly string[]> {
  return pathsOfList(
    await calls.ask(tree, ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory']),
  );
}

/** Git lists what the lines match of all that is not tracked, and then tells what of it the repository ignores. */
async function ignoredMatching(calls: GitCalls, tree: Tree, patterns: readonly string[]): Promise<readonly string[]> {
  if (patterns.length === 0) return [];
  const lines = patterns.map((pattern) => `--exclude=${pattern}`);
  const paths = pathsOfList(await calls.ask(tree, ['ls-files', '-z', '--others', '--ignored', ...lines]));
  const ignored = await ignoredAmong(calls, tree, paths);
  return paths.filter((path) => ignored.has(path));
}
