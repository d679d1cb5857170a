import type { AnswerRule } from '../answer/answered.ts';
import { type Question, sameText } from '../answer/questions.ts';
import { explicitAnswer } from './explicit-answer.ts';

/** How answers that a person gives together fit the questions that are open. */
export interface AnswersCheck {
  /** Names in the answers that no open question has. */
  readonly unknown: readonly string[];
  /** Ids of questions without an answer. */
  readonly missing: readonly string[];
  /** Answers that decide nothing, with why, as `database: …`. */
  readonly empty: readonly string[];
}

/** Compares answers with the open questions of a step (R-ASK-2, R-ASK-3). What has a recommendation need not be answered where that is taken. */
export function checkAnswers(
  questions: readonly Question[],
  { rules, assumes }: { readonly rules: readonly AnswerRule[]; readonly assumes: boolean },
): AnswersCheck {
  const unknown = rules.flatMap(({ question }) =>
    question === undefined || questions.some(({ id, ask }) => sameText(question, id) || sameText(question, ask))
      ? []
      : [question],
  );
  const missing: string[] = [];
  const empty: string[] = [];
  for (const question of questions) {
    const meant = rulesFor(rules, question);
    const read = meant.map(({ answer }) => explicitAnswer(question, answer));
    const [first] = read;
    if (read.some(({ ok }) => ok)) continue;
    if (first !== undefined && !first.ok) empty.push(`${question.id}: ${first.why}`);
    else if (!assumes || question.recommended === undefined) missing.push(question.id);
  }
  return { unknown, missing, empty };
}

/** The answers that are meant for a question: those that name it, or words of it (R-ASK-2). */
export function rulesFor(
  rules: readonly AnswerRule[],
  { id, ask }: Pick<Question, 'id' | 'ask'>,
): readonly AnswerRule[] {
  return rules.filter(
    ({ question, match }) =>
      (question !== undefined || match !== undefined) &&
      (question === undefined || sameText(question, id) || sameText(question, ask)) &&
      (match === undefined || ask.toLowerCase().includes(match.toLowerCase().trim())),
  );
}
