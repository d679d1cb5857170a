import { join } from 'node:path';
import { GitFault, type Tree } from '../../ports/git.ts';
import type { GitCalls } from './calls.ts';
import type { Hooks } from './environment.ts';
import { faultOf } from './fault.ts';
import { listOfPaths, pathsOfList } from './path-bytes.ts';
import { nameOf, type PathKind, pathKinds } from './path-kinds.ts';
import { withPathList } from './path-list.ts';
import { stageBytes } from './stage-bytes.ts';
import { readStatus, STATUS } from './status.ts';

/** Which paths differ between HEAD and the index; `env` may name another one. */
export async function stagedPaths(
  calls: GitCalls,
  tree: Tree,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const args = ['diff', '--cached', '--name-only', '-z', '--no-renames', '--no-ext-diff'];
  return pathsOfList(await calls.ask(tree, args, { env }));
}

/** Takes the paths out of the index as far as they differ from HEAD; the files stay as they are. */
export async function unstage(calls: GitCalls, tree: Tree, paths: readonly string[]): Promise<void> {
  if (paths.length > 0)
    await withPathList(tree, paths, (list) =>
      calls.ask(tree, ['reset', '-q', ...list], { effort: 'work', plainPaths: true }),
    );
}

/** Puts all changes into the index, ignored files aside. Filters find the environment of the user (R-ADV-5). */
export async function stageEverything(calls: GitCalls, tree: Tree): Promise<void> {
  const answer = await calls.run(tree, ['add', '-A', '--sparse'], { hooks: 'run', effort: 'work' });
  if (answer.code === 0) return;
  if (!answer.stderr.includes('does not have a commit checked out')) throw faultOf('add', answer);
  const { changes } = readStatus(await calls.ask(tree, STATUS));
  await stageExactly(
    calls,
    tree,
    pathKinds(
      tree,
      changes.map(({ path }) => path),
    ),
  );
}

/**
 * Puts these paths into the index as they are in the tree, and leaves out those that are ignored. In the ordinary case
 * that is one call. What `git add` refuses or would take too much of (a file that became a folder, one that is neither
 * in the tree nor in the index) is staged name by name.
 */
export async function stage(calls: GitCalls, tree: Tree, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const found = pathKinds(tree, paths);
  const ordinary = [...found.values()].every((kind) => kind === 'file' || kind === 'absent');
  if (ordinary && (await added(calls, tree, paths))) return;
  await stageExactly(calls, tree, found);
}

/** False if git found a path that it cannot add, in which case it added none. */
async function added(calls: GitCalls, tree: Tree, paths: readonly string[]): Promise<boolean> {
  const answer = await withPathList(tree, paths, (list) =>
    calls.run(tree, ['add', '-A', '--sparse', ...list], { hooks: 'run', effort: 'work' }),
  );
  // 1 says that some were left out because they are ignored; the others are added.
  if (answer.code === 0 || (answer.code === 1 && answer.stderr.includes('ignored by one of your .gitignore files')))
    return true;
  if (answer.stderr.includes('did not match any file')) return false;
  throw faultOf('add', answer);
}

async function stageExactly(calls: GitCalls, tree: Tree, found: ReadonlyMap<string, PathKind>): Promise<void> {
  const there = [...found].filter(([, kind]) => kind === 'file' || kind === 'repository');
  const ignored = await ignoredAmong(
    calls,
    tree,
    there.map(([path]) => path),
  );
  const empty = await repositoriesWithoutCommit(calls, tree, found);
  await writeEntries(calls, tree, {
    found: new Map([...found].filter(([path]) => !ignored.has(path) && !empty.has(path))),
    hooks: 'run',
  });
}

/** Which of the paths are ignored; what is in the index already never is. `./` keeps a name from looking like a pattern. */
export async function ignoredAmong(
  calls: GitCalls,
  tree: Tree,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const stdin = listOfPaths(paths.map((path) => `./${path}`));
  const answer = await calls.run(tree, ['check-ignore', '-z', '--stdin'], { stdin, plainPaths: true });
  if (answer.code !== 0 && answer.code !== 1) throw faultOf('check-ignore', answer);
  return new Set(pathsOfList(answer.stdout).map((path) => path.slice(2)));
}

/** A repository inside the tree is committed as the id of its HEAD; while it has none, git cannot hold it. */
async function repositoriesWithoutCommit(
  calls: GitCalls,
  tree: Tree,
  found: ReadonlyMap<string, PathKind>,
): Promise<ReadonlySet<string>> {
  const repositories = [...found].filter(([, kind]) => kind === 'repository').map(([path]) => path);
  const checks = repositories.map(async (path) => {
    const answer = await calls.run({ dir: join(tree.dir, path) }, [
      'rev-parse',
      '--quiet',
      '--verify',
      'HEAD^{commit}',
    ]);
    return answer.code === 0 ? [] : [path];
  });
  return new Set((await Promise.all(checks)).flat());
}

/** Paths to put into an index other than the tree's own. */
export interface ForeignIndex {
  readonly paths: readonly string[];
  /** Names that index to git. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Puts the paths into a temporary index as they are in the tree, ignored or not; of a repository inside the tree, its
 * files. A file that git cannot take (R-ADV-6) goes in byte for byte, past its attributes and filters, so that it is kept.
 */
export async function stageInto(calls: GitCalls, tree: Tree, { paths, env }: ForeignIndex): Promise<void> {
  const all = await filesOf(calls, tree, paths);
  const found = pathKinds(tree, all);
  if (await areTaken(calls, tree, { found, env })) return;
  for (const [path, kind] of found) {
    if (!(await areTaken(calls, tree, { found: new Map([[path, kind]]), env })))
      await stageBytes(calls, tree, { path: nameOf(path), env });
  }
}

/** False if git cannot take one of them, in which case it took none. */
async function areTaken(calls: GitCalls, tree: Tree, entries: Entries): Promise<boolean> {
  try {
    await writeEntries(calls, tree, entries);
    return true;
  } catch (error) {
    if (error instanceof GitFault && error.kind === 'unfit') return false;
    throw error;
  }
}

/** The paths, with the files of each repository among them in its place, those that it ignores aside. */
async function filesOf(calls: GitCalls, tree: Tree, paths: readonly string[]): Promise<readonly string[]> {
  const lists = paths.map(async (path) => {
    if (!path.endsWith('/')) return [path];
    const inner = { dir: join(tree.dir, path) };
    const names = pathsOfList(await calls.ask(inner, ['ls-files', '--cached', '--others', '--exclude-standard', '-z']));
    return (await filesOf(calls, inner, names)).map((name) => path + name);
  });
  return (await Promise.all(lists)).flat();
}

interface Entries {
  readonly found: ReadonlyMap<string, PathKind>;
  readonly env?: Readonly<Record<string, string>>;
  readonly hooks?: Hooks;
}

async function writeEntries(calls: GitCalls, tree: Tree, { found, env = {}, hooks = 'off' }: Entries): Promise<void> {
  const list = (...wanted: readonly PathKind[]): Buffer =>
    listOfPaths([...found].filter(([, kind]) => wanted.includes(kind)).map(([path]) => nameOf(path)));
  const update = async (flags: readonly string[], stdin: Buffer): Promise<void> => {
    const args = ['update-index', ...flags, '-z', '--stdin'];
    if (stdin.length > 0) await calls.ask(tree, args, { env, stdin, hooks, effort: 'work' });
  };
  await update(['--force-remove'], list('hidden', 'other'));
  await update(['--add', '--remove', '--replace'], list('file', 'absent', 'repository'));
}
