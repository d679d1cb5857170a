import type { Tree } from '../../ports/git.ts';
import { DEFAULT_TIMEOUTS, gitCalls } from './calls.ts';

/** Where git takes hooks from, if not from its own folder: as it is set, so it may be relative to a working tree. */
export async function hooksPath(tree: Tree, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const args = ['config', '--type=path', '--null', '--get', 'core.hooksPath'];
  // Where hooks are off, the setting that is asked for is another one.
  const answer = await gitCalls(env, DEFAULT_TIMEOUTS).run(tree, args, { hooks: 'run' });
  return answer.code === 0 ? answer.stdout.toString().split('\0')[0] : undefined;
}
