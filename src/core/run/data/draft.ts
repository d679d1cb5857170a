import type { DraftProblem } from '../../planning/draft-problem.ts';
import type { ShownScope } from '../../progress/scope.ts';

/** The draft of a step of planning, as it was checked or recorded last. */
export interface KnownDraft {
  /** Hash of its content; absent where there is no text. */
  readonly sha256?: string;
  readonly problems: readonly DraftProblem[];
  /** The documents that it was made from when it was recorded, with the hashes of their content. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** It advises against the goal (R-STOP-1). */
  readonly advisesAgainst?: true;
  /** The scope that it drafts, or that a person wrote (R-SCOPE-1). */
  readonly scope?: ShownScope;
  /** How many Verify commands of the plan were not tried (R-PROBE-1). */
  readonly untried?: number;
}
