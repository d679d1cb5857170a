import { type Comparison, type Difference, sentenceOf, type Undo } from './compare.ts';
import type { Picture } from './picture.ts';

/**
 * What of a comparison is put back when the coordinator was killed while someone was at work (R-VER-14). A person may have
 * worked since: a ref that moved or came may be their work, so it is told and stays. What went comes back.
 */
export function undosAfterKill({ differences }: Comparison, now: Picture): readonly Undo[] {
  return differences.flatMap((difference) =>
    difference.undo === undefined || mayBeOfPerson(difference, now) ? [] : [difference.undo],
  );
}

/** What people are told of it, one sentence each; `isPutBack` if all of that succeeded. */
export function sentencesAfterKill(
  { differences }: Comparison,
  now: Picture,
  { isPutBack }: { readonly isPutBack: boolean },
): readonly string[] {
  return differences.map((difference) =>
    mayBeOfPerson(difference, now)
      ? `${difference.text}; it was not undone, as it may be your own work.`
      : sentenceOf(difference, isPutBack),
  );
}

function mayBeOfPerson({ undo }: Difference, now: Picture): boolean {
  return undo?.what === 'ref' && now.refs[undo.name] !== undefined;
}
