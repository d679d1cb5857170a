import type { Envelope } from '../../src/core/run/event.ts';
import type { Role } from '../../src/core/run/role.ts';
import type { Agent, AgentOutcome, Brief } from '../../src/ports/agent.ts';
import { deedOf, type Stage, stageOf } from './deeds.ts';
import type { Gate, Step } from './gate.ts';
import { watchAgentStart } from './watch.ts';
import { type AgentCall, readPlan, SPEC, TASKS, type World } from './world.ts';

const STEP_MS = 20_000;

/** The agents of one coordinator: they do what the scenario says, whoever starts them. */
export function agentIn(world: World, gate: Gate): Agent {
  return {
    name: 'simulated',
    work: (brief) =>
      gate.pass(`agent.work ${brief.role} ${brief.variables.SPECLOOP_TASK_ID}`, 'agent', (step) =>
        work(world, brief, step),
      ),
  };
}

async function work(world: World, brief: Brief, step: Step): Promise<AgentOutcome> {
  if (brief.signal.aborted) return outcome({ how: 'cancelled', message: 'The agent was told to stop.' });
  const { stage, call } = begin(world, brief);
  const deed = deedOf(call.deed);
  call.left = deed.steps.map((act) => () => act(stage));
  world.living.add(call);
  while (call.left.length > 0) {
    await world.clock.sleepMs(STEP_MS, brief.signal);
    if (brief.signal.aborted) return leave(world, call, { how: 'cancelled', message: 'The agent was told to stop.' });
    call.left.shift()?.();
    brief.onActivity?.();
    await step();
  }
  await world.clock.sleepMs(STEP_MS, brief.signal);
  if (brief.signal.aborted) return leave(world, call, { how: 'cancelled', message: 'The agent was told to stop.' });
  return leave(world, call, deed.leave(stage));
}

function leave(world: World, call: AgentCall, end: Partial<AgentOutcome>): AgentOutcome {
  world.living.delete(call);
  const made = outcome(end);
  call.how = made.how;
  return made;
}

function outcome(end: Partial<AgentOutcome>): AgentOutcome {
  return {
    how: 'completed',
    answer: '',
    message: '',
    usage: { inputTokens: 100, costUsd: 0.01 },
    durationMs: STEP_MS,
    ...end,
  };
}

function begin(world: World, brief: Brief): { readonly stage: Stage; readonly call: AgentCall } {
  const { role, variables, workspace } = brief;
  const id = variables.SPECLOOP_TASK_ID ?? '';
  const index = Number(variables.SPECLOOP_TASK_INDEX);
  const task = readPlan(world.repository.tree(workspace).files.get(TASKS) ?? '').tasks[index];
  const nth = answersSoFar(journalsOf(world), { role, key: task?.key ?? id }) + 1;
  const deed = world.scenario.deed(role, id, nth);
  const number = world.agentCalls.length + 1;
  const call: AgentCall = {
    number,
    dir: workspace,
    run: [...world.runs.keys()].at(-1) ?? '',
    role,
    task: id,
    attempt: Number(variables.SPECLOOP_ATTEMPT),
    deed,
    isSound: deedOf(deed).isSound,
    left: [],
  };
  world.agentCalls.push(call);
  watchAgentStart(world, call, task);
  if (task === undefined) throw new Error(`An agent was sent to task ${id} at ${index}, which is not in the plan.`);
  const stage = stageOf({
    repository: world.repository,
    dir: workspace,
    spec: SPEC,
    role,
    task,
    nth,
    call: number,
    bookkeeping: world.scenario.policy.bookkeeping ?? 'coordinator',
    now: () => world.clock.now(),
    made: (text) => {
      if (role !== 'reviewer') world.made.set(call, text);
    },
  });
  return { stage, call };
}

/** Answers of this role on this task that a coordinator has written down: an answer that was lost is given again. */
function answersSoFar(
  envelopes: Iterable<Envelope>,
  { role, key }: { readonly role: Role; readonly key: string },
): number {
  const type = role === 'reviewer' ? 'task-reviewed' : 'agent-returned';
  let count = 0;
  for (const { event } of envelopes)
    if (event.type === type && event.task === key && event.how !== 'cancelled') count += 1;
  return count;
}

/** All events that were ever written down, oldest first. */
export function* journalsOf({ runs }: World): Generator<Envelope> {
  for (const { envelopes } of runs.values()) yield* envelopes;
}
