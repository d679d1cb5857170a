import { DEFAULT_TIMEOUTS, gitCalls } from './calls.ts';
import type { GitCliOptions } from './git-cli.ts';

/** The name that git gives the author of commits; `undefined` where none is set. */
export async function authorName({ root, env, timeouts }: GitCliOptions): Promise<string | undefined> {
  const calls = gitCalls(env, { ...DEFAULT_TIMEOUTS, ...timeouts });
  const { code, stdout } = await calls.run({ dir: root }, ['config', 'user.name'], { plainPaths: true });
  const name = stdout.toString().trim();
  return code === 0 && name !== '' ? name : undefined;
}
