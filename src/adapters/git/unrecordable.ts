import { lstatSync, readFileSync, type Stats } from 'node:fs';
import type { Fingerprint } from '../../core/verify/fingerprint.ts';
import type { Unrecordable } from '../../core/verify/unrecordable.ts';
import type { Tree } from '../../ports/git.ts';
import type { GitCalls } from './calls.ts';
import { faultOf } from './fault.ts';
import { foldersAbove } from './files.ts';
import { fingerprint } from './fingerprint.ts';
import { listOfPaths, pathsOfList } from './path-bytes.ts';
import { fileOf, nameOf } from './standing.ts';

/** See `Git.unrecordable`. Git is asked only for entries that are there. */
export async function unrecordable(
  calls: GitCalls,
  tree: Tree,
  { work, missing }: { readonly work: Fingerprint; readonly missing: readonly string[] },
): Promise<readonly Unrecordable[]> {
  const submodules = submodulesIn(tree);
  const made = [...work].flatMap(([path, { is }]): readonly Unrecordable[] => {
    const name = nameOf(path);
    if (is === 'outward-link') return [{ path: name, why: 'link', by: name }];
    return is === 'repository' && !submodules.has(name) ? [{ path: name, why: 'repository', by: name }] : [];
  });
  const there = missing.filter((entry) => isGlob(entry) || lookAt(tree, entry) !== undefined);
  const known = await Promise.all(there.map((entry) => outOfReach(tree, entry, submodules)));
  const open = there.filter((_, at) => known[at] === undefined);
  const ignored = await Promise.all(open.map((entry) => ignoredAt(calls, tree, entry)));
  return [
    ...made,
    ...[...known, ...ignored].filter((found) => found !== undefined && found !== 'in-submodule'),
  ] as const;
}

function isGlob(entry: string): boolean {
  return /[*?[{]/.test(entry);
}

/** Paths of the submodules that `.gitmodules` names. */
export function submodulesIn(tree: Tree): ReadonlySet<string> {
  try {
    const text = readFileSync(fileOf(tree, '.gitmodules'), 'utf8');
    return new Set([...text.matchAll(/^\s*path\s*=\s*"?(.*?)"?\s*$/gm)].map(([, path = '']) => nameOf(path)));
  } catch {
    return new Set();
  }
}

/** Those that are checked out. */
export function checkedOutSubmodules(tree: Tree): readonly string[] {
  return [...submodulesIn(tree)].filter((path) => path !== '' && lookAt(tree, `${path}/.git`) !== undefined);
}

/** The first folder or link on the way that keeps the entry out of any commit. What is in a submodule is that one's matter. */
async function outOfReach(
  tree: Tree,
  entry: string,
  submodules: ReadonlySet<string>,
): Promise<Unrecordable | 'in-submodule' | undefined> {
  for (const way of [...foldersAbove(entry), nameOf(entry)]) {
    if (submodules.has(way)) return 'in-submodule';
    const stats = lookAt(tree, way);
    if (stats === undefined) return undefined;
    if (stats.isSymbolicLink()) {
      const mark = (await fingerprint(tree, [way])).get(way);
      return mark?.is === 'outward-link' ? { path: entry, why: 'link', by: way } : undefined;
    }
    if (lookAt(tree, `${way}/.git`) !== undefined) return { path: entry, why: 'repository', by: way };
  }
  return undefined;
}

/** An entry of which nothing is tracked, and something is there that is ignored. */
async function ignoredAt(calls: GitCalls, tree: Tree, entry: string): Promise<Unrecordable | undefined> {
  const list = async (...flags: readonly string[]): Promise<readonly string[]> =>
    pathsOfList(
      await calls.ask(
        tree,
        ['ls-files', '-z', ...flags, '--', `:(top,${isGlob(entry) ? 'glob' : 'literal'})${entry}`],
        {
          plainPaths: true,
        },
      ),
    );
  const [path] = await list('--others', '--ignored', '--exclude-standard');
  if (path === undefined || (await list()).length > 0) return undefined;
  return { path: isGlob(entry) ? path : nameOf(entry), why: 'ignored', by: await ruleOf(calls, tree, path) };
}

async function ruleOf(calls: GitCalls, tree: Tree, path: string): Promise<string> {
  const stdin = listOfPaths([`./${path}`]);
  const answer = await calls.run(tree, ['check-ignore', '-v', '-z', '--stdin'], { stdin, plainPaths: true });
  if (answer.code !== 0 && answer.code !== 1) throw faultOf('check-ignore', answer);
  const [source = '', line = ''] = pathsOfList(answer.stdout);
  return source === '' ? 'its ignore rules' : `${source}:${line}`;
}

function lookAt(tree: Tree, path: string): Stats | undefined {
  try {
    return lstatSync(fileOf(tree, nameOf(path)), { throwIfNoEntry: false });
  } catch {
    return undefined; // A file stands where a folder was.
  }
}
