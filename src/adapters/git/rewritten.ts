import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tree } from '../../ports/git.ts';
import { DEFAULT_TIMEOUTS, gitCalls } from './calls.ts';
import { pathsOfList } from './path-bytes.ts';

const TRACKED = ['ls-files', '-z'];
const AT_ONCE = 256;

/**
 * Tells which tracked files of a tree were written since an instant, in milliseconds since 1970, whatever is in them: an
 * agent that writes a file as it was has worked (R-VER-12). Files are looked at one by one, as git takes two times of the
 * same second for one. Throws `GitFault`.
 */
export function rewrittenFiles(env: NodeJS.ProcessEnv): (tree: Tree, sinceMs: number) => Promise<readonly string[]> {
  const calls = gitCalls(env, DEFAULT_TIMEOUTS);
  return async (tree, sinceMs) => {
    const paths = pathsOfList(await calls.ask(tree, TRACKED));
    const found: string[] = [];
    for (let from = 0; from < paths.length; from += AT_ONCE) {
      const some = paths.slice(from, from + AT_ONCE);
      const times = await Promise.all(some.map((path) => writtenMs(join(tree.dir, path))));
      found.push(...some.filter((_, at) => (times[at] ?? 0) >= sinceMs));
    }
    return found;
  };
}

async function writtenMs(file: string): Promise<number | undefined> {
  return await lstat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
}
