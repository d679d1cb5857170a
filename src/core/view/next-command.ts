import type { RunState } from '../run/state.ts';

/** Where a spec is, as far as it says what is to be typed next. */
export interface Whereabouts {
  readonly spec: string;
  /** Tasks in the plan; 0 where there is none yet. */
  readonly total: number;
  readonly done: number;
  readonly isRunning: boolean;
  /** The newest run; absent before the first one. */
  readonly run?: Pick<RunState, 'progress' | 'tasks' | 'ended'> | undefined;
  /** The session that drives the run and has open delegations; `undefined` for a session without an id. */
  readonly session?: { readonly id: string | undefined } | undefined;
}

/** The command that goes on with a spec (R-PLAN-7); `undefined` where there is nothing to type. */
export function nextCommand({ spec, total, done, isRunning, run, session }: Whereabouts): string | undefined {
  if (isRunning || total === 0) return undefined;
  if (session !== undefined)
    return `specloop next ${spec}${session.id === undefined ? '' : ` --session ${session.id}`} --json`;
  const asking = run && [...run.progress].find(([, { at }]) => at === 'asking')?.[0];
  const task = run?.tasks.find(({ key }) => key === asking);
  if (task !== undefined && run?.ended?.result === 'waiting') return `specloop answer ${task.id} ${spec} "TEXT"`;
  return done === total && run?.ended?.result !== 'waiting' ? undefined : `specloop implement ${spec}`;
}
