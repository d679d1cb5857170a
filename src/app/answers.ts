import { readFile } from 'node:fs/promises';
import { ANSWERS_FORM, parseAnswers } from '../config/answers-file.ts';
import type { AnswerRule } from '../core/run/answered.ts';
import { taskOf } from '../core/run/state.ts';
import { commandLine } from '../core/text/command-line.ts';
import { oneLine } from '../core/text/sanitise.ts';
import { UserError } from '../core/user-error.ts';
import type { RunFolder } from '../ports/store.ts';
import type { Host } from './host.ts';
import type { SpecPlace } from './place.ts';
import { archiveOf, latestRun } from './runs.ts';
import { homeOf, implementCommand } from './worktree/home.ts';

/** Record of a run: what a person answered, by task id. */
const RECORD = 'answers.json';
const TASK_CHARS_MAX = 100;

/** The answers that people gave to the questions of a run, by task id (R-AGT-6). Throws `StorageFault`. */
export async function answersIn(folder: RunFolder): Promise<ReadonlyMap<string, string>> {
  const record = await folder.readRecord(RECORD);
  return new Map(record === undefined ? [] : Object.entries<string>(JSON.parse(record)));
}

/**
 * Answers the question of a task: the next start of the run goes on with it (R-AGT-6). Resolves with the command that starts
 * it. Throws `UserError` if the task asks nothing.
 */
export async function answerQuestion(
  start: SpecPlace,
  host: Pick<Host, 'env' | 'notify'>,
  { task, answer }: { readonly task: string; readonly answer: string },
): Promise<string> {
  const home = await homeOf(start, host);
  const archive = archiveOf(home.place);
  const latest = await latestRun(archive);
  const asking = [...(latest?.state.progress ?? [])].filter(([, { at }]) => at === 'asking').map(([key]) => key);
  const key = asking.find((one) => one === task || (latest && taskOf(latest.state, one).id === task));
  if (latest === undefined || key === undefined) throw nothingAsked(home.place, task, asking);
  if (answer.trim() === '') throw new UserError('The answer is empty.', 'Give it as the last argument.');
  const folder = archive.folder(latest.run.id);
  const answers = new Map(await answersIn(folder)).set(taskOf(latest.state, key).id, answer.trim());
  await folder.writeRecord(RECORD, `${JSON.stringify(Object.fromEntries(answers), null, 2)}\n`);
  const { name } = home.place.spec;
  return latest.state.planning === undefined ? implementCommand(home) : commandLine('specloop', 'start', name);
}

function nothingAsked({ spec }: SpecPlace, task: string, asking: readonly string[]): UserError {
  const waiting =
    asking.length === 0 ? `No task of ${spec.name} waits for an answer.` : `These tasks ask: ${asking.join(', ')}.`;
  return new UserError(
    `Task "${oneLine(task, TASK_CHARS_MAX)}" of ${spec.name} has not asked anything.`,
    `${waiting} "specloop status ${spec.name}" shows the question.`,
  );
}

/** Reads a file of answers that are given before the questions come (R-AGT-6). Throws `UserError` for one that makes no sense. */
export async function readAnswers(path: string): Promise<readonly AnswerRule[]> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new UserError(`The file of answers ${path} cannot be read: ${error.message}.`, ANSWERS_FORM);
  });
  return parseAnswers(text, path);
}
