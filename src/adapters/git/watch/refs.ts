import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StashEntry } from '../../../core/watch/picture.ts';
import type { Tree } from '../../../ports/git.ts';
import type { GitCalls } from '../calls.ts';
import { branchRefIn, isMissing } from '../git-folder.ts';

/** What moves by itself or by our doing: nothing of the user's is in it. */
const PASSING = /^refs\/(remotes|specloop|stash|bisect|rewritten|worktree|prefetch|heads\/specloop-batch)(\/|$)/;

/** The refs of a repository by full name, those that pass and the branch of the run aside. */
export async function readRefs(
  calls: GitCalls,
  main: Tree,
  { commonDir, branch }: { readonly commonDir: string; readonly branch: string },
): Promise<Readonly<Record<string, string>>> {
  const refs = existsSync(join(commonDir, 'reftable')) ? await refsByGit(calls, main) : refsInFiles(commonDir);
  const isWatched = (name: string) => !PASSING.test(name) && name !== `refs/heads/${branch}`;
  return Object.fromEntries([...refs].filter(([name]) => isWatched(name)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function refsByGit(calls: GitCalls, main: Tree): Promise<ReadonlyMap<string, string>> {
  const output = await calls.ask(main, ['for-each-ref', '--format=%(refname) %(objectname)']);
  return new Map(
    output
      .toString()
      .split('\n')
      .slice(0, -1)
      .map((line) => pairOf(line.split(' '))),
  );
}

function pairOf([name = '', target = '']: readonly string[]): readonly [string, string] {
  return [name, target];
}

/** Loose files win over packed ones. */
function refsInFiles(commonDir: string): ReadonlyMap<string, string> {
  const refs = new Map(packedRefs(join(commonDir, 'packed-refs')));
  const walk = (name: string): void => {
    for (const entry of readdirSync(join(commonDir, name), { withFileTypes: true })) {
      const path = `${name}/${entry.name}`;
      if (PASSING.test(path)) continue;
      if (entry.isDirectory()) walk(path);
      else if (!path.endsWith('.lock')) refs.set(path, readFileSync(join(commonDir, path), 'utf8').trimEnd());
    }
  };
  try {
    walk('refs');
  } catch (error) {
    // One that went while we looked: the next look tells.
    if (!isMissing(error)) throw error;
  }
  return refs;
}

let packed: { readonly stamp: string; readonly refs: ReadonlyMap<string, string> } | undefined;

/** A file of thousands of lines that hardly ever changes is read once. */
function packedRefs(path: string): ReadonlyMap<string, string> {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  if (stats === undefined) return new Map();
  const stamp = `${path} ${stats.ino} ${stats.size} ${stats.mtimeNs}`;
  if (packed?.stamp !== stamp) {
    const lines = readFileSync(path, 'utf8').split('\n');
    const refs = lines.flatMap((line) => {
      const [, target = '', name = ''] = /^([0-9a-f]{40,64}) (refs\/.+)$/.exec(line) ?? [];
      return name === '' || PASSING.test(name) ? [] : [[name, target] as const];
    });
    packed = { stamp, refs: new Map(refs) };
  }
  return packed.refs;
}

/** The branches that working trees other than these are on, by full name. Folders are those of `.git`. */
export async function branchesElsewhere(commonDir: string, gitFolders: readonly string[]): Promise<readonly string[]> {
  const ours = new Set(gitFolders);
  const names = existsSync(join(commonDir, 'worktrees')) ? readdirSync(join(commonDir, 'worktrees')) : [];
  const folders = [commonDir, ...names.map((name) => join(commonDir, 'worktrees', name))];
  const branches = await Promise.all(folders.filter((folder) => !ours.has(folder)).map(branchRefIn));
  return branches.flatMap((branch) => branch ?? []);
}

/** The entries of the stash, newest first, from its log. */
export function readStash(commonDir: string): readonly StashEntry[] {
  const log = join(commonDir, 'logs/refs/stash');
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, commit, message = ''] = /^[0-9a-f]+ ([0-9a-f]+) [^\t]*(?:\t(.*))?$/.exec(line) ?? [];
      return commit === undefined || /^0+$/.test(commit) ? [] : [{ commit, message }];
    })
    .reverse();
}
