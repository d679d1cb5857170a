import { DEFAULT_TIMEOUTS, gitCalls } from './calls.ts';
import type { GitCliOptions } from './git-cli.ts';

/** The newest commits that HEAD reaches and that changed a path, newest first, at most so many. Throws `GitFault`. */
export async function changesOf(
  { root, env, timeouts }: GitCliOptions,
  path: string,
  max: number,
): Promise<readonly string[]> {
  const calls = gitCalls(env, { ...DEFAULT_TIMEOUTS, ...timeouts });
  const args = ['log', `--max-count=${max}`, '--no-color', '--format=%H', 'HEAD', '--', path];
  const { code, stdout } = await calls.run({ dir: root }, args);
  return code === 0
    ? stdout
        .toString()
        .split('\n')
        .filter((line) => line !== '')
    : [];
}
