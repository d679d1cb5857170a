import { countsAgainst } from '../../core/answer/counts-against.ts';
import { excerpt } from '../../core/answer/excerpt.ts';
import { withToken } from '../../core/brief/token-line.ts';
import type { Effect } from '../../core/run/data/effect.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import type { HandOver } from '../../core/run/data/hand-over.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { handOverOf } from '../../core/run/drivers.ts';
import { oneLine } from '../../core/text/sanitise.ts';
import type { Noticed } from '../../core/verify/noticed.ts';
import type { AgentOutcome, Brief } from '../../ports/agent.ts';
import { isProblem } from '../../ports/workspace.ts';
import { attemptLimits, briefVariables, showing } from '../attempt/agent-brief.ts';
import { keepDocuments } from '../attempt/documents.ts';
import { keepDraftBefore } from '../attempt/draft-before.ts';
import { stateOf, workReported } from '../attempt/handed-over-work.ts';
import { promptOf } from '../attempt/prompt-of.ts';
import { readRedacted } from '../attempt/read-redacted.ts';
import { changedInSubmodules } from '../attempt/submodules.ts';
import { watched, watchedSince, workOf } from '../attempt/watched.ts';
import { withWarnings } from '../attempt/with-warnings.ts';
import { findPlace, openPlace } from '../lane/member.ts';
import { type World, workFolder } from '../lane/world.ts';

type Delegate = Extract<Effect, { do: 'delegate' }>;

const TOOL_CHARS_MAX = 200;
const LEARNINGS_MAX = 20;
const LEARNING_CHARS_MAX = 1_000;
const PROGRESS_CHARS_MAX = 100_000;

/**
 * Runs one agent on one task in a fresh process and reads what it answers (R-DEL-1, R-DEL-3, R-DEL-7). Resolves with
 * `undefined` if the task was handed over.
 */
export async function delegate(effect: Delegate, state: RunState, world: World): Promise<RunEvent | undefined> {
  const { task: key, attempt, role } = effect;
  const place = await openPlace(world, key);
  if (isProblem(place)) return notReady(effect, world, place.problem);
  const progress = await world.progress.begin();
  await keepDocuments(state, world, place, key);
  await keepDraftBefore(state, world, { key, attempt });
  const handOver = handOverOf(state, key);
  const hasTools = handOver === undefined && world.agentFor(role, effect.agent).takesTools === true;
  const given = {
    role,
    prompt: await promptOf({ ...effect, hasTools }, state, place),
    workspace: workFolder(place),
    variables: briefVariables(place, { key, role, attempt }),
  };
  if (handOver) {
    await world.watch.handOver(workOf(state, place, { key, attempt, when: 'begin' }));
    // Members of a batch do not write to this file, while their neighbours are recorded in it.
    const kept = progress === undefined || place !== world ? {} : { progress };
    const { token } = handOver.holder;
    await world.handedOver.give(token, {
      ...given,
      prompt: withToken(given.prompt, token),
      ...kept,
      ...stateOf(world),
    });
    return undefined;
  }
  world.proofs.begin({ key, attempt }, world.clock.now(), await changedInSubmodules(place));
  const brief: Brief = {
    ...given,
    tree: place.tree.dir,
    limits: attemptLimits(state, world, role),
    logFile: world.folder.logPath(logOf(effect)),
    signal: world.signal,
    keepLine: countsAgainst(world.admissions),
    ...(hasTools && { shown: await shownBy(place, key) }),
    onEvent: showing(world, place, key),
  };
  const { result, noticed } = await watched(state, place, { key, attempt, when: 'begin' }, () =>
    world.agentFor(role, effect.agent).work(brief),
  );
  return await returned(effect, { outcome: result, noticed, prompt: given.prompt }, place);
}

/** Takes up a task that an earlier process handed over; `undefined` while its agent is at work. */
export async function takeUpTask(handOver: HandOver, state: RunState, world: World): Promise<RunEvent | undefined> {
  const effect = handOver.effect as Delegate;
  const { task: key, attempt } = effect;
  const brief = await world.handedOver.brief(handOver.holder.token);
  if (brief === undefined) return await delegate(effect, state, world);
  const outcome = await world.handedOver.outcome(handOver, brief);
  if (outcome === undefined) return undefined;
  if (outcome.how === 'completed') world.tell(await workReported(handOver, world));
  const place = await findPlace(world, key);
  if (place === undefined) return { type: 'work-lost', task: key, attempt };
  if (brief.progress !== undefined) world.progress.goOn(brief.progress);
  await world.folder.writeRecord(logOf(effect), outcome.answer);
  const noticed = await watchedSince(state, place, { key, attempt, when: 'begin', token: handOver.holder.token });
  return await returned(effect, { outcome, noticed, prompt: brief.prompt }, place);
}

async function returned(
  { task: key, attempt, role, agent }: Delegate,
  {
    outcome,
    noticed,
    prompt,
  }: { readonly outcome: AgentOutcome; readonly noticed: Noticed | undefined; readonly prompt: string },
  place: World,
): Promise<RunEvent> {
  const { how, message, answer, claims, denials = [], learnings = [], usage, durationMs, resetsAt } = outcome;
  const learned = learnings.slice(0, LEARNINGS_MAX).map((text) => oneLine(place.redact(text), LEARNING_CHARS_MAX));
  const { id, block } = place.plan.task(key);
  await place.git.clearLocks(place.tree);
  return {
    type: 'agent-returned',
    task: key,
    attempt,
    how,
    message: place.redact(message),
    answer: readRedacted(answer, place, { role, taskId: id, block, claims }),
    usage,
    durationMs,
    endedAt: place.clock.now(),
    ...(agent === undefined ? {} : { agent }),
    ...(learned.length > 0 && { learned }),
    promptBytes: Buffer.byteLength(prompt),
    ...(resetsAt === undefined ? {} : { resetsAt }),
    ...(denials.length > 0 && { denials: denials.map((tool) => oneLine(place.redact(tool), TOOL_CHARS_MAX)) }),
    ...withWarnings(noticed, outcome, place),
  };
}

/** What the tools of an attempt may show: its own task, and the notes of the run, the newest of them (R-AGT-9). */
async function shownBy({ files, plan, spec }: World, key: string): Promise<NonNullable<Brief['shown']>> {
  const progress = await files.read(spec.progressFile).catch(() => undefined);
  return { task: plan.task(key).block, progress: excerpt(progress ?? '', PROGRESS_CHARS_MAX) };
}

function logOf({ task, attempt }: Delegate): string {
  return `${task}/attempt-${attempt}.log`;
}

/**
 * No attempt can succeed without a worktree that is ready: the run stops, and says what is missing. A run that is being
 * stopped makes none any more, which is no one's fault.
 */
function notReady({ task, attempt }: Delegate, { redact, signal }: World, problem: string): RunEvent {
  const answer = { signal: 'none', excerpt: '' } as const;
  return {
    type: 'agent-returned',
    task,
    attempt,
    how: signal.aborted ? 'cancelled' : 'not-found',
    message: redact(problem),
    answer,
    usage: {},
    durationMs: 0,
  };
}
