import { type RunState, taskOf } from '../../core/run/data/state.ts';
import { firstOf } from '../../core/text/first-of.ts';
import type { Inspection } from '../../ports/git.ts';
import type { AttemptKey } from '../lane/attempt-key.ts';
import type { World } from '../lane/world.ts';
import { keptRef } from './kept-ref.ts';
import { keepAndPutBack } from './leftovers.ts';

interface Note {
  readonly attempt: number;
  /** What was changed in the tree before the commands ran. */
  readonly paths: readonly string[];
}

const NAMED_MAX = 5;

function recordName({ key }: AttemptKey): string {
  return `${key}/check.json`;
}

/** Records the state of the tree before Verify commands run in it, for when they, and we, are interrupted (R-ADV-2). */
export async function noteBefore({ folder }: World, at: AttemptKey, { changes }: Inspection): Promise<void> {
  const note: Note = { attempt: at.attempt, paths: changes.map(({ path }) => path) };
  await folder.writeRecord(recordName(at), JSON.stringify(note));
}

/** What the commands wrote was looked at: what is written from now on does not come from them. */
export async function forgetNote({ folder }: World, at: AttemptKey): Promise<void> {
  await folder.removeRecord(recordName(at));
}

/**
 * What Verify commands that were interrupted had written outside the work is kept under a ref and put back: checked again, it
 * would count as the work of the attempt (R-VER-13). Resolves with what a person should know, one sentence. Nothing is
 * done where the last check ended, nor in a tree that others share.
 */
export async function putCutOffBack(world: World, state: RunState, at: AttemptKey): Promise<readonly string[]> {
  const note = await readNote(world, at);
  if (note === undefined) return [];
  const named = taskOf(state, at.key).files.map((file) => file.replace(/^\.\//, ''));
  const { left } = await keepAndPutBack(world, {
    ref: `${keptRef(world.spec, at)}-verify`,
    exclude: [...note.paths, ...named],
    message: `specloop: what a Verify command of task ${at.key} that was cut off had written`,
  });
  await forgetNote(world, at);
  if (left === undefined) return [];
  const kept = left.kept === undefined ? '' : `, kept under ${left.kept}`;
  return [
    `The Verify command was interrupted after it had changed ${firstOf(left.paths, NAMED_MAX)}: put back${kept}.`,
  ];
}

async function readNote({ folder }: World, at: AttemptKey): Promise<Note | undefined> {
  const text = await folder.readRecord(recordName(at));
  const note: Note | undefined = text && JSON.parse(text);
  return note?.attempt === at.attempt ? note : undefined;
}
