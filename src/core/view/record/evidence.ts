import type { Role } from '../../agent/role.ts';
import { problemCounts } from '../../planning/draft-problem.ts';
import type { AgentReport, Envelope, EventOf, RunEvent } from '../../run/data/event.ts';
import type { Holder } from '../../run/data/hand-over.ts';
import type { Remark, ReviewStatus, RunState, TaskProgress } from '../../run/data/state.ts';
import { evolve } from '../../run/evolve.ts';
import { judgedOf } from '../../run/judged-of.ts';
import { unreachable } from '../../unreachable.ts';
import type { Evidence } from '../../verify/evidence.ts';
import type { Layer } from '../../verify/failure.ts';
import { judge, type LayerResult } from '../../verify/judge.ts';
import { leftText } from '../sentences/attempt-sentences.ts';
import { sentence } from '../sentences/sentence.ts';

/** What the journal of a run tells about one task (R-VER-9). Plain data, the same for the same journal. */
export interface TaskEvidence {
  readonly spec: string;
  readonly run: string;
  readonly key: string;
  readonly id: string;
  readonly title: string;
  /** The commit that records the task, once it is done. */
  readonly commit?: string;
  /** Oldest first; an attempt that a usage limit cut short is listed with its repetition. */
  readonly attempts: readonly AttemptEvidence[];
  /** How the lifecycle of the pull request found the task to be done, which no agent gets (R-PR-9). */
  readonly lifecycle?: LifecycleEvidence;
}

export interface LifecycleEvidence {
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Address of the pull request. */
  readonly url: string;
  /** The commit that was looked at, and the checks that had passed there. */
  readonly head: string;
  readonly passed: readonly string[];
  /** Its own command, which passed, and the end of what it printed. */
  readonly command?: string;
  readonly output?: string;
}

export interface AttemptEvidence {
  readonly attempt: number;
  readonly role: Role;
  /** The commit it began at. */
  readonly base: string;
  /** ISO 8601 in UTC. */
  readonly beganAt: string;
  /** Set if the agent was not run by specloop, which could then not contain its process: who had it run, and, once it is there, how its answer came (R-SES-3). */
  readonly elsewhere?: { readonly driver: string; readonly answer?: 'relayed' | 'helper' };
  /** What the agent said; absent while it works, or when nothing came back. */
  readonly claimed?: ClaimEvidence;
  /** What was measured, the newest time it was checked. */
  readonly measured?: Evidence;
  /** The layers that were looked at, in their order. Layers after one that failed were not. */
  readonly layers: readonly LayerResult[];
  readonly outcome: AttemptOutcome;
  /** Ref under which the work of the failed attempt is kept (R-RETRY-4). */
  readonly kept?: string;
  /** What the coordinator put right, and what else happened, in sentences. */
  readonly notes: readonly string[];
}

export interface ClaimEvidence extends AgentReport {
  readonly signal: 'positive' | 'negative' | 'none';
  readonly admission?: string;
  readonly excerpt: string;
}

export type AttemptOutcome =
  | { readonly is: 'under-way' }
  /** `review` tells how its review ended, unless it passed or was not due; `remarks` what its proof lacks (R-VER-7, R-VER-11). */
  | { readonly is: 'accepted'; readonly review?: ReviewStatus; readonly remarks?: readonly Remark[] }
  /** Recorded without a verdict on it: its parts are tasks of their own (R-MOD-3). */
  | { readonly is: 'split' }
  | { readonly is: 'rejected'; readonly layer: Layer; readonly reason: string }
  /** It was cut short without the task's doing. */
  | { readonly is: 'not-counted'; readonly reason: string };

/** What the envelopes of a run tell about one task; `undefined` if it was not begun in it. */
export function taskEvidence(envelopes: Iterable<Envelope>, key: string): TaskEvidence | undefined {
  let state: RunState | undefined;
  let evidence: TaskEvidence | undefined;
  for (const envelope of envelopes) {
    state = evolve(state, envelope.event);
    if (concerns(envelope.event, key)) evidence = witness(evidence, envelope, { key, after: state });
  }
  return evidence;
}

/** What the envelopes of a run tell about each task that was begun in it, by key. */
export function evidenceInRun(envelopes: Iterable<Envelope>): ReadonlyMap<string, TaskEvidence> {
  const found = new Map<string, TaskEvidence>();
  let state: RunState | undefined;
  for (const envelope of envelopes) {
    const { event } = envelope;
    state = evolve(state, event);
    const began = event.type === 'lifecycle-recorded' ? event.done.map(({ task }) => task) : [];
    const key = subjectOf(event);
    for (const task of new Set([...found.keys(), ...began, ...(key === undefined ? [] : [key])])) {
      const evidence = concerns(event, task)
        ? witness(found.get(task), envelope, { key: task, after: state })
        : undefined;
      if (evidence !== undefined) found.set(task, evidence);
    }
  }
  return found;
}

/** The task an event is about; `undefined` if it is about the run. */
export function subjectOf(event: RunEvent): string | undefined {
  if (event.type === 'effect-started') return 'task' in event.effect ? event.effect.task : undefined;
  return 'task' in event ? event.task : undefined;
}

/** A resumed run may tell something about every task that was under way, the end of a batch about each of its members. */
function concerns(event: RunEvent, key: string): boolean {
  if (event.type === 'lifecycle-recorded') return event.done.some(({ task }) => task === key);
  return event.type === 'run-resumed' || event.type === 'batch-closed' || subjectOf(event) === key;
}

/** Adds what one envelope tells about the task; `after` is the state after it. */
export function witness(
  before: TaskEvidence | undefined,
  envelope: Envelope,
  of: { readonly key: string; readonly after: RunState },
): TaskEvidence | undefined {
  const { event } = envelope;
  if (event.type === 'effect-started' && event.effect.do === 'delegate')
    return began(before, envelope, { ...of, effect: event.effect, holder: event.holder });
  if (event.type === 'lifecycle-recorded') return done(event, envelope, of) ?? before;
  const attempt = before?.attempts.at(-1);
  if (before === undefined || attempt === undefined) return before;
  const { commit: known, ...rest } = before;
  const commit = isBroken(event, of.key) ? undefined : (commitOf(event, of.key) ?? known);
  const told = tell(attempt, envelope, of);
  return { ...rest, ...(commit === undefined ? {} : { commit }), attempts: [...before.attempts.slice(0, -1), told] };
}

/** A task that the lifecycle of the pull request did. */
function done(
  { done: proofs, head: commit }: EventOf<'lifecycle-recorded'>,
  { spec, run, at }: Envelope,
  { key, after }: { readonly key: string; readonly after: RunState },
): TaskEvidence | undefined {
  const proof = proofs.find(({ task }) => task === key);
  if (proof === undefined) return undefined;
  const task = after.tasks.find((candidate) => candidate.key === key);
  const { seen, pullRequest, pushed = '' } = after.pullRequest ?? {};
  const passed = (seen?.checks ?? []).filter(({ state }) => state === 'passed').map(({ name }) => name);
  const { command, output } = proof;
  const told = { ...(command === undefined ? {} : { command }), ...(output === undefined ? {} : { output }) };
  return {
    spec,
    run,
    key,
    id: task?.id ?? key,
    title: task?.title ?? '',
    commit,
    attempts: [],
    lifecycle: { at, url: pullRequest?.url ?? '', head: pushed, passed, ...told },
  };
}

/** Whether a task that was recorded is open again, since it broke the proof of a neighbour (R-PAR-5). */
export function isBroken(event: RunEvent, key: string): boolean {
  return event.type === 'batch-closed' && event.broken.some(({ task }) => task === key);
}

function began(
  before: TaskEvidence | undefined,
  { spec, run, at }: Envelope,
  {
    key,
    after,
    effect,
    holder,
  }: {
    readonly key: string;
    readonly after: RunState;
    readonly holder: Holder | undefined;
    readonly effect: Extract<EventOf<'effect-started'>['effect'], { do: 'delegate' }>;
  },
): TaskEvidence {
  const task = after.tasks.find((candidate) => candidate.key === key);
  const { attempt, role, base } = effect;
  return {
    spec,
    run,
    key,
    id: task?.id ?? key,
    title: task?.title ?? '',
    attempts: [
      ...(before?.attempts ?? []),
      {
        attempt,
        role,
        base,
        beganAt: at,
        ...(holder && { elsewhere: { driver: holder.driver } }),
        layers: [],
        outcome: { is: 'under-way' },
        notes: [],
      },
    ],
  };
}

function commitOf(event: RunEvent, key: string): string | undefined {
  if (event.type === 'task-committed') return event.commit;
  if (event.type === 'draft-recorded') return event.commit ?? event.head;
  return event.type === 'run-resumed' && event.recorded?.task === key ? event.recorded.commit : undefined;
}

function tell(
  attempt: AttemptEvidence,
  envelope: Envelope,
  { key, after }: { readonly key: string; readonly after: RunState },
): AttemptEvidence {
  const { event } = envelope;
  const told = {
    ...attempt,
    outcome: commitOf(event, key) === undefined ? outcome(attempt, after.progress.get(key)) : recorded(after, key),
  };
  switch (event.type) {
    case 'work-reported':
      return attempt.claimed
        ? told
        : { ...told, elsewhere: { driver: event.driver, answer: event.by === 'helper' ? 'helper' : 'relayed' } };
    case 'agent-returned':
      return {
        ...told,
        claimed: claimedBy(event),
        layers: claimLayers(event),
        notes: [...told.notes, ...(event.noticed?.concerns ?? [])],
      };
    case 'task-checked':
      return {
        ...told,
        measured: event.evidence,
        layers: [...told.layers.filter(isOfClaim), ...measuredLayers(event, after)],
      };
    case 'task-reviewed':
      return { ...told, layers: [...told.layers, reviewLayer(event)] };
    case 'task-committed':
      return {
        ...told,
        layers: [...told.layers, { layer: 'commit', result: 'passed', detail: `Recorded in commit ${event.commit}.` }],
        notes: [...told.notes, ...(event.left ? [`${event.task}: ${leftText(event.left)}.`] : [])],
      };
    case 'commit-refused':
      return { ...told, layers: [...told.layers, { layer: 'commit', result: 'failed', detail: event.output }] };
    case 'work-set-aside':
    case 'questions-asked':
      return {
        ...told,
        ...(event.kept ? { kept: event.kept.ref } : {}),
        notes: [...told.notes, ...event.repaired.map((what) => `Put back: ${what}`)],
      };
    case 'merge-conflicted':
    case 'merge-rejected':
      return { ...told, layers: [...told.layers, mergeLayer(told)] };
    case 'batch-closed':
      return isBroken(event, key) ? reopened(told, after.progress.get(key)) : told;
    case 'draft-checked':
      return { ...told, layers: [...told.layers.filter(isOfClaim), draftLayer(event, after)] };
    case 'work-held':
    case 'fix-planned':
    case 'plan-modified':
    case 'modification-refused':
      return { ...told, notes: [...told.notes, sentence(envelope, after) ?? ''] };
    default:
      return told;
  }
}

/** What the checks of a document say (R-PLAN-5). */
function draftLayer({ task, problems }: EventOf<'draft-checked'>, after: RunState): LayerResult {
  const at = after.progress.get(task);
  const counts = problemCounts(problems);
  return at?.at === 'failed'
    ? { layer: at.failure.layer, result: 'failed', detail: at.failure.text }
    : { layer: 'draft', result: 'passed', detail: `The checks found ${counts === '' ? 'no problem' : counts}.` };
}

function claimedBy({ how, message, usage, durationMs, resetsAt, answer }: EventOf<'agent-returned'>): ClaimEvidence {
  const { signal, admission, excerpt } = answer;
  return {
    how,
    message,
    usage,
    durationMs,
    ...(resetsAt === undefined ? {} : { resetsAt }),
    signal,
    ...(admission === undefined ? {} : { admission }),
    excerpt,
  };
}

function isOfClaim({ layer }: LayerResult): boolean {
  return layer === 'signal' || layer === 'contradiction';
}

/** Layers 1 and 2, which are read off the answer (R-VER-1, R-VER-2). */
function claimLayers({ how, answer }: EventOf<'agent-returned'>): readonly LayerResult[] {
  if (how !== 'completed') return [];
  const { signal, missing, admission, request, undone } = answer;
  if (signal === 'negative') return [{ layer: 'signal', result: 'failed', detail: 'The answer says that it failed.' }];
  if (signal === 'none') {
    return request === undefined
      ? [{ layer: 'signal', result: 'failed', detail: missing ?? 'The answer has no signal.' }]
      : [{ layer: 'signal', result: 'skipped', detail: 'The answer asks for a change to the plan.' }];
  }
  const contradiction: LayerResult =
    admission === undefined
      ? { layer: 'contradiction', result: 'passed', detail: 'The answer admits no failure.' }
      : { layer: 'contradiction', result: 'failed', detail: admission };
  const claim: LayerResult =
    undone === undefined || admission !== undefined
      ? { layer: 'signal', result: 'passed', detail: 'The answer claims completion.' }
      : { layer: 'signal', result: 'failed', detail: `The answer leaves undone: ${undone}` };
  return [claim, contradiction];
}

/** Layers 3 to 6, as they were judged. */
function measuredLayers({ task, evidence }: EventOf<'task-checked'>, after: RunState): readonly LayerResult[] {
  const progress = after.progress.get(task);
  return progress?.at === 'accepted' ? progress.verdict.layers : judge(evidence, judgedOf(after, task)).layers;
}

function reviewLayer({ verdict, round, findings, excerpt }: EventOf<'task-reviewed'>): LayerResult {
  const found = [...findings.code, ...findings.spec].join('\n');
  switch (verdict) {
    case 'pass':
      return { layer: 'review', result: 'passed', detail: `Round ${round}.${found === '' ? '' : ` ${found}`}` };
    case 'fail':
      return { layer: 'review', result: 'failed', detail: `Round ${round}. ${found === '' ? excerpt : found}` };
    case 'none':
      return { layer: 'review', result: 'skipped', detail: `Round ${round}. The reviewer gave no verdict.` };
    default:
      return unreachable(verdict);
  }
}

/** A merge that failed, with the reason that the state has for it. */
function mergeLayer({ outcome }: AttemptEvidence): LayerResult {
  return { layer: 'merge', result: 'failed', detail: 'reason' in outcome ? outcome.reason : '' };
}

/** An attempt that was recorded and is rejected after all, when its batch is checked as a whole (R-PAR-5). */
function reopened(attempt: AttemptEvidence, progress: TaskProgress | undefined): AttemptEvidence {
  const reason = progress?.failures.at(-1)?.failure.text ?? '';
  return {
    ...attempt,
    layers: [...attempt.layers, { layer: 'merge', result: 'failed', detail: reason }],
    outcome: { is: 'rejected', layer: 'merge', reason },
  };
}

function recorded({ splits, reviews, remarks }: RunState, key: string): AttemptOutcome {
  if ([...splits.values()].includes(key)) return { is: 'split' };
  const review = reviews.get(key)?.status;
  const found = remarks.get(key);
  return {
    is: 'accepted',
    ...(review === undefined ? {} : { review }),
    ...(found === undefined ? {} : { remarks: found }),
  };
}

function outcome(before: AttemptEvidence, progress: TaskProgress | undefined): AttemptOutcome {
  if (progress === undefined) return before.outcome;
  switch (progress.at) {
    case 'failed':
    case 'SETTING-ASIDE': {
      const { layer, text } = progress.failure;
      return progress.blame === 'task' ? { is: 'rejected', layer, reason: text } : { is: 'not-counted', reason: text };
    }
    case 'faulted':
    case 'HOLDING':
      if (progress.awaits) return { is: 'under-way' };
      return { is: 'rejected', layer: progress.failure.layer, reason: progress.failure.text };
    case 'WORKING':
    case 'requested':
    case 'MODIFYING':
    case 'returned':
    case 'CHECKING':
    case 'accepted':
    case 'REVIEWING':
    case 'COMMITTING':
    case 'awaiting':
      return { is: 'under-way' };
    case 'waiting':
    case 'PAUSED':
    case 'wants-fix':
    case 'PLANNING-FIX':
    case 'blocked':
    case 'asking':
    case 'gave-up':
      return before.outcome;
    default:
      return unreachable(progress);
  }
}
