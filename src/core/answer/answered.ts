/** A question of an agent's, and what became of it: what a person answered (R-AGT-6), or what is taken without one (R-ASK-1). */
export interface Answered {
  readonly question: string;
  /** Empty for what stays open or is to be looked up. */
  readonly answer: string;
  /** Its short name, where the question was one of a list. */
  readonly id?: string;
  /**
   * Absent for the answer of a person. `assumed`: the recommendation was taken. `open`: there was none. `look-up`: it is a fact
   * that its author is to find out.
   */
  readonly basis?: 'assumed' | 'open' | 'look-up';
  /** Where the work of the attempt that asked is kept, if the next one began without it. */
  readonly kept?: string;
}

/**
 * An answer that a person gave before the question came. It fits a question by its task, the whole question or its id, or a
 * part of it that `match` names, whatever the case; without any of these it fits every question that is not one of a list.
 */
export interface AnswerRule {
  readonly question?: string;
  readonly task?: string;
  readonly match?: string;
  readonly answer: string;
}
