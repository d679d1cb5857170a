import type { RunState } from '../../src/core/run/data/state.ts';
import type { StopSignal } from '../../src/core/run/data/stop-signal.ts';
import { handOvers } from '../../src/core/run/drivers.ts';
import { questionsAsked } from '../../src/core/run/questions.ts';
import { UserError } from '../../src/core/user-error.ts';
import { HandedOver } from '../../src/engine/lane/handed-over.ts';
import { GitFault } from '../../src/ports/git.ts';
import { StorageFault } from '../../src/ports/store.ts';
import { putFile } from '../memory/tree.ts';
import { type Accident, describeAccident } from './accident.ts';
import { workElsewhere } from './agents.ts';
import { Gate, type Point } from './gate.ts';
import { endOfLife } from './invariants.ts';
import type { End, Life } from './life.ts';
import { archiveIn } from './ports.ts';
import type { Scenario } from './scenario.ts';
import { handIn } from './session.ts';
import { portsIn, startOnce } from './start.ts';
import { STATE, TASKS, World } from './world.ts';

const STARTS_MAX = 40;
const CALLS_MAX = 20_000;

/** What a coordinator lives through. */
export interface Fate {
  readonly accidents: readonly Accident[];
  /** Called at every place at which a crash may fall. */
  readonly onPoint?: (point: Point, world: World) => void;
}

/** Lives a scenario through: starts the coordinator, again after each accident, until a run ends for good. */
export async function live(scenario: Scenario, accidents: readonly Accident[] = []): Promise<Life> {
  return await liveOn(new World(scenario), { accidents });
}

/** Lives on in a world as it is. */
export async function liveOn(world: World, fate: Fate): Promise<Life> {
  const ends: End[] = [];
  do {
    const end = await oneStart(world, fate);
    ends.push(end);
    world.clock.forget();
    if (end.how === 'handed over') {
      world.reportedBy = undefined;
      await workOn(world, end.state);
    }
    if (end.how === 'refused') {
      world.asked += 1;
      if (!obey(world, end.message)) world.violated('liveness', `A start was refused for good: ${end.message}`);
    }
    if (ends.filter(({ how }) => how !== 'handed over').length > STARTS_MAX || world.calls.length > CALLS_MAX)
      world.violated('liveness', `No end after ${ends.length} starts and ${world.calls.length} calls.`);
  } while (world.violations.length === 0 && startsAgain(world, ends.at(-1)));
  await endOfLife(world, ends);
  return { world, ends };
}

/** After a crash, a stop or a fault the run goes on; after one that ended for good a person may try once more. */
function startsAgain(world: World, end: End | undefined): boolean {
  if (end?.how === 'over' && end.state.gate && isForGood(end.state)) return mend(world);
  if (end?.how === 'over' && questionsAsked(end.state).length > 0 && isForGood(end.state)) return true;
  // What a run with kept changes leaves is the user's own for the next one, which therefore proves less.
  if (world.scenario.policy.keepFailedChanges && isOver(world)) return false;
  if (end?.how !== 'over' || !isForGood(end.state)) return true;
  if (end.state.ended?.result === 'completed' || world.reruns === 0) return false;
  world.reruns -= 1;
  return true;
}

/** A person puts right what refused a commit; false if nothing did. */
function mend(world: World): boolean {
  const { refusal } = world.scenario;
  if (refusal === undefined || (world.isMended && refusal.by !== 'work'))
    world.violated('R-ADV-5', 'The run waits for a person, who finds nothing to put right.');
  world.isMended = true;
  return true;
}

/** Whether the newest run has written down its end. */
function isOver({ runs }: World): boolean {
  return [...runs.values()].at(-1)?.envelopes.at(-1)?.event.type === 'run-finished';
}

function isForGood({ ended }: RunState): boolean {
  return ended?.result !== 'interrupted' && ended?.result !== 'fault';
}

async function oneStart(world: World, { accidents, onPoint }: Fate): Promise<End> {
  world.starts += 1;
  let stop: (signal: StopSignal) => void = () => {};
  const gate = new Gate(world.calls, {
    accidents,
    onStop: ({ signal }) => stop(signal),
    ...(onPoint ? { onPoint: (point) => onPoint(point, world) } : {}),
  });
  const result = startOnce(world, portsIn(world, gate), (how) => {
    stop = how;
  });
  let end: End | undefined;
  const set = (value: End) => {
    end ??= value;
  };
  void result.then(
    (state) => set({ how: state.phase === 'over' ? 'over' : 'handed over', state }),
    (error) => set(endOfError(world, error)),
  );
  void gate.death.then(() => set({ how: 'crashed' }));
  while (end === undefined) {
    await quiet();
    if (end !== undefined || world.clock.advance()) continue;
    world.violated('liveness', 'The coordinator waits for nothing.');
    end = { how: 'crashed' };
  }
  // A start that met a fault before it ended what a dead one had left is followed by another, which does.
  const left = world.living.filter(({ start }) => end?.how === 'over' || start === world.starts);
  if (left.length > 0 && (end.how === 'over' || end.how === 'fault'))
    world.violated('I8', 'A run ended before its agent.');
  gate.abandon();
  return end;
}

/** Has the agents do what was handed over, one after the other, and report it: one of them, or all before the next start. */
async function workOn(world: World, state: RunState): Promise<void> {
  const run = [...world.runs.keys()].at(-1) ?? '';
  const handedOver = new HandedOver(
    archiveIn(world, new Gate([], { accidents: [], onStop: () => {} })).folder(run),
    world.clock,
  );
  for (const handOver of handOvers(state)) {
    const { holder } = handOver;
    const brief = await handedOver.brief(holder.token);
    if (brief === undefined) continue;
    let answer: string | undefined;
    void workElsewhere(world, brief).then((text) => {
      answer = text;
    });
    while (answer === undefined) {
      await quiet();
      if (answer === undefined) world.clock.advance();
    }
    if (await handIn(world, handOver, { handedOver, answer })) world.reportedBy = holder.driver;
    if (world.agentCalls.length % 2 === 0 || world.scenario.session) return;
  }
}

/** Resolves when everything that can happen without the clock has happened. */
function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function endOfError(world: World, error: unknown): End {
  if (error instanceof UserError) return { how: 'refused', message: error.message };
  if (error instanceof StorageFault || error instanceof GitFault) return { how: 'fault', message: error.message };
  world.violated('bug', error instanceof Error ? (error.stack ?? error.message) : String(error));
  return { how: 'bug' };
}

/** Does what the message of a refused start asks for; false if a person would not know what to do. */
function obey(world: World, message: string): boolean {
  const { tree, repository } = world;
  // What a person has put right by hand is no longer the agent's doing.
  const last = world.agentCalls.at(-1);
  if (last) last.isSound = true;
  if (/working tree is on|detached HEAD/.test(message)) tree.head = { branch: world.branch };
  else if (/is in progress/.test(message)) tree.operation = undefined;
  else if (/tasks\.md/.test(message)) putFile(tree.files, TASKS, lastPlanOf(world));
  else if (/is not a state file/.test(message)) tree.files.delete(STATE);
  else if (/was rewritten/.test(message)) repository.moveHead(tree, /commit ([0-9a-f]{40})/.exec(message)?.[1] ?? '');
  else return false;
  return true;
}

/** What a person finds of the plan: in the last commit, else in what the run kept, else in a copy of their own. */
function lastPlanOf({ repository, tree, scenario }: World): string {
  const committed = repository.headFilesOf(tree).get(TASKS);
  const kept = [...repository.refs.values()].flatMap((id) => repository.commit(id).files.get(TASKS) || []);
  return committed ?? kept.at(-1) ?? scenario.plan;
}

/** What went wrong in a life, for people; empty if nothing did. */
export function describe({ world, ends }: Life, accidents: readonly Accident[]): string {
  if (world.violations.length === 0) return '';
  const calls = world.calls
    .slice(-25)
    .map(({ name }, at) => `  ${Math.max(0, world.calls.length - 25) + at + 1} ${name}`);
  const agents = world.agentCalls.map(
    ({ number, role, task, attempt, deed, how }) =>
      `  ${number}. ${role} ${task.id} attempt ${attempt}: ${deed} (${how ?? 'killed'})`,
  );
  return [
    `Scenario: ${world.scenario.name} ${JSON.stringify(world.scenario.policy)}`,
    `Accidents: ${accidents.map(describeAccident).join('; ') || 'none'}`,
    'Broken promises:',
    ...world.violations.map((violation) => `  ${violation}`),
    'Starts:',
    ...ends.map(
      (end) => `  ${end.how} ${'message' in end ? end.message : 'state' in end ? (end.state.ended?.result ?? '') : ''}`,
    ),
    'Agents:',
    ...agents,
    'Last calls:',
    ...calls,
  ].join('\n');
}
