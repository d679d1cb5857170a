import { problemCounts } from '../planning/draft-problem.ts';
import type { EventOf } from '../run/event.ts';
import type { RunState } from '../run/state.ts';
import { shortHash } from '../text/words.ts';
import { leftText, rejection } from './attempt-sentences.ts';
import { each, idOf, list, shown } from './phrases.ts';

/** What the checks say of a draft, or where it is recorded (R-PLAN-2, R-PLAN-5). */
export function draftSentence(
  event: EventOf<'draft-checked' | 'draft-recorded' | 'drafts-removed'>,
  after: RunState,
  detailLinesMax: number,
): string | undefined {
  if (event.type === 'drafts-removed')
    return each(
      `What was made is removed: ${list(event.restored)}.`,
      ...event.kept.map((ref) => `The drafts are kept under ${shown(ref)}`),
    );
  const id = idOf(after, event.task);
  if (event.type === 'draft-checked') {
    const counts = problemCounts(event.problems);
    const found = `${id}: the checks found ${counts === '' ? 'no problem' : counts}.`;
    return rejection(event.task, after, detailLinesMax) ?? found;
  }
  const { commit, sha256, left } = event;
  const where = commit === undefined ? 'it is not committed' : `commit ${shortHash(commit)}`;
  return each(left && `${id}: ${leftText(left)}.`, `${id}: recorded, content ${shortHash(sha256)}, ${where}`);
}
