import type { AgentEnd } from '../agent/agent-end.ts';
import { instantMs } from '../instant.ts';
import type { Failure } from '../verify/failure.ts';
import { judge } from '../verify/judge.ts';
import { endedAtOnce, noteAtOnce, noteWork } from './at-once.ts';
import { endBatch, leave, noteRecord } from './batch.ts';
import { noteLimit, noteTime } from './choose-agent.ts';
import { type AgentClaim, claimFailure, contradicts } from './claim.ts';
import type { AgentReport, EventOf } from './data/event.ts';
import { roleOf } from './data/role-of.ts';
import type { MetLimit } from './data/service-trouble.ts';
import { type AtStage, type Blame, progressOf, type RunState, type TaskProgress, taskOf } from './data/state.ts';
import { isTopic, stepRecorded, withStepDone } from './drafts.ts';
import { judgedOf } from './judged-of.ts';
import { begun, begunOf, expectAt, fail, move } from './moves.ts';
import { isAnswered, questionIn } from './question.ts';
import { askedInVain, asksText, newQuestions, questionsIn, withReusedIds } from './questions.ts';
import { remarksOf } from './remark.ts';
import { afterFailure } from './retry.ts';
import { waitForLimit, waitForService } from './service.ts';

/** Ends that are not the task's doing (R-DEL-7). */
const BLAME: Partial<Record<AgentEnd, Blame>> = {
  cancelled: 'stop',
  'rate-limited': 'limit',
  overloaded: 'service',
  'over-budget': 'budget',
  unauthenticated: 'setup',
  'not-found': 'setup',
};

/** Layers 1 and 2: an agent that did not complete, gave no signal or admits a failure is not looked at further (R-VER-1, R-VER-2). */
export function agentReturned(state: RunState, event: EventOf<'agent-returned'>): RunState {
  const { task, how, message, answer } = event;
  const broken = brokenBy(event);
  const asked = questionsIn(event);
  const known = notice(learn(spend(limited(state, event), event), event), event);
  const after = asked === undefined ? known : withReusedIds(known, task, asked);
  const inVain = asked && askedInVain(noteWork(after), task, asked);
  if (inVain) return inVain;
  const questions = asked && newQuestions(after, asked);
  const question = questions ? asksText(questions) : questionIn(event);
  const blame = BLAME[how] ?? (question === undefined ? 'task' : 'person');
  if (question !== undefined && isAnswered(progressOf(state, task), question))
    return fail(noteWork(after), task, { layer: 'signal', text: `ASKED AGAIN: ${question}` });
  if (blame !== 'task') {
    const text = [question ?? message, ...broken].join('\n');
    const failure: Failure = { layer: how === 'cancelled' ? 'interrupted' : 'agent', text };
    const stopped = NONE_BEGINS.has(blame) ? endBatch(after, task) : after;
    return move(uncounted(stopped, task, blame), task, {
      ...begun(after, task),
      at: 'failed',
      failure,
      blame,
      ...(blame === 'limit' && { limit: metLimit(event) }),
      ...(question !== undefined && { question }),
      ...(questions && { questions }),
    });
  }
  if (
    how === 'completed' &&
    answer.request !== undefined &&
    taskOf(state, task).step === undefined &&
    broken.length === 0 &&
    !contradicts(event) &&
    !leavesUndone(answer)
  )
    return move(endBatch(noteWork(after), task), task, { ...begun(after, task), at: 'requested', answer });
  const note = broken.map((line) => `\n${line}`).join('');
  if (how === 'context-overflow') return judgeClaim(withShorterPrompt(after, event), event, note);
  if (isAtOnce(event)) return atOnce(judgeClaim(after, event, note), task);
  const judged = judgeClaim(noteWork(after), event, note);
  if (broken.length === 0 || progressOf(judged, task).at === 'failed') return judged;
  return fail(noteWork(after), task, { layer: 'integrity', text: broken.join('\n') });
}

/** While the run is about to stop for one of these, no further member of a batch begins (R-AGT-4, R-AGT-6). */
const NONE_BEGINS: ReadonlySet<Blame> = new Set(['setup', 'person', 'budget']);
const UNCOUNTED: ReadonlySet<Blame> = new Set(['limit', 'service', 'person', 'budget', 'stop']);

/** An attempt that was cut short by what is not its doing does not count towards the limit of the run either (R-RETRY-2, R-AGT-3). */
function uncounted(state: RunState, key: string, blame: Blame): RunState {
  const isTriedOut = blame === 'service' && waitForService(progressOf(state, key)) === undefined;
  if (!UNCOUNTED.has(blame) || isTriedOut) return state;
  return { ...state, globalIteration: state.globalIteration - 1 };
}

/** The state that knows the time, and which agent is at a usage limit until when, if one met it. */
function limited(state: RunState, event: EventOf<'agent-returned'>): RunState {
  const now = noteTime(state, metLimit(event).atMs);
  if (event.how !== 'rate-limited') return now;
  const wait = waitForLimit(now, progressOf(now, event.task), metLimit(event));
  return wait.waits ? noteLimit(now, event, wait.pause) : now;
}

/** What an agent that met a usage limit tells of it. */
export function metLimit({ resetsAt, endedAt }: Pick<AgentReport, 'resetsAt' | 'endedAt'>): MetLimit {
  return { resetsAt, atMs: endedAt === undefined ? undefined : instantMs(endedAt) };
}

/** The next attempt gets at most half of the prompt that was too long for the model (R-AGT-4). */
function withShorterPrompt(state: RunState, { task, promptBytes }: EventOf<'agent-returned'>): RunState {
  if (promptBytes === undefined) return state;
  return move(state, task, { ...progressOf(state, task), promptBytesMax: Math.floor(promptBytes / 2) });
}

/** Nothing that could be read was said, in next to no time. */
function isAtOnce(event: EventOf<'agent-returned'>): boolean {
  const { signal, report, request } = event.answer;
  return endedAtOnce(event) && signal === 'none' && report === undefined && request === undefined;
}

function atOnce(state: RunState, task: string): RunState {
  return move(state, task, { ...expectAt(state, task, 'failed'), atOnce: true });
}

/** A task with a follow-up is done itself, so that nothing of it may be left undone; one that is split or waits may (R-VER-10). */
function leavesUndone({ undone, request }: EventOf<'agent-returned'>['answer']): boolean {
  return undone !== undefined && request !== undefined && 'type' in request && request.type === 'ADD_FOLLOWUP';
}

/** What an agent learned outlasts its attempt, however that ends (R-AGT-9). */
function learn(state: RunState, { task, learned = [] }: EventOf<'agent-returned'>): RunState {
  if (learned.length === 0) return state;
  const all = [...(state.learned.get(task) ?? []), ...learned];
  return { ...state, learned: new Map(state.learned).set(task, all) };
}

/** What was noticed around the agent's work goes on to the verdict: the reviewer is told (R-VER-14). */
function notice(state: RunState, { task, noticed }: EventOf<'agent-returned'>): RunState {
  if (noticed === undefined || noticed.concerns.length === 0) return state;
  return move(state, task, { ...progressOf(state, task), noticed: noticed.concerns });
}

/** An agent may not change what judges its work, nor what is the user's: it was put back, and the attempt fails (R-VER-14). */
function brokenBy({ noticed }: EventOf<'agent-returned'>): readonly string[] {
  const violations = noticed?.violations ?? [];
  return violations.length === 0 ? [] : [`INTEGRITY: ${violations.join('\n')}`];
}

/** Adds up what was spent (R-DEL-8). */
export function spend(state: RunState, { usage }: Pick<EventOf<'agent-returned'>, 'usage'>): RunState {
  const { costUsd, tokens, isCostEstimated = usage.isCostEstimated } = state.spent;
  return {
    ...state,
    spent: {
      ...(isCostEstimated && { isCostEstimated }),
      costUsd: costUsd + (usage.costUsd ?? 0),
      tokens: tokens + (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0),
    },
  };
}

/** Takes the claim as made, or names the layer that it fails. `note` is added to the failure. */
export function judgeClaim(state: RunState, claim: AgentClaim & { readonly task: string }, note = ''): RunState {
  const failure = claimFailure(claim, roleOf(taskOf(state, claim.task)));
  if (failure) return fail(state, claim.task, { ...failure, text: `${failure.text}${note}` });
  return move(state, claim.task, { ...begun(state, claim.task), at: 'returned', answer: claim.answer });
}

/** Layers 3 to 6. */
export function checked(state: RunState, { task, evidence }: EventOf<'task-checked'>): RunState {
  const progress = expectAt(state, task, 'CHECKING');
  const measured = judge(evidence, judgedOf(state, task));
  if (measured.failure) return fail(state, task, measured.failure);
  const verdict = { ...measured, concerns: [...(progress.noticed ?? []), ...measured.concerns] };
  return move(state, task, { ...begunOf(progress), at: 'accepted', answer: progress.answer, verdict });
}

/** The task is ticked and committed: done. What waited for it goes on. */
export function recorded(
  state: RunState,
  key: string,
  { commit, head }: { readonly commit: string; readonly head: string },
): RunState {
  if (taskOf(state, key).step !== undefined) return stepRecorded(state, key, head);
  const { review } = progressOf(state, key);
  const progress = new Map(state.progress);
  progress.delete(key);
  const learned = new Map(state.learned);
  learned.delete(key);
  for (const [other, blocked] of progress) {
    if (blocked.at === 'blocked' && blocked.by === key) progress.set(other, unblock(blocked, head));
  }
  const before = progressOf(state, key);
  const uncovered = ('verdict' in before && before.verdict.uncovered) || [];
  const remarks = remarksOf(state, key);
  const isNoteworthy = review.status !== undefined && review.status !== 'passed';
  return {
    ...noteRecord(state, key, commit),
    tasks: state.tasks.map((task) => (task.key === key ? { ...task, checked: true } : task)),
    progress,
    learned,
    tip: head,
    foreign: [...new Set([...state.foreign, ...uncovered])],
    tests: { ...state.tests, unseen: key },
    carried: { ...state.carried, unnamed: { id: key, commit } },
    reviews: isNoteworthy
      ? new Map(state.reviews).set(key, { status: review.status, findings: review.findings })
      : state.reviews,
    remarks: remarks.length > 0 ? new Map(state.remarks).set(key, remarks) : state.remarks,
  };
}

/** After its fix a claim is checked again; without a claim the task is tried again (R-REC-6, R-VER-7). */
export function unblock(blocked: AtStage<'blocked'>, head: string): TaskProgress {
  const { answer } = blocked;
  const again = { ...begunOf(blocked), base: head };
  return answer ? { ...again, at: 'returned', answer } : { ...again, at: 'waiting', attempt: blocked.attempt + 1 };
}

/** The work of an attempt is kept, and its task goes on, waits, or asks (R-RETRY-4, R-ASK-1). */
export function setAside(state: RunState, { task, kept }: EventOf<'work-set-aside' | 'questions-asked'>): RunState {
  const progress = expectAt(state, task, 'SETTING-ASIDE');
  const known = kept?.commit === undefined ? state : { ...state, kept: new Map(state.kept).set(kept.ref, kept.commit) };
  // An attempt that left work has worked, however short it was.
  const noted = progress.atOnce ? (kept ? noteWork(known) : noteAtOnce(known)) : known;
  const after = afterFailure(state, task, { progress, ...(kept ? { kept } : {}) });
  // A member that was interrupted did not fail: it keeps its place, so that history follows the plan (R-PAR-3).
  const keepsPlace = (progress.cutOff || progress.blame === 'stop') && after.at === 'waiting';
  const left = keepsPlace ? noted : leave(noted, task);
  // What one topic of research did not bring is missing in the document, and said there.
  const isTriedOut = after.at === 'gave-up' && after.result === 'stuck' && progress.blame === 'task';
  return isTriedOut && isTopic(state, task) ? withStepDone(left, task) : move(left, task, after);
}
