import type { MalformedQuestions, Question } from '../../answer/questions.ts';
import type { ModificationRequest } from '../../plan/edit/modification.ts';

/** What an agent's final answer says, read once when it returned. Facts, not conclusions. */
export interface Answer {
  /** The role's own signal, alone on its line (R-DEL-4). With both verdicts the negative one counts. */
  readonly signal: 'positive' | 'negative' | 'none';
  /** Where the word of the signal is instead, if it is not a signal. */
  readonly missing?: string;
  /** What a person is asked before the work can go on (R-AGT-6). */
  readonly question?: string;
  /** What the author of a document asks a person, or why that cannot be read (R-ASK-1). */
  readonly questions?: readonly Question[] | MalformedQuestions;
  /** Words that admit a failure next to the claim (R-VER-2). */
  readonly admission?: string;
  /** What the answer itself says is left undone, unless that is nothing (R-VER-10). */
  readonly undone?: string;
  /** Sentences that are signs of something missing (R-VER-11). */
  readonly doubts?: readonly string[];
  /** The failure report of the task, if the answer holds one (R-REC-2). */
  readonly report?: { readonly error: string; readonly attemptedFix: string; readonly status: string };
  /** A modification request, as asked; whether it is granted is decided later (R-MOD-1). */
  readonly request?: ModificationRequest | { readonly malformed: string };
  /** Last part of the answer, for people and for the next attempt. */
  readonly excerpt: string;
}
