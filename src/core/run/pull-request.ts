import { insertTasks } from '../plan/inserted.ts';
import type { PlannedTask } from '../plan/planned-task.ts';
import type { PullRequestEvent } from '../pull-request/event.ts';
import { evolvePullRequest } from '../pull-request/evolve.ts';
import { nextStep } from '../pull-request/next.ts';
import { defaultPullRequestPolicy } from '../pull-request/policy.ts';
import { beforeFirstStep, waitOver, waitStarted } from '../pull-request/state.ts';
import type { PullRequestStep } from '../pull-request/step.ts';
import { proveByChecks } from './awaiting.ts';
import type { Effect } from './effect.ts';
import type { Pause } from './pause.ts';
import type { RunState } from './state.ts';

/** Whether an agent, and not the lifecycle of the pull request, does a task (R-PR-9). */
export function isForAgents({ isOfLifecycle }: PlannedTask): boolean {
  return isOfLifecycle !== true;
}

/** What the lifecycle does once every task of the agents is recorded (R-ADV-4); `undefined` if it is under way. */
export function nextOfLifecycle(state: RunState): Effect | undefined {
  const { policy, pullRequest, tasks, tip } = state;
  if (policy.pullRequest === undefined) return withoutLifecycle(state);
  const awaited = [...state.progress.values()].flatMap(({ at, awaits }) =>
    at === 'awaiting' && awaits ? [awaits.check] : [],
  );
  const next = nextStep(pullRequest, { policy: policy.pullRequest, tasks, tip, awaited });
  switch (next?.do) {
    case undefined:
      return undefined;
    case 'wait':
      return { do: 'wait', pause: { untilMs: next.untilMs, why: 'pull-request' } };
    case 'step':
      return { do: 'pull-request', ...next.step };
    case 'end':
      return { do: 'finish', ...next.ending };
  }
}

function withoutLifecycle({ tasks }: RunState): Effect {
  const left = tasks.filter((task) => !task.checked).map(({ id }) => id);
  const all = 'Every task is verified and recorded.';
  const reason = left.length === 0 ? all : `${all} The pull request is left out (--no-pr): ${left.join(', ')}.`;
  return { do: 'finish', result: 'completed', reason };
}

/** What an event of the lifecycle does to the run: to its own state, to the plan, and to the branch. */
export function onPullRequest(state: RunState, event: PullRequestEvent): RunState {
  const { intervalMs } = state.policy.pullRequest ?? defaultPullRequestPolicy;
  const after = { ...state, pullRequest: evolvePullRequest(state.pullRequest, event, { intervalMs }) };
  switch (event.type) {
    case 'pull-request-seen':
      return proveByChecks(after, event);
    case 'branch-compared':
      return event.relation === 'ahead' || event.relation === 'merged'
        ? { ...after, tip: event.head, tasks: event.tasks ?? after.tasks, foreign: event.foreign ?? after.foreign }
        : after;
    case 'tasks-planned': {
      const tasks = event.inserted.reduce(insertTasks, event.tasks ?? after.tasks);
      return { ...after, tip: event.head, tasks, foreign: event.foreign ?? after.foreign };
    }
    case 'lifecycle-recorded': {
      const done = new Set(event.done.map(({ task }) => task));
      const tasks = after.tasks.map((task) => (done.has(task.key) ? { ...task, checked: true } : task));
      return { ...after, tip: event.head, tasks };
    }
    default:
      return after;
  }
}

export function stepStarted(state: RunState, { step }: PullRequestStep): RunState {
  return { ...state, pullRequest: { ...(state.pullRequest ?? beforeFirstStep), underWay: step } };
}

export function lifecycleWaits(state: RunState, pause: Pause): RunState {
  if (state.pullRequest === undefined || !('untilMs' in pause)) return state;
  return { ...state, pullRequest: waitStarted(state.pullRequest, pause.untilMs) };
}

/** A wait that was cut short by a stop goes on at the next start, to the same instant (R-PR-5). */
export function lifecycleWaited(state: RunState): RunState {
  if (state.pullRequest === undefined) return state;
  if (state.stopping) return atRest(state);
  return { ...state, pullRequest: waitOver(state.pullRequest) };
}

/** What a process that ended had under way is begun again. */
export function atRest(state: RunState): RunState {
  if (state.pullRequest === undefined) return state;
  const { underWay: _underWay, ...pullRequest } = state.pullRequest;
  return { ...state, pullRequest };
}
