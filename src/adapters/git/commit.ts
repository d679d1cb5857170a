import { type Committed, type Git, GitFault, type Tree } from '../../ports/git.ts';
import type { GitCalls } from './calls.ts';
import { conclude } from './conclude.ts';
import { gitFolderOf } from './git-folder.ts';
import { nameOf } from './path-kinds.ts';
import { withPathList } from './path-list.ts';
import { stage, stagedPaths, stageEverything, unstage } from './staging.ts';
import { type CommitSettings, settingsOf, withFlags } from './user-settings.ts';

/** See `Git.commit`. */
export type GitCommitOrder = Parameters<Git['commit']>[1];

type Signed = GitCommitOrder & Pick<CommitSettings, 'signs'>;

/** The whole text of a commit: the message as it is, an empty line, a line for each trailer. */
export function commitText(message: string, trailers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(trailers).map(([key, value]) => `${key}: ${value.replace(/\s*[\r\n]\s*/g, ' ')}\n`);
  const text = `${message.replace(/\n+$/, '')}\n`;
  return lines.length === 0 ? text : `${text}\n${lines.join('')}`;
}

/**
 * Three calls of git in the ordinary case: to read the user's settings, to stage, and to commit. The index is committed
 * as a whole where it may be: hooks that improve files and stage them again work with nothing else.
 */
export async function commit(calls: GitCalls, tree: Tree, order: GitCommitOrder): Promise<Committed> {
  await gitFolderOf(tree); // Throws where git would take a repository further up.
  const { signs, ...settings } = await settingsOf(calls, tree);
  const flagged = withFlags(calls, settings);
  try {
    return order.paths === 'everything'
      ? await commitEverything(flagged, tree, { ...order, signs })
      : await commitPaths(flagged, tree, { ...order, paths: order.paths, signs });
  } catch (error) {
    if (!(error instanceof GitFault) || error.kind !== 'unfit') throw error;
    return { how: 'unfit', output: error.message };
  }
}

async function commitEverything(calls: GitCalls, tree: Tree, order: Signed): Promise<Committed> {
  await stageEverything(calls, tree);
  return conclude(calls, tree, { ...order, text: textOf(order), flags: [] });
}

async function commitPaths(
  calls: GitCalls,
  tree: Tree,
  order: Signed & { readonly paths: readonly string[] },
): Promise<Committed> {
  const { paths, asStaged } = order;
  const staged = order.staged ?? (await stagedPaths(calls, tree));
  await stage(
    calls,
    tree,
    paths.filter((path) => !asStaged?.includes(path)),
  );
  const ours = new Set(paths.map(nameOf));
  if (ours.size === 0) return { how: 'nothing' };
  const foreign = staged.filter((path) => !ours.has(path));
  if (foreign.length > 0 && order.keepsStaged) return commitOnly(calls, tree, { order, ours });
  await unstage(calls, tree, foreign);
  return conclude(calls, tree, { ...order, text: textOf(order), paths: [...ours], flags: [] });
}

function textOf({ message, trailers }: GitCommitOrder): string {
  return commitText(message, trailers);
}

/** Leaves what else is staged where it is, and makes the index agree with what hooks made of our files. */
async function commitOnly(
  calls: GitCalls,
  tree: Tree,
  { order, ours }: { readonly order: Signed; readonly ours: ReadonlySet<string> },
): Promise<Committed> {
  const paths = (await stagedPaths(calls, tree)).filter((path) => ours.has(path));
  if (paths.length === 0) return { how: 'nothing' };
  return withPathList(tree, paths, async (list) => {
    const done = await conclude(calls, tree, { ...order, text: textOf(order), paths, flags: ['--only', ...list] });
    if (done.how === 'committed') await unstage(calls, tree, paths);
    return done;
  });
}
