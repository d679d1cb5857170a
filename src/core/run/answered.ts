/** A question of an agent's, and what a person answered (R-AGT-6). */
export interface Answered {
  readonly question: string;
  readonly answer: string;
  /** Where the work of the attempt that asked is kept, if the next one began without it. */
  readonly kept?: string;
}

/**
 * An answer that a person gave before the question came. It fits a question by its task, the whole question, or a part of
 * it that `match` names, whatever the case; without any of these it fits every question.
 */
export interface AnswerRule {
  readonly question?: string;
  readonly task?: string;
  readonly match?: string;
  readonly answer: string;
}
