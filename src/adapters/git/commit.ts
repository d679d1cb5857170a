import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Committed, Look, Tree } from '../../ports/git.ts';
import type { GitCalls } from './calls.ts';
import { faultOf, heldLock } from './fault.ts';
import { gitFolderOf } from './git-folder.ts';
import { headOf } from './history.ts';
import { listOfPaths } from './path-bytes.ts';
import type { GitAnswer } from './program.ts';
import { stage, stagedPaths, stageEverything, unstage } from './staging.ts';
import { nameOf, standings } from './standing.ts';

/** See `Git.commit`. */
export interface CommitOrder {
  readonly message: string;
  readonly trailers: Readonly<Record<string, string>>;
  readonly paths: readonly string[] | 'everything';
  readonly spareIndex: boolean;
  readonly asStaged?: readonly string[];
  readonly look?: Promise<Look>;
}

/** The whole text of a commit: the message as it is, an empty line, a line for each trailer. */
export function commitText(message: string, trailers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(trailers).map(([key, value]) => `${key}: ${value.replace(/\s*[\r\n]\s*/g, ' ')}\n`);
  const text = `${message.replace(/\n+$/, '')}\n`;
  return lines.length === 0 ? text : `${text}\n${lines.join('')}`;
}

/**
 * Two calls of git in the ordinary case, to stage and to commit. The index is committed as a whole where it may be:
 * hooks that improve files and stage them again work with nothing else.
 */
export async function commit(calls: GitCalls, tree: Tree, order: CommitOrder): Promise<Committed> {
  const { paths } = order;
  const text = commitText(order.message, order.trailers);
  if (paths === 'everything') {
    await stageEverything(calls, tree);
    return concluded(calls, tree, { text, paths, flags: [] });
  }
  const stageFiles = (some: readonly string[]): Promise<void> =>
    stage(
      calls,
      tree,
      some.filter((path) => !order.asStaged?.includes(path)),
    );
  // Whatever comes of one, the other is not left running.
  const [looked, staging] = await Promise.allSettled([order.look ?? lookAt(calls, tree), stageFiles(paths)]);
  if (looked.status === 'rejected') throw looked.reason;
  const { paths: more, staged, unseen = [] } = looked.value;
  const overlooked = [...standings(tree, unseen)].flatMap(([path, standing]) => (standing === 'absent' ? [] : [path]));
  if (overlooked.length > 0) {
    await unstage(calls, tree, paths);
    return { how: 'overlooked', paths: overlooked };
  }
  if (staging.status === 'rejected') throw staging.reason;
  await stageFiles(more);
  const ours = new Set([...paths, ...more].map(nameOf));
  if (ours.size === 0) return { how: 'nothing' };
  const foreign = staged.filter((path) => !ours.has(path));
  if (foreign.length > 0 && order.spareIndex) return commitOnly(calls, tree, { text, ours });
  await unstage(calls, tree, foreign);
  return concluded(calls, tree, { text, paths: [...ours], flags: [] });
}

async function lookAt(calls: GitCalls, tree: Tree): Promise<Look> {
  return { paths: [], staged: await stagedPaths(calls, tree) };
}

/** Leaves what else is staged where it is, and makes the index agree with what hooks made of our files. */
async function commitOnly(
  calls: GitCalls,
  tree: Tree,
  { text, ours }: { readonly text: string; readonly ours: ReadonlySet<string> },
): Promise<Committed> {
  const paths = (await stagedPaths(calls, tree)).filter((path) => ours.has(path));
  if (paths.length === 0) return { how: 'nothing' };
  const list = join(await gitFolderOf(tree), `specloop-paths-${randomBytes(8).toString('hex')}`);
  try {
    await writeFile(list, listOfPaths(paths.map((path) => `:(top,literal)${path}`)), { flag: 'wx' });
    const flags = ['--only', `--pathspec-from-file=${list}`, '--pathspec-file-nul'];
    const done = await concluded(calls, tree, { text, paths, flags });
    if (done.how === 'committed') await unstage(calls, tree, paths);
    return done;
  } finally {
    await rm(list, { force: true });
  }
}

interface Conclusion {
  readonly text: string;
  /** What was staged, to be taken out of the index again if the commit is refused. */
  readonly paths: CommitOrder['paths'];
  readonly flags: readonly string[];
}

async function concluded(calls: GitCalls, tree: Tree, { text, paths, flags }: Conclusion): Promise<Committed> {
  const before = await headOf(calls, tree);
  const args = ['commit', '-q', '--cleanup=verbatim', '-F', '-', ...flags];
  const answer = await calls.run(tree, args, { stdin: text, hooks: 'run', effort: 'work' });
  const after = await headOf(calls, tree);
  // A hook that runs after the commit may hang as well; the commit is there then.
  const isThere = answer.code === 0 || (answer.stopped === 'too-long' && after !== before);
  if (isThere && after !== undefined) return { how: 'committed', commit: after };
  const staged = await stagedPaths(calls, tree);
  if (isRefusal(answer) && staged.length === 0) return { how: 'nothing' };
  await unstage(calls, tree, paths === 'everything' ? staged : paths);
  if (!isRefusal(answer)) throw faultOf('commit', answer);
  return { how: 'refused', output: words(answer) };
}

/** 1 is a hook's no (or nothing to commit); signing and the hook of the ref end with git's own failure. */
function isRefusal(answer: GitAnswer): boolean {
  if (heldLock(answer) !== undefined) return false;
  if (answer.code === 1 || answer.stopped === 'too-long') return true;
  return (
    /failed to write commit object|aborted by (the reference-transaction )?hook/.test(answer.stderr) &&
    !/No space left|quota exceeded|insufficient permission/.test(answer.stderr)
  );
}

function words({ stopped, stderr, stdout }: GitAnswer): string {
  const late = stopped === 'too-long' ? '\nThe hooks of this commit took too long and were ended.' : '';
  return `${stderr}${stdout.toString()}${late}`.trim();
}
