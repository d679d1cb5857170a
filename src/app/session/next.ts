import { sessionDriver } from '../../core/run/driver.ts';
import type { RunState } from '../../core/run/state.ts';
import { decide, type SessionDecision, type SessionStep } from '../../core/session/decision.ts';
import { InterruptedError } from '../../core/user-error.ts';
import type { Host } from '../host.ts';
import { findSpec, type SpecPlace } from '../place.ts';
import { archiveOf } from '../runs.ts';
import { goOn, type HandedOverWork, type StepOrder, workOf } from '../step.ts';
import { endedFor } from './ended-for.ts';
import { noteGiven } from './given.ts';
import { oneAtATime } from './one-at-a-time.ts';

/** How a session asks what to do. */
export interface NextOptions extends Omit<StepOrder, 'driver' | 'begins' | 'resetState'> {
  /** Names the session; absent if it has no id. */
  readonly session?: string | undefined;
}

/** Work that a session gives to a fresh helper. */
export interface Delegation
  extends Pick<HandedOverWork, 'task' | 'role' | 'attempt' | 'token' | 'workspace' | 'prompt'> {
  /** How often it was given, this time included. */
  readonly given: number;
}

/** What a session is to do (R-SES-1). */
export interface NextAnswer {
  readonly v: 1;
  readonly spec: string;
  readonly do: SessionStep;
  readonly delegations: readonly Delegation[];
  /** When to ask again, ISO 8601 in UTC; null if there is nothing to wait for. */
  readonly until: string | null;
  readonly message: string;
}

/**
 * Tells a session what to do, and begins it (R-SES-1): the run goes on up to the next work for an agent, which is handed over to
 * the session. Throws `UserError` for what a start is refused for, and while another driver is at work.
 */
export async function nextOf(
  host: Host,
  { spec, session, ...options }: NextOptions & { readonly spec?: string | undefined },
): Promise<NextAnswer> {
  const place = await findSpec(host, spec, options.settings);
  return await oneAtATime(place, async () => {
    const ended = await endedFor(place, host, options);
    const state = ended ?? (await goOn(place, host, { ...options, driver: sessionDriver(session) }));
    const delegations = state.ended === undefined ? await give(place, state, options) : [];
    const { do: what, untilMs, message } = decided(state, place);
    const until = untilMs === undefined ? null : new Date(untilMs).toISOString();
    return { v: 1, spec: place.spec.name, do: what, delegations, until, message };
  });
}

/** What a session is to do in a run at rest. Throws `InterruptedError` for one that was stopped on the way. */
export function decided(state: RunState, { spec }: Pick<SpecPlace, 'spec'>): SessionDecision {
  const decision = decide(state);
  if (decision !== undefined) return decision;
  throw new InterruptedError(`${spec.name}: interrupted; nothing is lost.`, 'Run the command again to continue.');
}

async function give(
  place: SpecPlace,
  state: RunState,
  { settings }: Pick<NextOptions, 'settings'>,
): Promise<readonly Delegation[]> {
  const archive = archiveOf(place);
  const latest = await archive.latest();
  const folder = archive.folder(latest?.id ?? '');
  const given: Delegation[] = [];
  for (const { task, role, attempt, token, workspace, prompt } of await workOf(place, state))
    given.push({ task, role, attempt, given: await noteGiven(folder, token, settings), token, workspace, prompt });
  return given;
}
