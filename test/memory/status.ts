import type { Change } from '../../src/ports/git.ts';
import type { MemoryRepository, MemoryTree } from './repository.ts';

/** How the paths of a working tree differ from HEAD, as `git status` tells it. */
export function changesOf(repository: MemoryRepository, tree: MemoryTree): readonly Change[] {
  const head = repository.headFilesOf(tree);
  const isIgnored = ignoring(repository, tree);
  const changes: Change[] = [];
  for (const path of new Set([...head.keys(), ...tree.index.keys(), ...tree.files.keys()])) {
    const kind = changeAt(path, { head, tree, isIgnored });
    if (kind !== undefined) changes.push({ path, kind });
  }
  return changes.sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** The paths that differ between HEAD and the index. */
export function stagedIn(repository: MemoryRepository, tree: MemoryTree): readonly string[] {
  const head = repository.headFilesOf(tree);
  const paths = [...new Set([...head.keys(), ...tree.index.keys()])];
  return paths.filter((path) => head.get(path) !== tree.index.get(path)).sort();
}

function changeAt(
  path: string,
  at: {
    readonly head: ReadonlyMap<string, string>;
    readonly tree: MemoryTree;
    readonly isIgnored: (path: string) => boolean;
  },
): Change['kind'] | undefined {
  const [head, index, file] = [at.head.get(path), at.tree.index.get(path), at.tree.files.get(path)];
  if (head === index && index === file) return undefined;
  if (index === undefined && head === undefined) return at.isIgnored(path) ? undefined : 'untracked';
  if (file === undefined || (index === undefined && at.isIgnored(path))) return 'deleted';
  return 'modified';
}

/** Which untracked paths are ignored: by the root's `.gitignore` and by `.git/info/exclude`. */
export function ignoring({ excludes }: MemoryRepository, { files }: MemoryTree): (path: string) => boolean {
  const lines = (files.get('.gitignore') ?? '').split('\n');
  const patterns = [...lines, ...excludes].filter((line) => line !== '' && !line.startsWith('#')).map(patternOf);
  return (path) => patterns.some((pattern) => pattern.test(path));
}

const known = new Map<string, RegExp>();

/** The part of the ignore language that projects use most: names, `*`, a leading `/`, a folder's trailing `/`. */
function patternOf(line: string): RegExp {
  const found = known.get(line);
  if (found) return found;
  const name = line.replace(/^\//, '').replace(/\/$/, '');
  const body = name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');
  const isAnchored = line.startsWith('/') || name.includes('/');
  const made = new RegExp(`${isAnchored ? '^' : '(?:^|/)'}${body}${line.endsWith('/') ? '/' : '(?:/|$)'}`);
  known.set(line, made);
  return made;
}
