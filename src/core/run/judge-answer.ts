import type { Role } from '../agent/role.ts';
import { readReview } from '../answer/review.ts';
import { claimFailure } from './claim.ts';
import { type AnswerRules, readAnswer } from './read-answer.ts';

/** What a final answer comes to by itself, before anything is measured. */
export type AnswerVerdict = 'rejected' | 'doubt' | 'accepted';

/** Judges a final answer as a run does: by its signals, admissions, what it leaves undone, and doubts (R-DEL-4, R-VER-2, R-VER-10, R-VER-11). */
export function judgeAnswer(text: string, role: Role, rules: Omit<AnswerRules, 'role'>): AnswerVerdict {
  const answer = readAnswer(text, { ...rules, role });
  const isRejected =
    role === 'reviewer'
      ? readReview(text, rules.admissions).verdict !== 'pass'
      : claimFailure({ how: 'completed', message: '', answer }, role) !== undefined;
  if (isRejected) return 'rejected';
  return (answer.doubts ?? []).length > 0 ? 'doubt' : 'accepted';
}
