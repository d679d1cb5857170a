import type { Question } from '../../answer/questions.ts';
import type { Drafted } from '../../plan/data/step.ts';
import type { Outcome } from './outcome.ts';

/** Why a run ends, and what for. */
export interface RunEnding {
  readonly result: Outcome | 'interrupted';
  readonly reason: string;
  /** The draft that a person is asked to approve, by the document that it is of, or the questions that wait for an answer. */
  readonly wants?: { readonly gate: { readonly artifact: Drafted } } | { readonly questions: readonly Question[] };
}
