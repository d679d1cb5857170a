import { systemClock } from '../../adapters/clock/system.ts';
import type { Role } from '../../core/agent/role.ts';
import { type RunState, taskOf } from '../../core/run/data/state.ts';
import { handOvers } from '../../core/run/drivers.ts';
import { pauses } from '../../core/run/pauses.ts';
import { UserError } from '../../core/user-error.ts';
import { HandedOver } from '../../engine/lane/handed-over.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { planningUnderWay } from '../planning/comes-next.ts';
import type { PlanningOutcome } from '../planning/planning-order.ts';
import type { StartOptions, StartOrder, StartOutcome } from '../start/order.ts';
import type { RunResult } from './run-handle.ts';
import { archiveOf, latestRun } from './runs.ts';

/** How a run is driven one step at a time, by a program that runs the agents itself. */
export interface StepOptions extends Omit<StartOptions, 'worktree'> {
  /** Names the driver; only the same one, or one that takes over, goes on with the run. By default `library`. */
  readonly driver?: string;
}

/** Work for an agent, that the driver of a run has run and reports. */
export interface HandedOverWork {
  /** Names it in the report. */
  readonly token: string;
  /** `index` is its position in the plan. */
  readonly task: { readonly index: number; readonly id: string; readonly title: string };
  readonly role: Role;
  readonly attempt: number;
  /** ISO 8601, UTC. Without a report by then, the next step counts the attempt as timed out. */
  readonly until: string;
  /** The whole task in words, for an agent that starts without any context (R-DEL-1). */
  readonly prompt: string;
  /** Absolute path of the folder to work in. */
  readonly workspace: string;
  /** Variables for the environment of the agent (R-API-2). */
  readonly variables: Readonly<Record<string, string>>;
}

/** What there is to do after a step. */
export interface StepOutcome {
  /** How the run ended; absent while work is handed over. */
  readonly ended?: RunResult;
  /** Work that was not reported yet; what an earlier step handed over is in it again. */
  readonly work: readonly HandedOverWork[];
  /** When to step again, ISO 8601 in UTC, if there is something to wait for: a usage limit, or checks of the pull request. */
  readonly until?: string;
}

/** Does everything up to the next work for an agent, and hands that over. Throws as a start does, and `UserError` if another driver is at work. */
export async function step(
  place: SpecPlace,
  host: Host,
  { driver = 'library', ...options }: StepOptions & Pick<StartOrder, 'settings'>,
): Promise<StepOutcome> {
  const state = await goOn(place, host, { ...options, driver });
  if (state.ended !== undefined) return { ended: { ...state.ended, branch: state.branch }, work: [] };
  const [untilMs] = pauses(state)
    .map((pause) => pause.untilMs)
    .toSorted((a, b) => a - b);
  const until = untilMs === undefined ? {} : { until: new Date(untilMs).toISOString() };
  return { work: await workOf(place, state), ...until };
}

/** How a driver goes on with a run. */
export type StepOrder = Omit<StartOptions, 'worktree'> &
  Pick<StartOrder, 'settings' | 'begins' | 'assumes'> & {
    readonly driver: string;
    readonly onStop?: StartOrder['onStop'];
  };

/** Goes on with a run, for a driver, as far as that can be done without it. Throws as a start does. */
export async function goOn(place: SpecPlace, host: Host, order: StepOrder): Promise<RunState> {
  const artifact = planningUnderWay((await latestRun(archiveOf(place)))?.state);
  if (artifact !== undefined) {
    const { draftPhase } = await import('../planning/phase.ts');
    return stateIn(await draftPhase(place, host, { ...unseen(order), artifact }));
  }
  const { start } = await import('../start/start.ts');
  return stateIn(await start(host, { ...unseen(order), spec: place.spec.operand }));
}

/** A driver shows what it does by itself. */
export function unseen<T extends { readonly onStop?: StartOrder['onStop'] | undefined }>(order: T) {
  return { ...order, surfaces: async () => [], onStop: order.onStop ?? (() => {}) };
}

/** The state of the run that a step started. */
export function stateIn(outcome: StartOutcome | PlanningOutcome): RunState {
  if (outcome.is !== 'run') throw new Error('A step is neither previewed nor stopped.');
  return outcome.state;
}

/** What is handed over in the newest run, whose state is given, in plan order. */
export async function workOf(place: SpecPlace, state: RunState): Promise<readonly HandedOverWork[]> {
  const archive = archiveOf(place);
  const latest = await archive.latest();
  const handedOver = new HandedOver(archive.folder(latest?.id ?? ''), systemClock);
  const all = handOvers(state).map(async ({ effect, holder: { token, until } }) => {
    const brief = await handedOver.brief(token);
    if (brief === undefined) return [];
    const { role, prompt, workspace, variables } = brief;
    return [
      { token, until, task: taskIn(state, effect.task), attempt: effect.attempt, role, prompt, workspace, variables },
    ];
  });
  return (await Promise.all(all)).flat();
}

/** A task as a driver is told it. */
export function taskIn(state: RunState, key: string): HandedOverWork['task'] {
  const { id, title } = taskOf(state, key);
  return { index: state.tasks.findIndex((task) => task.key === key), id, title };
}

/**
 * Takes the final answer of an agent, writes it down, and goes on: every layer is applied as if the agent had been run here.
 * Throws `UserError` for a token that is not known, or was used; then nothing has changed.
 */
export async function report(
  place: SpecPlace,
  host: Host,
  {
    token,
    answer,
    ...options
  }: StepOptions & Pick<StartOrder, 'settings'> & { readonly token: string; readonly answer: string },
): Promise<StepOutcome> {
  const archive = archiveOf(place);
  const latest = await latestRun(archive);
  const handOver = handOvers(latest?.state).find(({ holder }) => holder.token === token);
  if (latest === undefined || handOver === undefined)
    throw new UserError(
      'No work of this run waits for a report with this token: it is unknown, was reported before, or was taken over.',
      'Ask for a step to see what is to be done.',
    );
  await new HandedOver(archive.folder(latest.run.id), systemClock).report(token, answer);
  return await step(place, host, { ...options, driver: handOver.holder.driver });
}
