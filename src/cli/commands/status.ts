import { systemClock } from '../../adapters/clock/system.ts';
import { specFiles } from '../../adapters/store/spec-files.ts';
import { parsePlan } from '../../core/plan/parse.ts';
import type { Task } from '../../core/plan/task.ts';
import type { RunState } from '../../core/run/state.ts';
import { parseStateFile } from '../../core/state-file/parse.ts';
import { oneLine, visible } from '../../core/text/sanitise.ts';
import { counted, durationText, idText, taskName } from '../../core/text/words.ts';
import { UserError } from '../../core/user-error.ts';
import { taskEvidence } from '../../core/view/evidence.ts';
import { origins, type TaskOrigin } from '../../core/view/lineage.ts';
import { type Moving, progress } from '../../core/view/progress.ts';
import { recordText } from '../../core/view/record.ts';
import { nothingTallied, tallyOf } from '../../core/view/tally.ts';
import { type Holding, JournalDamaged } from '../../ports/store.ts';
import { type Call, type Command, isSet, jsonOption, optionText, specOperand } from '../command.ts';
import { findSpec, type SpecPlace } from '../place.ts';
import { planOf } from '../plan-file.ts';
import { printJson } from '../print.ts';
import {
  archiveOf,
  endOf,
  type FoldedRun,
  holderOf,
  latestRun,
  ownerText,
  type RunEnd,
  runningJson,
  runOfTask,
} from '../runs.ts';
import { elsewhereLines, type Home, homeOf } from '../worktree/home.ts';
import { noTask } from './tasks.ts';

/** Shows the status of a spec, while it runs and afterwards (R-API-5, R-VER-9). Changes nothing. */
export const status: Command = {
  operands: [specOperand],
  options: [
    jsonOption,
    { flag: '--task', placeholder: 'ID', summary: 'Show every attempt at this task, with its checks.' },
  ],
  examples: [
    ['status', 'Shows the status of the active spec.'],
    ['status demo --task 1.2', 'Shows what was claimed and checked for task 1.2.'],
  ],
  run: async (call) => {
    const home = await homeOf(await findSpec(call, call.operands[0]), call);
    const task = optionText(call, '--task');
    if (task !== undefined) await showTask(call, home.place, task);
    else if (isSet(call, '--json')) printJson(call.stdout, statusJson(await standing(home, call)));
    else call.stdout.write(`${statusLines(await standing(home, call)).join('\n')}\n`);
    return 0;
  },
};

/** Where a spec stands. */
interface Standing {
  readonly home: Home;
  readonly phase: string;
  /** Empty for a spec that is still being planned. */
  readonly tasks: readonly Task[];
  readonly holding: Holding;
  readonly lastRun?: RunEnd;
  /** Where tasks that the plan did not have at first come from. */
  readonly origins: readonly TaskOrigin[];
  /** Reviews that no reviewer let pass, by task id (R-VER-7). */
  readonly reviews: readonly { readonly task: string; readonly status: string }[];
  /** What recorded tasks lack in their proof, by task id (R-VER-11). */
  readonly remarks: readonly { readonly task: string; readonly word: string; readonly because: readonly string[] }[];
  /** What is done at this moment. */
  readonly moving: readonly Moving[];
}

async function standing(home: Home, call: Call): Promise<Standing> {
  const { place } = home;
  const tasks = await tasksOf(place);
  const holding = await holderOf(place);
  const latest = await readableRun(place, call);
  const phase = await phaseOf(place, tasks, call);
  const lastRun = latest && endOf(latest.run, latest.state, holding);
  const moving = latest && holding.held ? movingIn(latest) : [];
  const told = latest
    ? { origins: origins(latest.state), reviews: reviewsOf(latest.state), remarks: remarksIn(latest.state) }
    : { origins: [], reviews: [], remarks: [] };
  return { home, phase, tasks, holding, moving, ...told, ...(lastRun && { lastRun }) };
}

function reviewsOf({ reviews, tasks }: RunState): Standing['reviews'] {
  return [...reviews].map(([key, { status }]) => ({ task: tasks.find((task) => task.key === key)?.id ?? key, status }));
}

function remarksIn({ remarks, tasks }: RunState): Standing['remarks'] {
  return [...remarks].flatMap(([key, found]) =>
    found.map((remark) => ({ task: tasks.find((task) => task.key === key)?.id ?? key, ...remark })),
  );
}

/** The tasks of the plan; none if it is not written yet. An unreadable plan is never "all done" (R-PARSE-6). */
async function tasksOf({ spec }: SpecPlace): Promise<readonly Task[]> {
  if ((await specFiles(spec.dir).read('tasks.md')) === undefined) return [];
  const file = await planOf(spec);
  const { tasks } = parsePlan(file.text);
  if (tasks.length === 0) throw noTask(file);
  return tasks;
}

/** What the state file says; without one, what the plan shows. */
async function phaseOf({ spec }: SpecPlace, tasks: readonly Task[], { stderr }: Call): Promise<string> {
  const text = await specFiles(spec.dir).read('.ralph-state.json');
  const parsed = text === undefined ? undefined : parseStateFile(text);
  if (parsed?.ok === false)
    stderr.write(visible(`Warning: ${spec.path}/.ralph-state.json cannot be read: ${parsed.problem}.\n`));
  if (parsed?.ok && parsed.state.phase !== undefined) return parsed.state.phase;
  if (tasks.length === 0) return 'planning';
  return tasks.every((task) => task.checked) ? 'completed' : 'tasks';
}

/** The newest run; one whose journal is damaged is told of and left out, so that the rest is still seen. */
async function readableRun(place: SpecPlace, { stderr }: Call): Promise<FoldedRun | undefined> {
  try {
    return await latestRun(archiveOf(place));
  } catch (error) {
    if (!(error instanceof JournalDamaged)) throw error;
    stderr.write(visible(`Warning: ${error.message} ${error.hint}\n`));
    return undefined;
  }
}

function movingIn({ run, state }: FoldedRun): readonly Moving[] {
  const { tally = nothingTallied } = tallyOf(run.envelopes) ?? {};
  return progress(state, tally, Date.parse(systemClock.now())).moving;
}

function statusJson({ home, phase, tasks, holding, lastRun, origins: added, reviews, remarks }: Standing) {
  const { spec } = home.place;
  const current = tasks.find((task) => !task.checked);
  return {
    spec: spec.name,
    path: spec.path,
    worktree: home.elsewhere?.dir ?? null,
    phase,
    total: tasks.length,
    done: tasks.filter((task) => task.checked).length,
    current: current === undefined ? null : { index: current.index, id: current.id, title: current.title },
    running: runningJson(holding),
    lastRun: lastRun ?? null,
    added,
    reviews,
    remarks,
  };
}

function statusLines({
  home,
  phase,
  tasks,
  holding,
  moving,
  lastRun,
  origins: added,
  reviews,
  remarks,
}: Standing): readonly string[] {
  const { spec } = home.place;
  const done = tasks.filter((task) => task.checked).length;
  const current = tasks.find((task) => !task.checked);
  const many = tasks.length === 0 ? 'no tasks yet' : `${done} of ${counted(tasks.length, 'task')} done`;
  return [
    `${spec.name} (${spec.path}): ${many}, phase ${oneLine(phase, 40)}`,
    ...elsewhereLines(home),
    ...(current === undefined ? [] : [`Current: ${taskName(current)}`]),
    ...added.map(({ task, relation, of }) => `  ${idText(task)}: ${relation} ${idText(of)}`),
    ...reviews.map(({ task, status: how }) => `  ${idText(task)}: ${how}`),
    ...remarks.map(({ task, word, because }) => `  ${idText(task)}: ${oneLine([word, ...because].join(': '), 300)}`),
    ...runningLines(holding, moving),
    ...(lastRun === undefined || holding.held ? [] : lastRunLines(lastRun)),
  ];
}

function runningLines(holding: Holding, moving: readonly Moving[]): readonly string[] {
  if (!holding.held) return ['Not running.'];
  const who = holding.owner === undefined ? 'another process' : ownerText(holding.owner);
  const steps = moving.map(
    (task) => `  ${taskName(task)}: ${task.step}, attempt ${task.attempt}, for ${durationText(task.stepMs)}`,
  );
  return [`Running: ${who}`, ...steps];
}

function lastRunLines({ id, result, reason }: RunEnd): readonly string[] {
  const [first = ''] = reason.split('\n');
  return [`Last run: ${id}, ${result}${first === '' ? '' : `: ${oneLine(first, 300)}`}`];
}

async function showTask(call: Call, place: SpecPlace, task: string): Promise<void> {
  const found = await runOfTask(archiveOf(place), task);
  const evidence = found && taskEvidence(found.run.envelopes, found.key);
  if (evidence === undefined) {
    const run = `specloop status ${place.spec.name}`;
    throw new UserError(
      `No run of ${place.spec.name} has begun a task "${task}".`,
      `See where it stands with "${run}".`,
    );
  }
  if (isSet(call, '--json')) printJson(call.stdout, evidence);
  else call.stdout.write(recordText(evidence));
}
