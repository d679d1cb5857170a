import type { AnswerRule } from '../answer/answered.ts';
import type { EventOf } from './data/event.ts';
import type { Begun, RunState } from './data/state.ts';

/**
 * What the agent needs a person for: its question, or a tool that it was denied, where it did not complete. `undefined` if
 * it needs no one.
 */
export function questionIn({ how, answer, denials = [] }: EventOf<'agent-returned'>): string | undefined {
  if (how !== 'completed') return undefined;
  if (answer.question !== undefined) return answer.question;
  if (denials.length === 0 || answer.signal === 'positive' || answer.request !== undefined) return undefined;
  const said = answer.excerpt.trim();
  return `The agent was not allowed to use ${denials.join(', ')}.${said === '' ? '' : `\n${said}`}`;
}

/** Whether a question was answered before in this task. */
export function isAnswered({ answered = [] }: Begun, question: string): boolean {
  return answered.some((known) => sameWords(known.question) === sameWords(question));
}

/** The answer that a person gave for questions like this one; `undefined` for none. */
export function answerFor({ policy, tasks }: RunState, key: string, question: string): string | undefined {
  const id = tasks.find((task) => task.key === key)?.id;
  const asked = sameWords(question);
  const fits = (rule: AnswerRule) =>
    (rule.task === undefined || rule.task === id) &&
    (rule.question === undefined || sameWords(rule.question) === asked) &&
    (rule.match === undefined || asked.includes(sameWords(rule.match)));
  return (policy.answers ?? []).find(fits)?.answer;
}

/**
 * Whether a task whose question is answered already goes on at once, with what it has done so far: in the user's tree, where
 * no other task comes between.
 */
export function goesOn(state: RunState, key: string): boolean {
  const progress = state.progress.get(key);
  if (progress?.at !== 'failed' || progress.question === undefined || !keepsChanges(state)) return false;
  return answerFor(state, key, progress.question) !== undefined;
}

/** Whether an attempt may go on in the tree where the one before has worked. */
export function keepsChanges({ batch }: RunState): boolean {
  return batch === undefined;
}

/** The reason of a run that waits for a person's answer. */
export function waitsForAnswer(id: string, { question, kept }: { readonly question: string; readonly kept?: string }) {
  return [
    `Task ${id} needs an answer: ${question}`,
    ...(kept === undefined ? [] : [`Its work so far is kept: ${kept}`]),
    `Answer with: specloop answer ${id} "TEXT". Then start the run again.`,
  ].join('\n');
}

function sameWords(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}
