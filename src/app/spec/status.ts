import { systemClock } from '../../adapters/clock/system.ts';
import { specFiles } from '../../adapters/store/spec-files.ts';
import type { Dialect } from '../../core/plan/data/dialect.ts';
import type { Task } from '../../core/plan/data/task.ts';
import { rejectedText, staleText } from '../../core/planning/document-text.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { drivingOf } from '../../core/run/driver.ts';
import { handOvers } from '../../core/run/drivers.ts';
import type { AskedQuestion } from '../../core/run/questions.ts';
import { isUnfinished } from '../../core/run/start/is-unfinished.ts';
import { drivenSince } from '../../core/session/driven-since.ts';
import { pathInFolder, specKey, stateFileOf } from '../../core/spec-files.ts';
import { parseStateFile, type StateFileFields } from '../../core/state-file/parse.ts';
import { visible } from '../../core/text/sanitise.ts';
import { nextCommand } from '../../core/view/next-command.ts';
import { planningOf } from '../../core/view/planning.ts';
import { origins, type TaskOrigin } from '../../core/view/record/lineage.ts';
import { type Moving, progress } from '../../core/view/totals/progress.ts';
import { type SpentSum, spentSum } from '../../core/view/totals/spent-sum.ts';
import { nothingTallied, tallyOf } from '../../core/view/totals/tally.ts';
import { JournalDamaged, type RecordedRun } from '../../ports/store.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { planningNext } from '../planning/comes-next.ts';
import { documentsIn, type SpecDocument } from '../planning/documents.ts';
import { openQuestionsOf } from '../run/answers.ts';
import {
  archiveOf,
  endOf,
  type FoldedRun,
  holderOf,
  latestRun,
  type RunEnd,
  type Running,
  runningOf,
} from '../run/runs.ts';
import { isNotReproduced } from '../shell/reproduction.ts';
import { homeOf } from '../worktree/home.ts';
import { noTask, planOf } from './plan-file.ts';
import { type PullRequestStatus, pullRequestStatus } from './pull-request-status.ts';

/** The status of a spec (R-API-5). */
export interface SpecStatus {
  readonly spec: string;
  /** Path of its folder, or of its plan where that is a single file, relative to the repository. */
  readonly path: string;
  /** How its plan is written, and whether that was named by a person instead of found (R-DIA-3). */
  readonly dialect: Dialect;
  readonly isDialectForced: boolean;
  /** The other tree that its newest run works in, and that all this is read from; null where that is the own one. */
  readonly worktree: string | null;
  readonly phase: string;
  /** The phase whose result waits for a person's approval. */
  readonly gate: string | null;
  /** The epic that it is a part of. */
  readonly epic: string | null;
  /** The command that goes on with it; null where there is nothing to type. */
  readonly next: string | null;
  /** Tasks in the plan; 0 for a spec that is still being planned. */
  readonly total: number;
  readonly done: number;
  /** The first task that is not done. */
  readonly current: { readonly index: number; readonly id: string; readonly title: string } | null;
  /** The coordinator at work. */
  readonly running: Running | null;
  readonly lastRun: RunEnd | null;
  /** The agent's session that drives the unfinished run, or drove it last (R-SES-4). */
  readonly session: SessionStatus | null;
  /** Where tasks that the plan did not have at first come from. */
  readonly added: readonly TaskOrigin[];
  /** Reviews that no reviewer passed, by task id (R-VER-7). */
  readonly reviews: readonly { readonly task: string; readonly status: string }[];
  /** What recorded tasks lack in their proof, by task id (R-VER-11). */
  readonly remarks: readonly { readonly task: string; readonly word: string; readonly because: readonly string[] }[];
  /** The questions that planning waits for (R-ASK-3). */
  readonly questions: readonly AskedQuestion[];
  /** The documents that are there, in their order. */
  readonly documents: readonly DocumentStatus[];
  /** What all its runs took together; null before the first one. */
  readonly spent: SpentSum | null;
  /** The pull request, once the newest run came to it. */
  readonly pullRequest: PullRequestStatus | null;
}

/** A document of a spec on its way to approval (R-GATE-2). */
export interface DocumentStatus {
  readonly name: string;
  readonly file: string;
  readonly state: 'draft' | 'rejected' | 'approved' | 'stale';
  /** Hash of its content. */
  readonly sha256: string;
  /** Who approved it last, and when; null if no one did. */
  readonly approved: { readonly by: string; readonly at: string } | null;
  /** Why it is stale or rejected; null if it is neither. */
  readonly why: string | null;
}

/** A session that drives a run. */
export interface SessionStatus {
  /** Null for a session that gave none. */
  readonly id: string | null;
  /** Since when it has driven the run, ISO 8601 in UTC. */
  readonly since: string;
  /** Delegations whose answers are awaited. */
  readonly open: number;
}

/** The same with what changes from one moment to the next. */
export interface LiveStatus extends SpecStatus {
  /** Whether `worktree` is the repository's main tree. */
  readonly isInMainTree: boolean;
  /** Whether specloop plans it. */
  readonly isPlanned: boolean;
  /** What is done at this moment. */
  readonly moving: readonly Moving[];
}

/**
 * Finds out the status of a spec, while it runs and afterwards. Changes nothing. What cannot be read of state file and
 * journal is left out, with a notice. Throws `UserError`.
 */
export async function statusOf(start: SpecPlace, host: Pick<Host, 'env' | 'notify'>): Promise<LiveStatus> {
  const { place, elsewhere } = await homeOf(start, host);
  const tasks = await tasksOf(place);
  const holding = await holderOf(place);
  const latest = await readableRun(place, host);
  const planning = planningOf(await statedOf(place, host), tasks);
  const current = tasks.find((task) => !task.checked && !task.optional);
  const done = tasks.filter((task) => task.checked).length;
  const session = latest === undefined ? null : sessionOf(latest);
  const found = await documentsIn(place, host);
  const planned = { ...found, isPlanned: found.isPlanned || isBegun(place, { tasks, documents: found.documents }) };
  const questions = latest === undefined ? [] : await openQuestionsOf(place, latest);
  const next = nextCommand({
    hasQuestions: questions.length > 0,
    isNotReproduced: isNotReproduced(place),
    ...(planned.isPlanned && { planning: planningNext(latest?.state, planned) }),
    spec: place.spec.operand,
    total: tasks.length,
    done,
    isRunning: holding.held,
    run: latest?.state,
    ...(session !== null && session.open > 0 && { session: { id: session.id ?? undefined } }),
  });
  return {
    spec: place.spec.name,
    path: specKey(place.spec),
    dialect: place.spec.format.dialect,
    isDialectForced: place.spec.isForced === true,
    worktree: elsewhere?.dir ?? null,
    ...planning,
    next: next ?? null,
    total: tasks.length,
    done,
    current: current === undefined ? null : { index: current.index, id: current.id, title: current.title },
    running: runningOf(holding),
    lastRun: latest === undefined ? null : endOf(latest.run, latest.state, holding),
    session,
    added: latest === undefined ? [] : origins(latest.state),
    reviews: latest === undefined ? [] : reviewsOf(latest.state),
    remarks: latest === undefined ? [] : remarksIn(latest.state),
    questions,
    documents: planned.documents.flatMap(documentStatus),
    spent: latest === undefined ? null : spentSum(await readableRuns(place)),
    pullRequest: latest === undefined ? null : pullRequestStatus(latest.state, latest.run.envelopes),
    isInMainTree: elsewhere?.isMain === true,
    moving: latest !== undefined && holding.held ? movingIn(latest) : [],
    isPlanned: planned.isPlanned,
  };
}

/** Whether documents were begun elsewhere, by hand or by the older plugin, and there is no plan yet (R-PLAN-7). */
function isBegun(
  { spec: { format, isSingleFile } }: SpecPlace,
  { tasks, documents }: { readonly tasks: readonly Task[]; readonly documents: readonly SpecDocument[] },
): boolean {
  if (format.dialect !== 'ralph-specum' || isSingleFile || tasks.length > 0) return false;
  return documents.some(({ state }) => state !== 'missing');
}

function documentStatus(document: SpecDocument): readonly DocumentStatus[] {
  const { artifact, file, state, sha256, approval, rejection } = document;
  if (state === 'missing' || sha256 === undefined) return [];
  const approved = approval === undefined ? null : { by: approval.by, at: approval.at };
  const why = rejection !== undefined ? rejectedText(rejection) : state === 'stale' ? staleText(document) : null;
  return [{ name: artifact, file, state, sha256, approved, why }];
}

function sessionOf({ run, state }: FoldedRun): SessionStatus | null {
  const driving = drivingOf(state.driver);
  const since = drivenSince(run.envelopes);
  if (driving.kind !== 'session' || since === undefined || !isUnfinished(state)) return null;
  return { id: driving.id ?? null, since, open: handOvers(state).length };
}

function reviewsOf({ reviews, tasks }: RunState): SpecStatus['reviews'] {
  return [...reviews].map(([key, { status }]) => ({ task: tasks.find((task) => task.key === key)?.id ?? key, status }));
}

function remarksIn({ remarks, tasks }: RunState): SpecStatus['remarks'] {
  return [...remarks].flatMap(([key, found]) =>
    found.map((remark) => ({ task: tasks.find((task) => task.key === key)?.id ?? key, ...remark })),
  );
}

/** The tasks of the plan; none if it is not written yet. An unreadable plan is never "all done" (R-PARSE-6). */
async function tasksOf({ spec }: SpecPlace): Promise<readonly Task[]> {
  if ((await specFiles(spec.dir).read(spec.format.file)) === undefined) return [];
  const file = await planOf(spec);
  const { tasks } = file.plan;
  if (tasks.length === 0) throw noTask(file);
  return tasks;
}

/** What the state file says; nothing where it cannot be read, which is told. */
async function statedOf({ spec }: SpecPlace, { notify }: Pick<Host, 'notify'>): Promise<StateFileFields> {
  const text = await specFiles(spec.dir).read(stateFileOf(spec));
  const parsed = text === undefined ? undefined : parseStateFile(text);
  if (parsed?.ok === false)
    notify(visible(`Warning: ${pathInFolder(spec.path, stateFileOf(spec))} cannot be read: ${parsed.problem}.`));
  return parsed?.ok ? parsed.state : {};
}

/** The newest run; one whose journal is damaged is told of and left out, so that the rest is still seen. */
async function readableRun(place: SpecPlace, { notify }: Pick<Host, 'notify'>): Promise<FoldedRun | undefined> {
  try {
    return await latestRun(archiveOf(place));
  } catch (error) {
    if (!(error instanceof JournalDamaged)) throw error;
    notify(visible(`Warning: ${error.message} ${error.hint}`));
    return undefined;
  }
}

/** The journals of all runs but of those that are damaged. */
async function readableRuns(place: SpecPlace): Promise<readonly RecordedRun['envelopes'][]> {
  const archive = archiveOf(place);
  const runs = await Promise.all(
    (await archive.list()).map(async (id) => {
      try {
        return [(await archive.read(id)).envelopes];
      } catch (error) {
        if (error instanceof JournalDamaged) return [];
        throw error;
      }
    }),
  );
  return runs.flat();
}

function movingIn({ run, state }: FoldedRun): readonly Moving[] {
  const { tally = nothingTallied } = tallyOf(run.envelopes) ?? {};
  return progress(state, tally, Date.parse(systemClock.now())).moving;
}
