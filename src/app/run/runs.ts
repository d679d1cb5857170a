import { systemClock } from '../../adapters/clock/system.ts';
import { readHolder } from '../../adapters/store/lock.ts';
import { specPrivateFolder } from '../../adapters/store/private-folder.ts';
import { runArchive } from '../../adapters/store/run-folder.ts';
import type { PlanningFacts } from '../../core/planning/planning-facts.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import type { HandOver } from '../../core/run/data/hand-over.ts';
import { type RunState, taskOf } from '../../core/run/data/state.ts';
import { driverText } from '../../core/run/driver.ts';
import { handOvers } from '../../core/run/drivers.ts';
import { fold } from '../../core/run/evolve.ts';
import { specKey } from '../../core/spec-files.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { UserError } from '../../core/user-error.ts';
import { subjectOf, type TaskEvidence, taskEvidence } from '../../core/view/record/evidence.ts';
import {
  type Holding,
  JournalDamaged,
  JournalNewer,
  type Owner,
  type RecordedRun,
  type RunArchive,
} from '../../ports/store.ts';
import type { SpecPlace } from '../place.ts';

/** The private folder of a spec: its lock and its runs. */
export function privateFolderOf({ repository, spec }: Pick<SpecPlace, 'repository' | 'spec'>): string {
  return specPrivateFolder(repository.commonDir, specKey(spec));
}

/** The runs of a spec. */
export function archiveOf(place: Pick<SpecPlace, 'repository' | 'spec'>): RunArchive {
  return runArchive({ dir: privateFolderOf(place), spec: place.spec.name, clock: systemClock, chance: Math.random });
}

/** Whether a coordinator works on a spec, and who it is (R-FILE-6). */
export async function holderOf(place: Pick<SpecPlace, 'repository' | 'spec'>): Promise<Holding> {
  return readHolder(privateFolderOf(place));
}

/** A run as status tells it (R-API-5). */
export interface RunEnd {
  readonly id: string;
  /**
   * An outcome of a run; `running` while it goes on, `handed-over` while a driver works on what it handed over, `interrupted`
   * too when it ended without a word.
   */
  readonly result: string;
  /** Why, for people; empty where there is nothing to say. */
  readonly reason: string;
}

/** How a run ended, or that it goes on. */
export function endOf({ id }: RecordedRun, state: RunState, holding: Holding): RunEnd {
  if (state.ended !== undefined) return { id, ...state.ended };
  if (holding.held) return { id, result: 'running', reason: '' };
  const handedOver = handOvers(state);
  if (handedOver.length > 0)
    return { id, result: 'handed-over', reason: handedOver.map((one) => outText(one, state)).join(' ') };
  return {
    id,
    result: 'interrupted',
    reason: 'The coordinator ended without recording a reason; it may have been killed.',
  };
}

function outText({ effect, holder: { driver, until } }: HandOver, state: RunState): string {
  return `${driverText(driver)} works on task ${taskOf(state, effect.task).id} until ${until}.`;
}

/** A run with what its events add up to. */
export interface FoldedRun {
  readonly run: RecordedRun;
  readonly state: RunState;
}

/** The newest run of a spec; `undefined` if there is none. Throws `JournalDamaged`. */
export async function latestRun(archive: RunArchive): Promise<FoldedRun | undefined> {
  const run = await archive.latest();
  const state = run && fold(run.envelopes.map(({ event }) => event));
  return run && state && { run, state };
}

/** The state of the newest run of a spec, as far as its journal can be read: who reads it for more reports one that can't be. */
export async function readableRun(place: SpecPlace): Promise<RunState | undefined> {
  try {
    return (await latestRun(archiveOf(place)))?.state;
  } catch (error) {
    if (error instanceof JournalDamaged || error instanceof JournalNewer) return undefined;
    throw error;
  }
}

/** The state of the newest run that planned a spec; `undefined` if there is none. Throws `JournalDamaged`. */
export async function latestPlanning(
  archive: RunArchive,
): Promise<(RunState & { readonly planning: PlanningFacts }) | undefined> {
  for (const id of (await archive.list()).toReversed()) {
    const state = fold((await archive.read(id)).envelopes.map(({ event }) => event));
    if (state?.planning !== undefined) return { ...state, planning: state.planning };
  }
  return undefined;
}

/** The newest run in which this task was begun; an id stands for its key. `undefined` if there is none. */
async function runOfTask(
  archive: RunArchive,
  task: string,
): Promise<{ readonly run: RecordedRun; readonly key: string } | undefined> {
  for (const id of (await archive.list()).toReversed()) {
    const run = await archive.read(id);
    const state = fold(run.envelopes.map(({ event }) => event));
    const named = state?.tasks.filter(({ key, id: own }) => key === task || own === task) ?? [];
    const begun = named.find(({ key }) => run.envelopes.some(({ event }) => begins(event, key)));
    if (begun !== undefined) return { run, key: begun.key };
  }
  return undefined;
}

/** Whether an event begins what there is to tell of a task; of one that the lifecycle did, it is all. */
function begins(event: RunEvent, key: string): boolean {
  if (event.type === 'lifecycle-recorded') return event.done.some(({ task }) => task === key);
  return event.type === 'effect-started' && subjectOf(event) === key;
}

/** The coordinator at work on a spec (R-API-5); its fields are null when it left no record. */
export interface Running {
  readonly pid: number | null;
  readonly host: string | null;
  /** ISO 8601 in UTC. */
  readonly since: string | null;
}

/** The coordinator that holds a lock; null if there is none. */
export function runningOf(holding: Holding): Running | null {
  if (!holding.held) return null;
  const { pid = null, host = null, since = null } = holding.owner ?? {};
  return { pid, host, since };
}

/** A coordinator as people are told it. */
export function ownerText({ pid, host, since }: Owner | Running): string {
  return pid === null ? 'another process' : `process ${pid} on ${host}, since ${since}`;
}

/** What the newest run that began a task tells about it; `undefined` if no run did. */
export async function begunEvidence(
  place: Pick<SpecPlace, 'repository' | 'spec'>,
  task: string,
): Promise<TaskEvidence | undefined> {
  const found = await runOfTask(archiveOf(place), task);
  return found && taskEvidence(found.run.envelopes, found.key);
}

/** What every attempt at a task claimed, and what was measured (R-VER-9); an id stands for its key. Throws `UserError`. */
export async function evidenceOf(place: Pick<SpecPlace, 'repository' | 'spec'>, task: string): Promise<TaskEvidence> {
  const evidence = await begunEvidence(place, task);
  if (evidence !== undefined) return evidence;
  const { name, operand } = place.spec;
  throw new UserError(
    `No run of ${name} has started a task "${task}".`,
    `Check the tasks with "specloop status ${commandLine(operand)}".`,
  );
}
