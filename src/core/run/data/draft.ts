import type { DraftProblem } from '../../planning/draft-problem.ts';

/** The draft of a step of planning, as it was checked or recorded last. */
export interface KnownDraft {
  /** Hash of its content; absent where there is no text. */
  readonly sha256?: string;
  readonly problems: readonly DraftProblem[];
  /** It advises against the goal (R-STOP-1). */
  readonly advisesAgainst?: true;
}
