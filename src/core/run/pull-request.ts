import { insertTasks } from '../plan/data/inserted.ts';
import { isLeftOut } from '../plan/data/left-out.ts';
import type { PlannedTask } from '../plan/data/planned-task.ts';
import type { Policy } from '../policy.ts';
import type { PullRequestEvent } from '../pull-request/event.ts';
import { evolvePullRequest } from '../pull-request/evolve.ts';
import { nextStep } from '../pull-request/next.ts';
import { defaultPullRequestPolicy } from '../pull-request/policy.ts';
import { beforeFirstStep, waitOver, waitStarted } from '../pull-request/state.ts';
import type { PullRequestStep } from '../pull-request/step.ts';
import { firstOf } from '../text/first-of.ts';
import { proveByChecks } from './awaiting.ts';
import type { Effect } from './data/effect.ts';
import type { Pause } from './data/pause.ts';
import type { RunState } from './data/state.ts';

const IDS_NAMED = 10;

/** Whether an agent does a task: not the lifecycle of the pull request, and no one leaves it out (R-PR-9, R-DIA-4). */
export function isForAgents(task: PlannedTask, policy: Pick<Policy, 'withOptional'>): boolean {
  return task.isOfLifecycle !== true && !isLeftOut(task, policy);
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

function withoutLifecycle({ tasks, policy }: RunState): Effect {
  const open = tasks.filter((task) => !task.checked);
  const optional = open.filter((task) => isLeftOut(task, policy)).map(({ id }) => id);
  const left = open.filter((task) => !isLeftOut(task, policy)).map(({ id }) => id);
  const parts = [
    'Every task is verified and recorded.',
    ...(left.length === 0 ? [] : [`The pull request is left out (--no-pr): ${left.join(', ')}.`]),
    ...(optional.length === 0
      ? []
      : [`Optional tasks are left out (--optional runs them): ${firstOf(optional, IDS_NAMED)}.`]),
  ];
  return { do: 'finish', result: 'completed', reason: parts.join(' ') };
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
