import type { Git } from '../../ports/git.ts';

/** A batch asks for two files of the commit where it began, once for each member. */
const FILES_MAX = 4;
const FULL_ID = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

/** Reads a file of a commit once: what a full id names never changes. A failure is not cached. */
export function cached(fileAt: Git['fileAt']): Git['fileAt'] {
  const known = new Map<string, Promise<string | undefined>>();
  return (tree, commit, path) => {
    if (!FULL_ID.test(commit)) return fileAt(tree, commit, path);
    const key = `${commit}:${path}`;
    const text = known.get(key) ?? fileAt(tree, commit, path);
    known.delete(key);
    known.set(key, text);
    text.catch(() => known.delete(key));
    const [oldest] = known.keys();
    if (known.size > FILES_MAX && oldest !== undefined) known.delete(oldest);
    return text;
  };
}
