import type { RunState } from '../../core/run/data/state.ts';
import { progressOf } from '../../core/run/data/state.ts';
import { stepOf } from '../../core/run/drafts.ts';
import type { AttemptKey } from '../lane/attempt-key.ts';
import { readIfText } from '../lane/read-if-text.ts';
import { specPath, type World } from '../lane/world.ts';

/**
 * Keeps the document of a step as it is when an attempt at it begins, where the commit of its start does not have it so: an
 * attempt that is cut off gives it back (R-PLAN-2). Done again before the attempt it changes nothing.
 */
export async function keepDraftBefore(state: RunState, world: World, at: AttemptKey): Promise<void> {
  const step = stepOf(state, at.key);
  if (step === undefined || step.topic !== undefined) return;
  const { git, tree, files, folder } = world;
  const text = await readIfText(files, step.file);
  if (text === undefined) return;
  const committed = await git.fileAt(tree, progressOf(state, at.key).base, specPath(world, step.file));
  if (text !== committed) await folder.writeRecord(recordName(at), text);
}

/** The document of a step as it was when an attempt began; `undefined` where its commit has it so, or there was none. */
export async function draftBefore({ folder }: Pick<World, 'folder'>, at: AttemptKey): Promise<string | undefined> {
  return await folder.readRecord(recordName(at));
}

function recordName({ key, attempt }: AttemptKey): string {
  return `${key}/attempt-${attempt}-before.md`;
}
