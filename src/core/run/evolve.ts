import { unreachable } from '../unreachable.ts';
import { judge } from '../verify/judge.ts';
import type { AgentEnd } from './agent-end.ts';
import type { Effect } from './effect.ts';
import type { RunEvent } from './event.ts';
import type { Failure } from './failure.ts';
import { resume } from './resume.ts';
import { afterFailure } from './retry.ts';
import { type Blame, progressOf, type RunState, type TaskProgress, taskOf } from './state.ts';

/** Folds one event into the state. The only place where a run's state comes from. */
export function evolve(state: RunState | undefined, event: RunEvent): RunState {
  if (event.type === 'run-started') return started(event);
  if (state === undefined) throw new Error(`The journal begins with ${event.type} instead of run-started.`);
  switch (event.type) {
    case 'run-resumed':
      return resume(state, event);
    case 'run-prepared':
      return { ...state, phase: 'executing', branch: event.branch, tip: event.head, foreign: event.foreign };
    case 'effect-started':
      return effectStarted(state, event.effect);
    case 'agent-returned':
      return agentReturned(state, event);
    case 'task-checked':
      return checked(event.tasks ? { ...state, tasks: event.tasks } : state, event);
    case 'check-cancelled':
      return move(state, event.task, { ...claimed(state, event.task), at: 'returned' });
    case 'task-committed':
      return recorded(state, event.task, event);
    case 'commit-refused':
      return failed(state, event.task, { layer: 'commit', text: `COMMIT REFUSED: a commit hook or signing said no.\n${event.output.trim()}` });
    case 'work-set-aside':
      return setAside(event.tasks ? { ...state, tasks: event.tasks } : state, event);
    case 'waited':
      return move(state, event.task, { ...begun(state, event.task), at: 'waiting' });
    case 'time-ran-out':
      return { ...state, outOfTime: { limitMs: event.limitMs } };
    case 'stop-requested':
      return { ...state, stopping: event.signal };
    case 'run-finished':
    case 'run-halted':
      return { ...state, phase: 'over', ended: { result: event.result, reason: event.reason } };
    default:
      return unreachable(event);
  }
}

/** The state that these events fold to; `undefined` for none. */
export function fold(events: Iterable<RunEvent>): RunState | undefined {
  let state: RunState | undefined;
  for (const event of events) state = evolve(state, event);
  return state;
}

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

function started({ policy, tasks, carried, globalIteration }: Of<'run-started'>): RunState {
  return {
    phase: 'starting',
    policy,
    tasks,
    progress: new Map(),
    branch: '',
    tip: '',
    foreign: [],
    globalIteration,
    spent: { costUsd: 0, tokens: 0 },
    carried,
  };
}

function effectStarted(state: RunState, effect: Effect): RunState {
  switch (effect.do) {
    case 'prepare':
      return { ...state, phase: 'PREPARING' };
    case 'finish':
      return { ...state, phase: 'FINISHING' };
    case 'delegate': {
      const { failures, pauses } = progressOf(state, effect.task);
      const next: TaskProgress = { at: 'WORKING', attempt: effect.attempt, base: effect.base, failures, pauses };
      return move({ ...state, globalIteration: state.globalIteration + 1 }, effect.task, next);
    }
    case 'check':
      return move(state, effect.task, { ...claimed(state, effect.task), at: 'CHECKING' });
    case 'commit':
      return move(state, effect.task, { ...accepted(state, effect.task), at: 'COMMITTING' });
    case 'set-aside':
      return move(state, effect.task, { ...failing(state, effect.task), at: 'SETTING-ASIDE' });
    case 'wait':
      return move(state, effect.task, { ...begun(state, effect.task), at: 'PAUSED', pause: effect.pause });
    default:
      return unreachable(effect);
  }
}

/** Ends that are not the task's doing (R-DEL-7). */
const BLAME: Partial<Record<AgentEnd, Blame>> = { cancelled: 'stop', 'rate-limited': 'limit', unauthenticated: 'setup', 'not-found': 'setup' };

/** Layers 1 and 2: an agent that did not complete, gave no signal or admits a failure is not looked at further. */
function agentReturned(state: RunState, event: Of<'agent-returned'>): RunState {
  const { task, how, message, answer, usage, resetsAt } = event;
  const spent = {
    costUsd: state.spent.costUsd + (usage.costUsd ?? 0),
    tokens: state.spent.tokens + (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0),
  };
  const after = { ...state, spent };
  const blame = BLAME[how] ?? 'task';
  if (blame !== 'task') {
    const failure: Failure = { layer: how === 'cancelled' ? 'interrupted' : 'agent', text: message };
    return move(after, task, { ...begun(after, task), at: 'failed', failure, blame, ...(resetsAt === undefined ? {} : { resetsAt }) });
  }
  const failure = claimFailure(event, taskOf(state, task).verify);
  return failure ? failed(after, task, failure) : move(after, task, { ...begun(after, task), at: 'returned', answer });
}

function claimFailure({ how, message, answer }: Of<'agent-returned'>, isVerifier: boolean): Failure | undefined {
  const tried = answer.report ? { attemptedFix: answer.report.attemptedFix } : {};
  const said = answer.report?.error ?? answer.excerpt.trim();
  if (how !== 'completed') return { layer: 'agent', text: said === '' ? message : `${message}\n${said}`, ...tried };
  if (answer.signal === 'negative') return { layer: 'signal', text: said === '' ? 'VERIFICATION_FAIL' : said, ...tried };
  if (answer.signal === 'none') {
    const missing = `NO SIGNAL: the final answer has no line ${isVerifier ? 'VERIFICATION_PASS' : 'TASK_COMPLETE'}.`;
    return { layer: 'signal', text: answer.report ? said : `${missing}${said === '' ? '' : `\n${said}`}`, ...tried };
  }
  if (answer.admission !== undefined) {
    return { layer: 'contradiction', text: `CONTRADICTION: claimed completion while admitting failure\n${answer.admission}`, ...tried };
  }
  return undefined;
}

function checked(state: RunState, { task, evidence }: Of<'task-checked'>): RunState {
  const progress = claimed(state, task);
  const verdict = judge(evidence, { task: taskOf(state, task), policy: state.policy, branch: state.branch, base: progress.base });
  if (verdict.failure) return failed(state, task, verdict.failure);
  return move(state, task, { ...progress, at: 'accepted', verdict });
}

function recorded(state: RunState, key: string, { commit, head }: { readonly commit: string; readonly head: string }): RunState {
  const { id } = taskOf(state, key);
  const tasks = state.tasks.map((task) => (task.key === key ? { ...task, checked: true } : task));
  const progress = new Map(state.progress);
  progress.delete(key);
  return { ...state, tasks, progress, tip: head, carried: { ...state.carried, unnamed: { id, commit } } };
}

function setAside(state: RunState, { task, kept }: Of<'work-set-aside'>): RunState {
  const progress = failing(state, task);
  return move(state, task, afterFailure(state, task, { progress, ...(kept ? { kept } : {}) }));
}

function failed(state: RunState, task: string, failure: Failure): RunState {
  return move(state, task, { ...begun(state, task), at: 'failed', failure, blame: 'task' });
}

function move(state: RunState, task: string, progress: TaskProgress): RunState {
  return { ...state, progress: new Map(state.progress).set(task, progress) };
}

/** What every stage of a task has in common. */
function begun(state: RunState, task: string): Pick<TaskProgress, 'attempt' | 'base' | 'failures' | 'pauses'> {
  const { attempt, base, failures, pauses } = progressOf(state, task);
  return { attempt, base, failures, pauses };
}

function claimed(state: RunState, task: string) {
  const progress = progressOf(state, task);
  if (!('answer' in progress)) throw new Error(`Task ${task} is ${progress.at}: no agent has claimed it.`);
  return { ...begun(state, task), answer: progress.answer };
}

function accepted(state: RunState, task: string) {
  const progress = progressOf(state, task);
  if (!('verdict' in progress)) throw new Error(`Task ${task} is ${progress.at}: it was not accepted.`);
  return { ...begun(state, task), answer: progress.answer, verdict: progress.verdict };
}

function failing(state: RunState, task: string) {
  const progress = progressOf(state, task);
  if (!('failure' in progress)) throw new Error(`Task ${task} is ${progress.at}: it has not failed.`);
  const { failure, blame, resetsAt } = progress;
  return { ...begun(state, task), failure, blame, ...(resetsAt === undefined ? {} : { resetsAt }) };
}
