import { DEFAULT_TIMEOUTS, gitCalls } from './calls.ts';
import type { GitCliOptions } from './git-cli.ts';
import { ignoredAmong } from './staging.ts';

/** Which of these paths, relative to the root, git ignores, whether they exist or not. Throws `GitFault`. */
export async function ignoredPaths(
  { root, env, timeouts }: GitCliOptions,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  return await ignoredAmong(gitCalls(env, { ...DEFAULT_TIMEOUTS, ...timeouts }), { dir: root }, paths);
}
