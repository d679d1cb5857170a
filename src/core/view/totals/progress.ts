import type { Pause } from '../../run/data/pause.ts';
import { currentIndex, type RunState, type TaskProgress } from '../../run/data/state.ts';
import { unreachable } from '../../unreachable.ts';
import { unitsOf } from '../sentences/units.ts';
import type { Tally } from './tally.ts';

/** Where a run is, in the numbers that every screen shows. Times in milliseconds. */
export interface Progress {
  readonly total: number;
  readonly done: number;
  /** The first task that is not done; absent when all are. Its index counts from 0. */
  readonly current?: { readonly index: number; readonly id: string; readonly title: string };
  /** The tasks that something is done for at this moment, in the order of the plan. */
  readonly moving: readonly Moving[];
  readonly attempts: number;
  readonly rejectedClaims: number;
  /** Time at work, the pauses between two starts of the run aside. */
  readonly elapsedMs: number;
  readonly spent: RunState['spent'];
}

export interface Moving {
  readonly key: string;
  readonly id: string;
  readonly title: string;
  readonly attempt: number;
  readonly step: ProgressStep;
  /** How long is waited for what. */
  readonly pause?: Pause;
  readonly stepMs: number;
  readonly taskMs: number;
}

/**
 * What is done for a task: an agent works; its work is checked, reviewed, recorded or set aside; the plan is changed for
 * it; or a usage limit is waited for.
 */
export type ProgressStep = 'agent' | 'verify' | 'review' | 'commit' | 'set-aside' | 'plan' | 'wait';

/** Computes where a run is at an instant (milliseconds since 1970); once it is over, time stands still. */
export function progress(state: RunState, tally: Tally, nowMs: number): Progress {
  const index = currentIndex(state);
  const current = state.tasks[index];
  const { total, done } = unitsOf(state);
  const sinceMs = state.phase === 'over' ? 0 : Math.max(0, nowMs - tally.lastAtMs);
  return {
    total,
    done,
    ...(current ? { current: { index, id: current.id, title: current.title } } : {}),
    moving: moving(state, tally, nowMs),
    attempts: tally.attempts,
    rejectedClaims: tally.rejectedClaims,
    elapsedMs: tally.activeMs + sinceMs,
    spent: state.spent,
  };
}

function moving(state: RunState, { inMotion, lastAtMs }: Tally, nowMs: number): readonly Moving[] {
  if (state.phase === 'over') return [];
  return state.tasks.flatMap(({ key, id, title }) => {
    const at = state.progress.get(key);
    const step = at && stepOf(at);
    if (at === undefined || step === undefined) return [];
    const { beganAtMs, stepAtMs } = inMotion.get(key) ?? { beganAtMs: lastAtMs, stepAtMs: lastAtMs };
    return [
      {
        key,
        id,
        title,
        attempt: at.attempt,
        step,
        ...(at.at === 'PAUSED' ? { pause: at.pause } : {}),
        stepMs: Math.max(0, nowMs - stepAtMs),
        taskMs: Math.max(0, nowMs - beganAtMs),
      },
    ];
  });
}

function stepOf(progress: TaskProgress): ProgressStep | undefined {
  switch (progress.at) {
    case 'WORKING':
      return 'agent';
    case 'returned':
    case 'CHECKING':
      return 'verify';
    case 'REVIEWING':
      return 'review';
    case 'accepted':
    case 'COMMITTING':
    case 'faulted':
    case 'HOLDING':
      return 'commit';
    case 'failed':
    case 'SETTING-ASIDE':
      return 'set-aside';
    case 'requested':
    case 'MODIFYING':
    case 'wants-fix':
    case 'PLANNING-FIX':
      return 'plan';
    case 'PAUSED':
      return 'wait';
    case 'waiting':
    case 'awaiting':
    case 'asking':
    case 'blocked':
    case 'gave-up':
      return undefined;
    default:
      return unreachable(progress);
  }
}
