import type { Role } from '../agent/role.ts';
import { instantMs } from '../instant.ts';
import type { AgentReport } from './data/event.ts';
import type { Pause } from './data/pause.ts';
import type { RunState } from './data/state.ts';

/**
 * Which agent works next in a role, where there is a choice: the first one whose usage limit has passed, else the one whose
 * limit ends first. It is named in the effect.
 */
export function agentFor(state: RunState, role: Role): { readonly agent?: string } {
  const names = namesFor(state, role);
  if (names.length < 2) return {};
  const agent =
    names.find((name) => isFree(state, name)) ?? [...names].sort((a, b) => endOf(state, a) - endOf(state, b))[0];
  return agent === undefined ? {} : { agent };
}

/** Whether an agent may work in a role without waiting for a usage limit. */
export function isAnyFree(state: RunState, role: Role): boolean {
  const names = namesFor(state, role);
  return names.length > 1 && names.some((name) => isFree(state, name));
}

/** The pause until the first agent of a role is back, where there are several. */
export function pauseForFirst(state: RunState, role: Role, own: Pause): Pause {
  const names = namesFor(state, role);
  if (names.length < 2) return own;
  return { untilMs: Math.min(...names.map((name) => endOf(state, name))), why: 'usage-limit' };
}

/** The state that remembers until when an agent is at a usage limit, as far as both are known. */
export function noteLimit(state: RunState, { agent }: Pick<AgentReport, 'agent'>, pause: Pause): RunState {
  const untilMs = endOfPause(pause);
  if (agent === undefined || untilMs === undefined) return state;
  return { ...state, limitedUntilMs: new Map(state.limitedUntilMs).set(agent, untilMs) };
}

/** The state at an instant that an event tells: a limit that ends before it has passed. */
export function noteTime(state: RunState, ms: number | undefined): RunState {
  return ms === undefined || ms <= state.nowMs ? state : { ...state, nowMs: ms };
}

/** When a pause ends, if that does not depend on when it begins. */
export function endOfPause(pause: Pause): number | undefined {
  if ('until' in pause) return instantMs(pause.until);
  return 'untilMs' in pause ? pause.untilMs : undefined;
}

function namesFor({ policy }: RunState, role: Role): readonly string[] {
  const { agents } = policy;
  return agents === undefined ? [] : [...new Set([...[agents.roles[role] ?? []].flat(), ...agents.fallback])];
}

function isFree(state: RunState, name: string): boolean {
  return endOf(state, name) <= state.nowMs;
}

function endOf({ limitedUntilMs }: RunState, name: string): number {
  return limitedUntilMs.get(name) ?? 0;
}
