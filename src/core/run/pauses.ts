import { endOfPause } from './choose-agent.ts';
import type { Pause } from './data/pause.ts';
import type { RunState } from './data/state.ts';

/** What the run waits for at this moment, each with its end in milliseconds since 1970. */
export function pauses({ progress, pullRequest }: RunState): readonly Waiting[] {
  const ofTasks = [...progress].flatMap(([task, at]) => (at.at === 'PAUSED' ? waiting(at.pause, task) : []));
  const untilMs = pullRequest?.underWay === 'wait' ? pullRequest.pause?.untilMs : undefined;
  return [...ofTasks, ...(untilMs === undefined ? [] : [{ untilMs }])];
}

export interface Waiting {
  /** Key of the task that waits; absent for the pull request. */
  readonly task?: string;
  readonly untilMs: number;
}

/** Whether the run waits for something whose time comes by itself. */
export function isPaused(state: RunState): boolean {
  return pauses(state).length > 0;
}

function waiting(pause: Pause, task: string): readonly Waiting[] {
  const untilMs = endOfPause(pause);
  return untilMs === undefined ? [] : [{ task, untilMs }];
}
