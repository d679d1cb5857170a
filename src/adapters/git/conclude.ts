import type { Committed, RefusedBy, Tree } from '../../ports/git.ts';
import type { GitCalls } from './calls.ts';
import { faultOf, heldLock } from './fault.ts';
import { gitFolderOf } from './git-folder.ts';
import { headOf } from './history.ts';
import { type KeptIndex, keepIndex } from './kept-index.ts';
import { messageNote } from './message-note.ts';
import type { GitAnswer } from './program.ts';
import { stagedPaths, unstage } from './staging.ts';
import { syncWritten } from './sync-written.ts';

/** What is staged is to be committed. */
export interface Conclusion {
  /** The whole text of the commit. */
  readonly text: string;
  /** What was staged, to be taken out of the index again if there is no commit. */
  readonly paths: readonly string[] | 'everything';
  readonly flags: readonly string[];
  /** Whether the user signs commits. */
  readonly signs: boolean;
  readonly signal?: AbortSignal;
  readonly onSlow?: (what: 'hooks' | 'signing') => void;
}

/** How long hooks run before someone who watches wants to know what goes on. */
const SLOW_MS = 5_000;

/** Makes the commit, through hooks and signing, and tells what came of it (R-ADV-1, R-ADV-5). */
export async function conclude(calls: GitCalls, tree: Tree, order: Conclusion): Promise<Committed> {
  const folder = await gitFolderOf(tree);
  const before = await headOf(calls, tree);
  const note = messageNote(folder);
  const kept = await keepIndex(folder);
  const slow = setTimeout(() => order.onSlow?.(note.isWritten() && order.signs ? 'signing' : 'hooks'), SLOW_MS);
  try {
    const began = Date.now();
    const args = ['commit', '-q', '--cleanup=verbatim', '-F', '-', ...order.flags];
    const answer = await calls.run(tree, args, {
      stdin: order.text,
      hooks: 'run',
      effort: 'work',
      ...(order.signal ? { signal: order.signal } : {}),
    });
    const after = await headOf(calls, tree);
    // A hook that runs after the commit may hang as well; the commit is there then.
    const isThere = answer.code === 0 || (answer.stopped !== 'no' && after !== before);
    if (!isThere || after === undefined)
      return await unmade(calls, tree, { answer, order, kept, isNoted: note.isWritten() });
    await syncWritten(folder, began);
    return { how: 'committed', commit: after };
  } finally {
    clearTimeout(slow);
    await kept.remove();
  }
}

interface UnmadeCommit {
  readonly answer: GitAnswer;
  readonly order: Conclusion;
  readonly kept: KeptIndex;
  /** Whether git came so far as to write the message down, which it does after the hooks that look at the work. */
  readonly isNoted: boolean;
}

async function unmade(calls: GitCalls, tree: Tree, failed: UnmadeCommit): Promise<Committed> {
  const { answer, order, kept } = failed;
  const wanted = (await kept.staged(calls, tree)).filter((path) => isOf(order, path));
  const staged = await stagedPaths(calls, tree);
  const by = refusedBy(failed);
  await unstage(calls, tree, order.paths === 'everything' ? staged : order.paths);
  if (answer.stopped === 'asked') return { how: 'stopped' };
  if (by === undefined) throw faultOf('commit', answer);
  if (wanted.length === 0) return { how: 'nothing' };
  const output = words(failed, by, calls.timeouts.workMs);
  const repaired = by === 'work' ? (await kept.changed(calls, tree)).filter((path) => wanted.includes(path)) : [];
  return { how: 'refused', by, output, ...(repaired.length > 0 ? { repaired } : {}) };
}

function isOf({ paths }: Conclusion, path: string): boolean {
  return paths === 'everything' || paths.includes(path);
}

/** What said no; `undefined` if nothing did, and git failed. */
function refusedBy({ answer, isNoted, order }: UnmadeCommit): RefusedBy | undefined {
  if (heldLock(answer) !== undefined) return undefined;
  if (answer.code === 1 || answer.stopped === 'too-long') {
    if (!isNoted) return 'work';
    return answer.stopped === 'too-long' && order.signs ? 'signing' : 'message';
  }
  if (/No space left|quota exceeded|insufficient permission/.test(answer.stderr)) return undefined;
  if (/aborted by (the reference-transaction )?hook/.test(answer.stderr)) return 'reference';
  return answer.stderr.includes('failed to write commit object') ? 'signing' : undefined;
}

/** What hung is named where it was ended for that. */
function words({ answer: { stopped, stderr, stdout } }: UnmadeCommit, by: RefusedBy, limitMs: number): string {
  const what = by === 'signing' ? 'Signing this commit' : 'The hooks of this commit';
  const limit = `longer than ${limitMs / 1_000} s`;
  const late = stopped === 'too-long' ? `\n${what} took too long (${limit}) and was stopped.` : '';
  return `${stderr}${stdout.toString()}${late}`.trim();
}
