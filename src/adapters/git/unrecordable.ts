import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats } from 'node:fs';
import { join, relative } from 'node:path';
import type { FileMark, Fingerprint } from '../../core/verify/fingerprint.ts';
import type { Unrecordable } from '../../core/verify/unrecordable.ts';
import type { Tree } from '../../ports/git.ts';
import type { GitCalls } from './calls.ts';
import { faultOf } from './fault.ts';
import { foldersAbove } from './files.ts';
import { fingerprint } from './fingerprint.ts';
import { listOfPaths, pathsOfList } from './path-bytes.ts';
import { fileOf, nameOf } from './path-kinds.ts';

/** See `Git.unrecordable`. Git is asked only for entries that are there. */
export async function unrecordable(
  calls: GitCalls,
  tree: Tree,
  { work, missing }: { readonly work: Fingerprint; readonly missing: readonly string[] },
): Promise<readonly Unrecordable[]> {
  const submodules = submodulesIn(tree);
  const made = await Promise.all([...work].map(([path, mark]) => unfit(calls, tree, { path, mark, submodules })));
  const told = new Set(made.map((found) => found?.path));
  const names = new Set([...work.keys()].map(nameOf));
  const isNew = (submodule: string) => names.has(submodule) && names.has('.gitmodules');
  const there = missing.filter((entry) => isGlob(entry) || lookAt(tree, entry) !== undefined);
  const unreached = await Promise.all(there.map((entry) => outOfReach(tree, entry, { submodules, isNew })));
  const open = there.filter((_, at) => unreached[at] === undefined);
  const ignored = await Promise.all(open.map((entry) => ignoredAt(calls, tree, entry)));
  const named = [...unreached, ...ignored].filter((found) => found !== undefined && found !== 'in-submodule');
  return [...made, ...named.filter(({ by }) => !told.has(by))].filter((found) => found !== undefined);
}

interface MadePath {
  readonly path: string;
  readonly mark: FileMark;
  readonly submodules: ReadonlySet<string>;
}

/** Of the work what git records as less than it is: a link, or the commit of a repository. */
async function unfit(
  calls: GitCalls,
  tree: Tree,
  { path, mark, submodules }: MadePath,
): Promise<Unrecordable | undefined> {
  const name = nameOf(path);
  if (mark.is === 'outward-link') return { path: name, why: 'link', by: name };
  if (mark.is === 'link') return await ignoredBehind(calls, tree, name);
  return mark.is === 'repository' && !submodules.has(name) ? { path: name, why: 'repository', by: name } : undefined;
}

/** Git records where a link leads, and nothing of what it leads to. */
async function ignoredBehind(calls: GitCalls, tree: Tree, path: string): Promise<Unrecordable | undefined> {
  const target = targetOf(tree, path);
  if (target === '' || target === path || lookAt(tree, target) === undefined) return undefined;
  const isIgnored = (await ignoredAt(calls, tree, target)) !== undefined;
  return isIgnored ? { path, why: 'link-to-ignored', by: target } : undefined;
}

/** Where a path really ends, from the tree's root; empty where nothing is there. */
function targetOf(tree: Tree, path: string): string {
  try {
    return relative(realpathSync(tree.dir), realpathSync(fileOf(tree, path)).toString());
  } catch {
    return '';
  }
}

function isGlob(entry: string): boolean {
  return /[*?[{]/.test(entry);
}

/** Paths of the submodules that `.gitmodules` names. */
function submodulesIn(tree: Tree): ReadonlySet<string> {
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

interface Submodules {
  readonly submodules: ReadonlySet<string>;
  /** Whether the attempt itself made a submodule. */
  readonly isNew: (submodule: string) => boolean;
}

/**
 * What keeps the entry out of any commit: the first folder or link on the way, or that it is no file. What is in a
 * submodule is that one's matter, unless the attempt put it in place of a folder that *Files* names.
 */
async function outOfReach(
  tree: Tree,
  entry: string,
  { submodules, isNew }: Submodules,
): Promise<Unrecordable | 'in-submodule' | undefined> {
  const name = nameOf(entry);
  for (const way of [...foldersAbove(entry), name]) {
    if (submodules.has(way) && !(isNew(way) && way !== name)) return 'in-submodule';
    const stats = lookAt(tree, way);
    if (stats === undefined) return undefined;
    if (stats.isSymbolicLink()) {
      const mark = (await fingerprint(tree, [way])).get(way);
      return mark?.is === 'outward-link' ? { path: entry, why: 'link', by: way } : undefined;
    }
    if (lookAt(tree, `${way}/.git`) !== undefined) return { path: entry, why: 'repository', by: way };
    if (!stats.isDirectory() && !stats.isFile()) return { path: way, why: 'special-file', by: way };
  }
  const isEmpty = !isGlob(entry) && lookAt(tree, name)?.isDirectory() && !holdsFiles(join(tree.dir, name));
  return isEmpty ? { path: entry, why: 'empty-folder', by: name } : undefined;
}

function holdsFiles(dir: string): boolean {
  return readdirSync(dir, { withFileTypes: true }).some(
    (entry) => !entry.isDirectory() || holdsFiles(join(dir, entry.name)),
  );
}

/** An entry of which nothing is tracked, and something is there that is ignored; where links on its way lead to it. */
async function ignoredAt(calls: GitCalls, tree: Tree, entry: string): Promise<Unrecordable | undefined> {
  const target = isGlob(entry) ? entry : targetOf(tree, entry);
  const list = async (...flags: readonly string[]): Promise<readonly string[]> =>
    pathsOfList(
      await calls.ask(
        tree,
        ['ls-files', '-z', ...flags, '--', `:(top,${isGlob(entry) ? 'glob' : 'literal'})${target}`],
        {
          plainPaths: true,
        },
      ),
    );
  const [path] = await list('--others', '--ignored', '--exclude-standard');
  if (path === undefined || (await list()).length > 0) return undefined;
  if (!isGlob(entry) && target !== nameOf(entry)) return { path: entry, why: 'link-to-ignored', by: target };
  return { path: isGlob(entry) ? path : target, why: 'ignored', by: await ruleOf(calls, tree, path) };
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
    return undefined; // A file is where a folder was.
  }
}
