import { isLeftOut } from '../plan/data/left-out.ts';
import type { Plan, Task } from '../plan/data/task.ts';
import { DOCUMENTS } from '../planning/steps.ts';
import { drivingOf } from '../run/driver.ts';
import type { ParsedState, StateFileFields } from '../state-file/parse.ts';
import type { HookInput } from './hook-input.ts';
import type { HookSpec } from './hook-spec.ts';
import { isOver, type SessionRun } from './session-run.ts';
import { corruptText, openTasksText, planningText, type StopText } from './stop-text.ts';

/** What the hook that is asked before a session ends has to know; read as data, nothing of it changed (R-SES-5). */
export interface StopFacts {
  readonly input: HookInput;
  readonly spec: HookSpec;
  /** The state file as it was read. */
  readonly state: ParsedState;
  /** The state file asks for planning without questions. */
  readonly isQuick: boolean;
  /** What is wrong with a plan that cannot be read is a sentence. */
  readonly plan: Plan | { readonly problem: string };
  /** The newest run; absent if there is none. */
  readonly run?: SessionRun;
  readonly isOlderPluginEnabled: boolean;
  readonly memory: StopMemory;
}

/** What hooks remember from one end of a session to the next. */
export interface StopMemory {
  /** Where the spec stood at this session's last block. */
  readonly mark?: string;
  /** This session was told that the state file is corrupt. */
  readonly isCorruptTold?: boolean;
  /** Whose a run is that has no session in its journal: the first one that was blocked. */
  readonly owner?: { readonly session: string; readonly run: string };
}

/** Whether the session may end; `notice` is for stderr. */
export type StopDecision =
  | { readonly do: 'nothing'; readonly notice?: string }
  | ({ readonly do: 'block'; readonly remember: StopMemory } & StopText);

/** The hooks' own default, if the state file has none. */
const GLOBAL_ITERATIONS_MAX = 100;
const NO_RUN = 'none';

const nothing: StopDecision = { do: 'nothing' };

/** Decides whether a session goes on with its spec instead of ending (R-SES-5, R-SES-6). */
export function decideStop(facts: StopFacts): StopDecision {
  const { input, state, memory } = facts;
  if (runOf(facts) === undefined && facts.isOlderPluginEnabled) return nothing;
  if (input.hasBackgroundTasks || !mayDrive(facts)) return nothing;
  if (!state.ok) {
    if (memory.isCorruptTold) return nothing;
    return { do: 'block', remember: { ...memory, isCorruptTold: true }, ...corruptText(facts.spec, state.problem) };
  }
  if (!isOwn(facts)) return nothing;
  return decideByState(facts, state.state);
}

function runOf({ run }: StopFacts): SessionRun | undefined {
  return isOver(run) ? undefined : run;
}

/** Whether this session may be the one that drives the run: no other one does, nor a process, and it has not ended. */
function mayDrive(facts: StopFacts): boolean {
  const run = runOf(facts);
  if (run === undefined) return true;
  const driving = drivingOf(run.driver);
  if (driving.kind !== 'session' || (run.ended !== undefined && run.ended !== 'completed')) return false;
  return driving.id === undefined || driving.id === facts.input.sessionId;
}

function isOwn(facts: StopFacts): boolean {
  const { owner } = facts.memory;
  const { sessionId } = facts.input;
  if (hasDriver(facts) || sessionId === undefined || owner?.run !== (runOf(facts)?.id ?? NO_RUN)) return true;
  return owner.session === sessionId;
}

function hasDriver(facts: StopFacts): boolean {
  const driving = drivingOf(runOf(facts)?.driver);
  return driving.kind === 'session' && driving.id !== undefined;
}

function decideByState(facts: StopFacts, state: StateFileFields): StopDecision {
  const { globalIteration = 0, maxGlobalIterations = GLOBAL_ITERATIONS_MAX } = state;
  if (state.awaitingApproval === true) return nothing;
  const text = state.phase === 'execution' ? executionText(facts, state) : planningTextOf(facts, state);
  if (text === undefined) return nothing;
  if (globalIteration >= maxGlobalIterations)
    return {
      do: 'nothing',
      notice: `specloop: the limit of ${maxGlobalIterations} iterations in ${facts.spec.stateFile} is reached, so the session may end. Raise it with "--max-global-iterations" to go on.`,
    };
  const mark = markOf(facts, state);
  if (facts.input.isContinued && (facts.memory.mark === undefined || facts.memory.mark === mark)) return nothing;
  return { do: 'block', remember: { ...facts.memory, mark, ...ownerAfter(facts) }, ...text };
}

function planningTextOf(facts: StopFacts, { phase }: StateFileFields): StopText | undefined {
  const document = DOCUMENTS.find((one) => one === phase);
  if (document === undefined || !facts.isQuick) return undefined;
  return planningText(facts.spec, document, runOf(facts) === undefined ? 'another tool' : 'specloop');
}

/** What the session is told while tasks are open; `undefined` if none is. A plan that cannot be read is judged by the state's numbers. */
function executionText({ spec, plan, input }: StopFacts, state: StateFileFields): StopText | undefined {
  const { taskIndex = 0, totalTasks = 0 } = state;
  if ('problem' in plan) {
    if (taskIndex >= totalTasks) return undefined;
    return openTasksText(spec, { at: taskIndex, total: totalTasks, tasks: [], problem: plan.problem });
  }
  const { tasks } = plan;
  const isOpen = (task: Task) => !task.checked && !isLeftOut(task);
  const first = tasks.find(isOpen);
  if (first === undefined) return undefined;
  const open = tasks.filter(isOpen).length;
  return openTasksText(spec, {
    at: first.index,
    total: tasks.length,
    tasks: groupFrom(tasks, first),
    ...(taskIndex >= tasks.length && { pastEnd: open }),
    ...(input.lastMessage !== undefined && { said: { message: input.lastMessage, open } }),
  });
}

/** The open tasks of the `[P]` group that a task begins, or the task alone (R-PAR-1). */
function groupFrom(tasks: readonly Task[], first: Task): readonly Task[] {
  if (!first.parallel) return [first];
  const rest = tasks.slice(first.index);
  const end = rest.findIndex(({ parallel, phase }) => !parallel || phase !== first.phase);
  return rest.slice(0, end === -1 ? rest.length : end).filter((task) => !task.checked && !isLeftOut(task));
}

/** Differs once something advanced: a verdict of our run, or what another tool writes of its own. */
function markOf(facts: StopFacts, state: StateFileFields): string {
  const run = runOf(facts);
  if (run !== undefined) return `run ${run.id} ${run.verdicts}`;
  const { phase, taskIndex, totalTasks, taskIteration, globalIteration } = state;
  const boxes = 'problem' in facts.plan ? '' : facts.plan.tasks.map(({ checked }) => (checked ? 'x' : '-')).join('');
  return JSON.stringify([phase, taskIndex, totalTasks, taskIteration, globalIteration, boxes]);
}

function ownerAfter(facts: StopFacts): Pick<StopMemory, 'owner'> {
  const { sessionId } = facts.input;
  if (hasDriver(facts) || sessionId === undefined) return {};
  return { owner: { session: sessionId, run: runOf(facts)?.id ?? NO_RUN } };
}
