import { sentencesAfterKill, undosAfterKill } from '../../core/watch/after-kill.ts';
import { compare } from '../../core/watch/compare.ts';
import { partOf } from '../../core/watch/picture.ts';
import type { Pictures } from '../../ports/pictures.ts';
import { naming } from './naming.ts';
import type { WatchRecord } from './watch-record.ts';

/** What was found and put right after a run that was killed. */
export interface AfterKilledRun {
  /** One sentence each; none where everything was as it had been. */
  readonly sentences: readonly string[];
  /** Where our own commits take hooks from, when hooks were set up that were not there before. */
  readonly hooksPath?: string;
}

/**
 * Compares what judges the work with how it was when the killed run saw it last, and puts back what an agent, or a command,
 * may have changed since (R-VER-14). Twice is once: what was put back is found as it was.
 */
export async function afterKilledRun(
  { before, scene, files, hooksPath: earlier }: WatchRecord,
  pictures: Pictures,
): Promise<AfterKilledRun> {
  const now = await pictures.takeAgain(before, scene);
  const comparison = compare(partOf(before, now), now, naming(files));
  const undos = undosAfterKill(comparison, now);
  const { keptIn, failed } = undos.length === 0 ? { keptIn: [], failed: [] } : await pictures.putBack(before, undos);
  const hooksPath = earlier ?? comparison.hooksPath;
  return {
    sentences: [
      ...sentencesAfterKill(comparison, now, { isPutBack: failed.length === 0 }),
      ...failed,
      ...(keptIn.length === 0 ? [] : [`What was replaced is kept in ${keptIn.join(', ')}.`]),
    ],
    ...(hooksPath === undefined ? {} : { hooksPath }),
  };
}
