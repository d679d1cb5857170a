import type { Role } from '../../src/core/agent/role.ts';
import type { Envelope } from '../../src/core/run/data/event.ts';
import type { HandedBrief } from '../../src/engine/lane/handed-over.ts';
import type { Agent, AgentOutcome, Brief } from '../../src/ports/agent.ts';
import { putFile } from '../memory/tree.ts';
import { deedOf, HARMLESS_APART, type Stage, stageOf, workFile } from './deeds.ts';
import { stepsIn } from './drafting.ts';
import type { Gate, Step } from './gate.ts';
import { watchAgentStart, watchChoice } from './watch.ts';
import { type AgentCall, ROOT, readPlan, SPEC, TASKS, type World } from './world.ts';

const STEP_MS = 20_000;
const STOP_MS = 2_000;

/** The agents of one coordinator: they do what the scenario says, whichever of them is started. */
export function agentIn(world: World, gate: Gate, name = 'simulated'): Agent {
  return {
    name,
    work: (brief) =>
      gate.pass(`agent.work ${brief.role} ${brief.variables.SPECLOOP_TASK_ID}`, 'agent', (step) => {
        watchChoice(world, name);
        return work(world, brief, step);
      }),
  };
}

async function work(world: World, brief: Brief, step: Step): Promise<AgentOutcome> {
  if (brief.signal.aborted) return outcome(CANCELLED);
  const call = begin(world, brief);
  const deed = deedOf(call.deed);
  const stepMs = world.scenario.stepMs?.(call.number) ?? STEP_MS;
  while (call.steps < deed.steps.length) {
    await world.clock.sleepMs(stepMs, brief.signal);
    if (brief.signal.aborted) return await cancelled(world, call);
    takeStep(world, call);
    brief.onEvent?.({ type: 'output' });
    await step();
  }
  await world.clock.sleepMs(stepMs, brief.signal);
  return brief.signal.aborted ? await cancelled(world, call) : leave(call, deed.leave(stageFor(world, call)));
}

/** An agent that works while no coordinator does; resolves with its final answer, which is empty if it failed. */
export async function workElsewhere(
  world: World,
  { role, prompt, workspace, variables }: HandedBrief,
): Promise<string> {
  const limits = { wallMs: 1_800_000, idleMs: 600_000 };
  const { signal } = new AbortController();
  const brief = { role, prompt, workspace, variables, limits, logFile: '', signal };
  const { how, answer } = await work(world, brief, async () => {});
  return how === 'completed' ? answer : '';
}

/** Who is told to stop does not do so at once. */
async function cancelled(world: World, call: AgentCall): Promise<AgentOutcome> {
  await world.clock.sleepMs(STOP_MS, new AbortController().signal);
  return leave(call, CANCELLED);
}

const CANCELLED = { how: 'cancelled', message: 'The agent was stopped.' } as const;

/** Ends what a dead coordinator left running; until then each may have taken another step. */
export function reap(world: World): void {
  awaken(world);
  for (const call of world.living) {
    takeStep(world, call);
    call.isAlive = false;
  }
}

/** What agents left running writes: it has noticed that work was proved, or is about to be ended. */
export function awaken(world: World): void {
  for (const [dir, { call, path, text }] of world.lurking) {
    const tree = world.repository.trees.get(dir);
    const agent = world.agentCalls.find(({ number }) => number === call);
    if (tree === undefined || agent === undefined) continue;
    putFile(tree.files, path, text);
    agent.made = text;
  }
  world.lurking.clear();
}

function takeStep(world: World, call: AgentCall): void {
  const act = deedOf(call.deed).steps[call.steps];
  call.steps += 1;
  act?.(stageFor(world, call));
}

function stageFor(world: World, call: AgentCall): Stage {
  const { dir, role, task, nth, number } = call;
  const { repository, clock, scenario } = world;
  const made = (text: string): void => {
    if (role !== 'reviewer') call.made = text;
  };
  const personWrites = (path: string, text: string): void => {
    putFile(world.tree.files, path, text);
    world.personal.set(path, text);
  };
  const lurk = (text: string): void => {
    world.lurking.set(dir, { call: number, path: workFile({ task }), text });
  };
  const spoil = (): void => {
    call.isSound = false;
  };
  const bookkeeping = scenario.policy.bookkeeping ?? 'coordinator';
  return stageOf({
    repository,
    home: ROOT,
    dir,
    spec: SPEC,
    role,
    task,
    nth,
    call: number,
    bookkeeping,
    now: () => clock.now(),
    made,
    personWrites,
    dirty: scenario.dirty,
    spoil,
    lurk,
  });
}

function leave(call: AgentCall, end: Partial<AgentOutcome>): AgentOutcome {
  call.isAlive = false;
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

function begin(world: World, brief: Brief): AgentCall {
  const { role, variables, workspace } = brief;
  const id = variables.SPECLOOP_TASK_ID ?? '';
  const index = Number(variables.SPECLOOP_TASK_INDEX);
  // A plan that is in no commit is not in worktrees either.
  const text = world.repository.tree(workspace).files.get(TASKS) ?? world.tree.files.get(TASKS) ?? '';
  const task = (stepsIn(world) ?? readPlan(text, world.scenario.dialect)).tasks[index];
  if (task?.id !== id) throw new Error(`An agent was sent to task ${id} at ${index}, where ${task?.id} stands.`);
  const nth = answersSoFar(journalsOf(world), { role, key: task.key }) + 1;
  const deed = world.scenario.deed(role, id, nth);
  const call: AgentCall = {
    number: world.agentCalls.length + 1,
    start: world.starts,
    dir: workspace,
    run: [...world.runs.keys()].at(-1) ?? '',
    role,
    task,
    attempt: Number(variables.SPECLOOP_ATTEMPT),
    nth,
    deed,
    isSound: deedOf(deed).isSound || (workspace !== ROOT && HARMLESS_APART.has(deed)),
    steps: 0,
    isAlive: true,
  };
  watchAgentStart(world, call);
  world.agentCalls.push(call);
  return call;
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
function* journalsOf({ runs }: World): Generator<Envelope> {
  for (const { envelopes } of runs.values()) yield* envelopes;
}
