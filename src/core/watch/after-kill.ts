import { type Comparison, type Difference, sentenceOf, type Undo } from './compare.ts';
import type { Picture } from './picture.ts';

/** What is done about the differences that a killed run left, and what people are told of them. */
export interface AfterKill {
  readonly undos: readonly Undo[];
  /** One sentence each. */
  readonly sentences: readonly string[];
}

/**
 * What of a comparison is put back when the coordinator was killed while somebody was at work (R-VER-14). A person may have
 * worked since: a ref that moved or came may be their work, so it is told and stays. What went comes back.
 */
export function afterKill({ differences }: Comparison, now: Picture): AfterKill {
  const judged = differences.map((difference) => ({ difference, stays: mayBeOfPerson(difference, now) }));
  return {
    undos: judged.flatMap(({ difference: { undo }, stays }) => (undo === undefined || stays ? [] : [undo])),
    sentences: judged.map(({ difference, stays }) =>
      stays ? `${difference.text}; it stays so, as it may be work of yours.` : sentenceOf(difference),
    ),
  };
}

function mayBeOfPerson({ undo }: Difference, now: Picture): boolean {
  return undo?.what === 'ref' && now.refs[undo.name] !== undefined;
}
