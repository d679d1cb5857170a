import type { Wanted } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { sessionDriver } from '../../core/run/driver.ts';
import { decide, type SessionDecision, type SessionStep } from '../../core/session/decision.ts';
import { unreachable } from '../../core/unreachable.ts';
import { InterruptedError } from '../../core/user-error.ts';
import { findSpec } from '../find-spec.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { draftPhase } from '../planning/phase.ts';
import type { PlanningOrder, PlanningOutcome } from '../planning/planning-order.ts';
import { archiveOf } from '../run/runs.ts';
import { goOn, type HandedOverWork, type StepOrder, stateIn, unseen, workOf } from '../run/step.ts';
import { planningHome } from '../worktree/home.ts';
import { endedFor } from './ended-for.ts';
import { type GivenWith, noteGiven } from './given.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { type PlanningDue, planningDue } from './planning-due.ts';

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
  /** What a person is to decide, where that is known as data: a document at its gate. */
  readonly wants: Wanted | null;
  readonly message: string;
}

/**
 * Tells a session what to do, and begins it (R-SES-1): the run goes on up to the next work for an agent, which is handed over to
 * the session. A spec that is being planned goes on with its next document, or with what a person is to decide. Throws `UserError` for what a start is refused for, and while another driver is at work.
 */
export async function nextOf(
  host: Host,
  { spec, session, ...options }: NextOptions & { readonly spec?: string | undefined },
): Promise<NextAnswer> {
  const { place } = await planningHome(await findSpec(host, spec, options.settings), host);
  const order = { ...options, driver: sessionDriver(session) };
  return await oneAtATime(place, async () => {
    const ended = await endedFor(place, host, options);
    if (ended !== undefined) return await answerTo(place, host, ended, options);
    const due = await planningDue(place, host);
    switch (due.is) {
      case 'decide':
        return gateOf(place, due);
      case 'draft': {
        const outcome = await draftPhase(place, host, { ...unseen(order), artifact: due.artifact });
        return await answerTo(place, host, stateIn(outcome), options);
      }
      case 'go-on': {
        const state = await goOn(place, host, { ...order, afterQuick: due.afterQuick });
        return await answerTo(place, host, state, options);
      }
      default:
        return unreachable(due);
    }
  });
}

/** How documents are drafted for a session. */
export interface BeginOptions extends Pick<NextOptions, 'settings' | 'assumes' | 'onStop'> {
  readonly session: string;
  /** Starts drafting for this driver. */
  readonly begin: (order: Pick<PlanningOrder, 'driver' | 'surfaces' | 'onStop'>) => Promise<PlanningOutcome>;
}

/** Begins documents for a session, which has its helpers write them, and tells it what to do (R-SES-1). Throws as drafting does. */
export async function beginFor(
  place: SpecPlace,
  host: Host,
  { session, begin, ...options }: BeginOptions,
): Promise<NextAnswer> {
  return await oneAtATime(place, async () => {
    const outcome = await begin(unseen({ driver: sessionDriver(session), onStop: options.onStop }));
    return await answerTo(place, host, stateIn(outcome), options);
  });
}

async function answerTo(place: SpecPlace, host: Host, state: RunState, options: GivenWith): Promise<NextAnswer> {
  const due = state.ended && state.awaitsApproval !== undefined ? await planningDue(place, host) : undefined;
  if (due?.is === 'decide') return gateOf(place, due);
  const delegations = state.ended === undefined ? await give(place, state, options) : [];
  const { do: what, untilMs, message } = decided(state, place);
  const until = untilMs === undefined ? null : new Date(untilMs).toISOString();
  const wants = state.ended === undefined ? null : await wantsOf(place);
  return { v: 1, spec: place.spec.name, do: what, delegations, until, wants, message };
}

/** What the newest run wants of a person. */
async function wantsOf(place: SpecPlace): Promise<Wanted | null> {
  const event = (await archiveOf(place).latest())?.envelopes.at(-1)?.event;
  return (event?.type === 'run-finished' && event.wants) || null;
}

function gateOf({ spec }: SpecPlace, { wants, message }: Extract<PlanningDue, { is: 'decide' }>): NextAnswer {
  return { v: 1, spec: spec.name, do: 'gate', delegations: [], until: null, wants, message };
}

/** What a session is to do in a run at rest. Throws `InterruptedError` for one that was stopped on the way. */
export function decided(state: RunState, { spec }: Pick<SpecPlace, 'spec'>): SessionDecision {
  const decision = decide(state);
  if (decision !== undefined) return decision;
  throw new InterruptedError(`${spec.name}: interrupted; nothing is lost.`, 'Run the command again to continue.');
}

async function give(place: SpecPlace, state: RunState, how: GivenWith): Promise<readonly Delegation[]> {
  const archive = archiveOf(place);
  const latest = await archive.latest();
  const folder = archive.folder(latest?.id ?? '');
  const given: Delegation[] = [];
  for (const { task, role, attempt, token, workspace, prompt } of await workOf(place, state))
    given.push({ task, role, attempt, given: await noteGiven(folder, token, how), token, workspace, prompt });
  return given;
}
