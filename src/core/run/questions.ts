import type { Answered } from '../answer/answered.ts';
import { type Question, sameText } from '../answer/questions.ts';
import { rulesFor } from '../planning/check-answers.ts';
import { answerIn, decisionLine, isAbout, isAboutText } from '../planning/decisions.ts';
import { explicitAnswer } from '../planning/explicit-answer.ts';
import { specWord } from '../planning/planning-facts.ts';
import { counted } from '../text/words.ts';
import type { EventOf } from './data/event.ts';
import type { RunEnding } from './data/run-ending.ts';
import { type AtStage, type Begun, progressOf, type RunState, type TaskProgress, taskOf } from './data/state.ts';
import { begun, begunOf, fail, move } from './moves.ts';

/** Questions of one round that a person is asked, and rounds of one document (R-ASK-1). */
export const ASKED_MAX = 8;
const ROUNDS_MAX = 3;

/** The list of questions that the author of a document asks; `undefined` if it asks none that can be read. */
export function questionsIn({ how, answer }: EventOf<'agent-returned'>): readonly Question[] | undefined {
  const { questions } = answer;
  return how !== 'completed' || questions === undefined || 'malformed' in questions ? undefined : questions;
}

/** Those that were not settled before, by the same id or the same text (R-ASK-3). */
export function newQuestions(state: RunState, asked: readonly Question[]): readonly Question[] {
  const settled = settledIn(state);
  const isSettled = (question: Question) =>
    settled.some((known) => isSame(known, question)) ||
    (state.planning?.decisions ?? []).some((line) => isAbout(line, question));
  return asked.filter((question) => !isSettled(question));
}

function settledIn({ decided, progress }: RunState): readonly Answered[] {
  const ofAll = [...progress.values()].flatMap(({ answered = [] }) => answered);
  return [...decided, ...ofAll.filter(({ basis }) => basis !== 'look-up')];
}

function isSame(known: Answered, { id, ask }: Pick<Question, 'id' | 'ask'>): boolean {
  return (known.id !== undefined && sameText(known.id, id)) || sameText(known.question, ask);
}

/**
 * Notes for the gate what was asked in other words below an id that is settled: the answer to that id was taken for it, which no
 * person confirmed (R-ASK-3).
 */
export function withReusedIds(state: RunState, key: string, asked: readonly Question[]): RunState {
  const fresh = newQuestions(state, asked);
  const reused = asked
    .filter((question) => !fresh.includes(question))
    .flatMap((question) => reusedId(state, question) ?? []);
  if (reused.length === 0) return state;
  const { answered = [] } = begun(state, key);
  return move(state, key, { ...progressOf(state, key), answered: [...answered, ...reused] });
}

/** What is noted of a question whose id alone is known; `undefined` where its text was settled. */
function reusedId(state: RunState, { id, ask }: Question): Answered | undefined {
  const settled = settledIn(state);
  const lines = state.planning?.decisions ?? [];
  if (settled.some(({ question }) => sameText(question, ask)) || lines.some((line) => isAboutText(line, ask)))
    return undefined;
  const known = settled.find((one) => one.id !== undefined && sameText(one.id, id));
  const answer = known === undefined ? answerIn(lines.find((line) => isAbout(line, { id, ask })) ?? '') : known.answer;
  return { id, question: ask, answer, basis: answer === '' ? 'open' : 'assumed' };
}

/**
 * The attempt that asked failed, where no one is asked: everything was settled before, or the rounds are used up. Then what is
 * new is assumed, so that no question is dropped (R-ASK-1, R-ASK-3).
 */
export function askedInVain(state: RunState, key: string, asked: readonly Question[]): RunState | undefined {
  const fresh = newQuestions(state, asked);
  if (fresh.length === 0) {
    const ids = asked.map(({ id }) => id).join(', ');
    const text = `ASKED AGAIN: ${ids}: this was settled before, and holds. A new question needs a new id and other words.`;
    return fail(state, key, { layer: 'signal', text });
  }
  const before = begun(state, key);
  if ((before.questionRounds ?? 0) < ROUNDS_MAX) return undefined;
  const assumed = fresh.map(withoutPerson);
  const { answered = [] } = before;
  const noted = move(state, key, { ...progressOf(state, key), answered: replaced(answered, assumed) });
  const text = [
    `QUESTIONS: There were ${ROUNDS_MAX} rounds of questions, and no more are asked. Write the document; this holds:`,
    ...assumed.map((one) => `- ${decisionLine(one)}`),
  ].join('\n');
  return fail(noted, key, { layer: 'signal', text });
}

/** Where a step goes whose author asked: it waits for a person, or goes on at once where no one has to be asked (R-ASK-1). */
export function afterQuestions(
  state: RunState,
  key: string,
  {
    begun: before,
    questions,
    kept,
  }: { readonly begun: Begun; readonly questions: readonly Question[]; readonly kept?: string },
): TaskProgress {
  const { answered = [], questionRounds = 0, attempt } = before;
  const { asked, settled } = sorted(state, key, questions);
  const after = { ...before, questionRounds: questionRounds + 1, answered: replaced(answered, settled) };
  if (asked.length === 0) return { ...after, at: 'waiting', attempt: attempt + 1 };
  return { ...after, at: 'asking', question: asksText(asked), questions: asked, ...(kept !== undefined && { kept }) };
}

/**
 * What becomes of each question of a round. A fact goes back once, then it is open. Of the others a person is asked so many at a
 * time; the rest, and without gates all, is assumed. None is dropped (R-ASK-1, R-ASK-2).
 */
function sorted(
  state: RunState,
  key: string,
  questions: readonly Question[],
): { readonly asked: readonly Question[]; readonly settled: readonly Answered[] } {
  const { answered = [] } = progressOf(state, key);
  const others = questionsAsked(state).filter(({ task }) => task !== taskOf(state, key).id);
  const isTaken = ({ id, ask }: Question) => others.some((one) => sameText(one.id, id) && !sameText(one.ask, ask));
  const asked: Question[] = [];
  const settled: Answered[] = [];
  for (const question of questions) {
    const answer = answerTo(state, key, question);
    if (answer !== undefined) settled.push(answer);
    else if (question.kind === 'fact') settled.push(asFact(question, answered));
    else if (state.planning?.isQuick === true || asked.length >= ASKED_MAX || isTaken(question))
      settled.push(withoutPerson(question));
    else asked.push(question);
  }
  return { asked, settled };
}

function asFact({ id, ask }: Question, answered: readonly Answered[]): Answered {
  const wentBack = answered.some((known) => known.basis === 'look-up' && isSame(known, { id, ask }));
  return { id, question: ask, answer: '', basis: wentBack ? 'open' : 'look-up' };
}

function withoutPerson({ id, ask, recommended }: Question): Answered {
  return recommended === undefined
    ? { id, question: ask, answer: '', basis: 'open' }
    : { id, question: ask, answer: recommended, basis: 'assumed' };
}

/** What is settled takes the place of what was to be looked up. */
function replaced(before: readonly Answered[], settled: readonly Answered[]): readonly Answered[] {
  const isOld = ({ id, basis }: Answered) => basis === 'look-up' && settled.some((one) => one.id === id);
  return [...before.filter((one) => !isOld(one)), ...settled];
}

/**
 * The answer to one question: what a person said, an answer that was given before it came, or its recommendation where that was
 * asked for; `undefined` if none of these is an explicit answer to it (R-ASK-2).
 */
export function answerTo(
  { policy, tasks }: Pick<RunState, 'policy' | 'tasks'>,
  key: string,
  question: Question,
  said?: string,
): Answered | undefined {
  const { id, ask, recommended, kind } = question;
  const task = tasks.find((one) => one.key === key)?.id;
  const rules = rulesFor(policy.answers ?? [], question).filter(
    (rule) => rule.task === undefined || rule.task === task,
  );
  const texts = [...(said === undefined ? [] : [said]), ...rules.map(({ answer }) => answer)];
  for (const text of texts) {
    const found = explicitAnswer(question, text);
    if (found.ok) return { id, question: ask, answer: found.answer };
  }
  if (policy.assumes !== true || recommended === undefined || kind === 'fact') return undefined;
  return { id, question: ask, answer: recommended, basis: 'assumed' };
}

/** A step whose author asked, once answers are there: it goes on when none is missing (R-ASK-2). */
export function answersTaken(
  progress: AtStage<'asking'>,
  answers: NonNullable<EventOf<'run-resumed'>['answers']>,
): TaskProgress {
  const { questions = [], kept, attempt, answered = [] } = progress;
  const taken = questions.flatMap(({ id, ask }): readonly Answered[] => {
    const given = answers.find(({ question }) => question === id);
    if (given === undefined) return [];
    return [{ id, question: ask, answer: given.answer, ...(given.basis && { basis: given.basis }) }];
  });
  const open = questions.filter(({ id }) => !taken.some((one) => one.id === id));
  const after = { ...begunOf(progress), answered: [...answered, ...taken] };
  if (open.length === 0) return { ...after, at: 'waiting', attempt: attempt + 1 };
  return { ...after, at: 'asking', question: asksText(open), questions: open, ...(kept !== undefined && { kept }) };
}

/** The end of a run whose author waits for answers, and how they are given; `undefined` for one that asked no list (R-ASK-3). */
export function waitsForAnswers(state: RunState, key: string): RunEnding | undefined {
  const progress = progressOf(state, key);
  if (progress.at !== 'asking' || progress.questions === undefined) return undefined;
  const { kept, answered = [] } = progress;
  const questions = questionsAsked(state).map(({ task: _task, ...question }) => question);
  const spec = state.planning === undefined ? '' : specWord(state.planning);
  const [first] = questions;
  const byNumber = (first?.options ?? []).length === 0 ? '' : ' (or the number of an option)';
  const canAssume = questions.some(({ recommended, kind }) => recommended !== undefined && kind !== 'fact');
  const reason = [
    `${taskOf(state, key).step?.file ?? key} needs answers: ${asksText(questions)}`,
    ...notAskedLines(answered),
    ...(kept === undefined ? [] : [`The draft so far is kept: ${kept}`]),
    `To answer one: specloop answer ${first?.id} ${spec} "TEXT"${byNumber}`,
    `To answer all: specloop questions ${spec} --json > answers.json, fill it in, then specloop start ${spec} --answers answers.json`,
    ...(canAssume ? [`To take all recommendations: specloop start ${spec} --assume`] : []),
  ].join('\n');
  return { result: 'waiting', reason, wants: { questions } };
}

/** How many questions no person is asked, and what becomes of them (R-ASK-1). */
function notAskedLines(answered: readonly Answered[]): readonly string[] {
  const number = (basis: Answered['basis']) => answered.filter((one) => one.basis === basis).length;
  const [assumed, open] = [number('assumed'), number('open')];
  const parts = [...(assumed ? [`${assumed} assumed as recommended`] : []), ...(open ? [`${open} left open`] : [])];
  return parts.length === 0 ? [] : [`Not asked: ${parts.join(', ')}. They are listed where you approve the document.`];
}

/** A question of the author of a document, with the id of the step that drafts it. */
export interface AskedQuestion extends Question {
  readonly task: string;
}

/** The questions that a run waits for, in their order; what two authors ask alike is one question (R-ASK-3). */
export function questionsAsked(state: RunState): readonly AskedQuestion[] {
  const all = [...state.progress].flatMap(([key, progress]) =>
    progress.at === 'asking'
      ? (progress.questions ?? []).map((question) => ({ ...question, task: taskOf(state, key).id }))
      : [],
  );
  return all.filter((question, at) => all.findIndex(({ id }) => id === question.id) === at);
}

/** Questions for people, a line each. */
export function asksText(questions: readonly Question[]): string {
  return [counted(questions.length, 'question'), ...questions.map((question) => `  ${questionLine(question)}`)].join(
    '\n',
  );
}

function questionLine({ id, ask, options = [], recommended }: Question): string {
  const listed = options.map(({ label }, at) => `${at + 1} ${label}`).join(', ');
  const proposal = recommended === undefined ? '' : `recommended: ${recommended}`;
  const more = [listed, proposal].filter((text) => text !== '').join('; ');
  return `[${id}] ${ask}${more === '' ? '' : ` (${more})`}`;
}
