import type { SpecPlace } from '../../app/place.ts';
import { answerQuestion, openQuestions } from '../../app/run/answers.ts';
import { explicitAnswer } from '../../core/planning/explicit-answer.ts';
import type { AskedQuestion } from '../../core/run/questions.ts';
import { InterruptedError } from '../../core/user-error.ts';
import { questionLines } from '../../core/view/question-lines.ts';
import type { Call } from '../shared/command.ts';
import { hostOf, personAt } from '../shared/host.ts';

/** After so many words that decide nothing, no one is there who decides. */
const TRIES_MAX = 3;

/**
 * Asks the person in the terminal the open questions of a spec, one at a time; each answer is kept at once. Resolves with whether
 * all were answered: not where there are none, no person can be asked, or the person stopped (R-ASK-2). Throws `InterruptedError`.
 */
export async function interview(call: Call, place: SpecPlace): Promise<boolean> {
  const person = personAt(call);
  if (person === undefined) return false;
  const host = hostOf(call);
  const open = await openQuestions(place, host);
  for (const [at, question] of open.entries()) {
    call.stderr.write(`\nQuestion ${at + 1} of ${open.length}\n${questionLines(question).join('\n')}\n`);
    const answer = await answerOf(call, person, question);
    if (answer === undefined) return false;
    await answerQuestion(place, host, { task: question.id, answer });
  }
  return open.length > 0;
}

/** The explicit answer of a person; `undefined` if the person stops. */
async function answerOf(
  { stderr }: Call,
  person: NonNullable<ReturnType<typeof personAt>>,
  question: AskedQuestion,
): Promise<string | undefined> {
  const how = question.options === undefined ? 'Answer' : 'Number of an option, or an answer';
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const said = await person(`${how} (s to stop): `);
    if (said === undefined)
      throw new InterruptedError('Interrupted. The answers so far are kept.', 'Run the command again to go on.');
    if (said.trim().toLowerCase() === 's') return undefined;
    const read = explicitAnswer(question, said);
    if (read.ok) return read.answer;
    stderr.write(`This is no answer. ${read.why}\n`);
  }
  return undefined;
}
