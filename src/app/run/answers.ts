import { readFile } from 'node:fs/promises';
import { ANSWERS_FORM, parseAnswers } from '../../config/answers-file.ts';
import type { AnswerRule } from '../../core/answer/answered.ts';
import { sameText } from '../../core/answer/questions.ts';
import { checkAnswers } from '../../core/planning/check-answers.ts';
import { explicitAnswer } from '../../core/planning/explicit-answer.ts';
import { taskOf } from '../../core/run/data/state.ts';
import { type AskedQuestion, questionsAsked } from '../../core/run/questions.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { oneLine } from '../../core/text/sanitise.ts';
import { UserError } from '../../core/user-error.ts';
import type { RunFolder } from '../../ports/store.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { continueCommand, homeOf } from '../worktree/home.ts';
import { archiveOf, type FoldedRun, latestRun } from './runs.ts';

/** Record of a run: what a person answered, by the id of the task or the question. */
const RECORD = 'answers.json';
const TASK_CHARS_MAX = 100;

/** The answers that people gave to the questions of a run, by the id of the task (R-AGT-6) or the question (R-ASK-3). Throws `StorageFault`. */
export async function answersIn(folder: RunFolder): Promise<ReadonlyMap<string, string>> {
  const record = await folder.readRecord(RECORD);
  return new Map(record === undefined ? [] : Object.entries<string>(JSON.parse(record)));
}

/** What an answer comes to. */
export interface AnswerTaken {
  /** The command that goes on once nothing is open any more. */
  readonly command: string;
  /** Ids of the questions that are still open. */
  readonly open: readonly string[];
}

/**
 * Answers what a task asked, or one question of the author of a document, by its id: the next start of the run goes on with it
 * (R-AGT-6, R-ASK-2). Throws `UserError` if nothing of this id was asked, and for words that decide nothing.
 */
export async function answerQuestion(
  start: SpecPlace,
  host: Pick<Host, 'env' | 'notify'>,
  { task, answer }: { readonly task: string; readonly answer: string },
): Promise<AnswerTaken> {
  const home = await homeOf(start, host);
  const archive = archiveOf(home.place);
  const latest = await latestRun(archive);
  if (latest === undefined) throw nothingAsked(home.place, task, []);
  const { id, text } = answerMeant(home.place, latest, { task, answer });
  const folder = archive.folder(latest.run.id);
  const answers = new Map(await answersIn(folder)).set(id, text);
  await folder.writeRecord(RECORD, `${JSON.stringify(Object.fromEntries(answers), null, 2)}\n`);
  const open = questionsAsked(latest.state).flatMap((question) => (answers.has(question.id) ? [] : [question.id]));
  return { command: continueCommand(home, latest.state), open };
}

/** Which question an answer is to, and what it says. */
function answerMeant(
  place: SpecPlace,
  { state }: FoldedRun,
  { task, answer }: { readonly task: string; readonly answer: string },
): { readonly id: string; readonly text: string } {
  const questions = questionsAsked(state);
  const question = questions.find(({ id }) => sameText(id, task)) ?? onlyOneOf(questions, task);
  if (question !== undefined) {
    const read = explicitAnswer(question, answer);
    if (!read.ok) throw new UserError(`This is no answer to "${question.id}". ${read.why}`, howToAnswer(question));
    return { id: question.id, text: read.answer };
  }
  const asking = [...state.progress].flatMap(([key, progress]) =>
    progress.at === 'asking' && progress.questions === undefined ? [key] : [],
  );
  const key = asking.find((one) => one === task || taskOf(state, one).id === task);
  if (key === undefined) throw nothingAsked(place, task, [...questions.map(({ id }) => id), ...asking]);
  if (answer.trim() === '') throw new UserError('The answer is empty.', 'Give it as the last argument.');
  return { id: taskOf(state, key).id, text: answer.trim() };
}

/** The question of a document, where it has only one. */
function onlyOneOf(questions: readonly AskedQuestion[], task: string): AskedQuestion | undefined {
  const own = questions.filter((question) => question.task === task);
  return own.length === 1 ? own[0] : undefined;
}

function howToAnswer({ options = [] }: AskedQuestion): string {
  if (options.length === 0) return 'Say what you decide, in a sentence of your own.';
  const listed = options.map(({ label }, at) => `${at + 1} ${label}`).join(', ');
  return `Give the number or the name of an option (${listed}), or a sentence of your own.`;
}

function nothingAsked({ spec }: SpecPlace, task: string, asking: readonly string[]): UserError {
  return new UserError(
    `"${oneLine(task, TASK_CHARS_MAX)}" of ${spec.name} does not wait for an answer.`,
    asking.length === 0
      ? `No question of ${spec.name} is open.`
      : `These wait for one: ${asking.join(', ')}. "specloop status ${commandLine(spec.operand)}" shows the questions.`,
  );
}

/** The questions that the planning of a spec waits for, and that no one has answered yet (R-ASK-3). Changes nothing. */
export async function openQuestions(start: SpecPlace, host: Pick<Host, 'env'>): Promise<readonly AskedQuestion[]> {
  const { place } = await homeOf(start, host);
  const latest = await latestRun(archiveOf(place));
  return latest === undefined ? [] : await openQuestionsOf(place, latest);
}

/** The same of a run that is known. */
export async function openQuestionsOf(place: SpecPlace, { run, state }: FoldedRun): Promise<readonly AskedQuestion[]> {
  const asked = questionsAsked(state);
  if (asked.length === 0 || (state.ended !== undefined && state.ended.result !== 'waiting')) return [];
  const answers = await answersIn(archiveOf(place).folder(run.id));
  return asked.filter(({ id }) => !answers.has(id));
}

/** Answers that a start brings to questions that are open have to fit them (R-ASK-2, R-ASK-3). Throws `UserError` that names what does not. */
export function requireFitting(
  questions: readonly AskedQuestion[],
  { answers: rules, assumes = false }: { readonly answers?: readonly AnswerRule[]; readonly assumes?: boolean },
): void {
  if (questions.length === 0 || rules === undefined) return;
  const { unknown, missing, empty } = checkAnswers(questions, { rules, assumes });
  const lines = [
    ...(unknown.length === 0 ? [] : [`These are no open questions: ${unknown.join(', ')}.`]),
    ...(missing.length === 0 ? [] : [`These questions have no answer: ${missing.join(', ')}.`]),
    ...empty.map((line) => `This is no answer to ${line}`),
  ];
  if (lines.length === 0) return;
  const ids = questions.map(({ id }) => id).join(', ');
  throw new UserError(lines.join('\n'), `The open questions are ${ids}; "specloop questions --json" prints the form.`);
}

/** Reads a file of answers that are given before the questions come (R-AGT-6). Throws `UserError` for one that makes no sense. */
export async function readAnswers(path: string): Promise<readonly AnswerRule[]> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new UserError(`The file of answers ${path} cannot be read: ${error.message}.`, ANSWERS_FORM);
  });
  return parseAnswers(text, path);
}
