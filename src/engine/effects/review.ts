import { deniedBy } from '../../core/agent/structured-claim.ts';
import { countsAgainst } from '../../core/answer/counts-against.ts';
import { excerpt } from '../../core/answer/excerpt.ts';
import { readReview } from '../../core/answer/review.ts';
import { withToken } from '../../core/brief/token-line.ts';
import type { Effect } from '../../core/run/data/effect.ts';
import type { Noted, RunEvent } from '../../core/run/data/event.ts';
import type { HandOver } from '../../core/run/data/hand-over.ts';
import { progressOf, type RunState } from '../../core/run/data/state.ts';
import { stepOf } from '../../core/run/drafts.ts';
import { handOverOf } from '../../core/run/drivers.ts';
import type { Noticed } from '../../core/verify/noticed.ts';
import type { AgentOutcome, Brief } from '../../ports/agent.ts';
import { attemptLimits, briefVariables, showing } from '../attempt/agent-brief.ts';
import { asItIs } from '../attempt/edit-plan.ts';
import { foldAgentCommits } from '../attempt/fold-agent-commits.ts';
import { stateOf, workReported } from '../attempt/handed-over-work.ts';
import { keptRef } from '../attempt/kept-ref.ts';
import { reviewPrompt } from '../attempt/review-prompt.ts';
import { watched, watchedSince, workOf } from '../attempt/watched.ts';
import { withWarnings } from '../attempt/with-warnings.ts';
import { findPlace } from '../lane/member.ts';
import { readIfText } from '../lane/read-if-text.ts';
import { planPath, type World, workFolder } from '../lane/world.ts';

type Review = Extract<Effect, { do: 'review' }>;

const DIFF_BYTES_MAX = 60_000;
const EXCERPT_CHARS_MAX = 2_000;
const NOT_HEARD = { verdict: 'none', findings: { code: [], spec: [] } } as const;

/**
 * Lets a reviewer look at accepted work and reads the verdict; what the reviewer does to the tree is undone (R-VER-7).
 * Resolves with `undefined` if the review was handed over.
 */
export async function review(effect: Review, state: RunState, world: World): Promise<RunEvent | undefined> {
  const { task: key, attempt, round } = effect;
  const place = (await findPlace(world, key)) ?? world;
  world.proofs.forgetStaged({ key, attempt });
  const { notes = [] } = await foldCommits(effect, state, place);
  await keepWork(effect, state, place);
  const given = {
    role: 'reviewer',
    prompt: await reviewPrompt(effect, state, { world, place }),
    workspace: workFolder(place),
    variables: briefVariables(place, { key, role: 'reviewer', attempt: round }),
  } as const;
  const handOver = handOverOf(state, key);
  if (handOver) {
    await world.watch.handOver(workOf(state, place, { key, attempt, when: 'begin' }));
    const { token } = handOver.holder;
    await world.handedOver.give(token, { ...given, prompt: withToken(given.prompt, token), notes, ...stateOf(world) });
    return undefined;
  }
  const brief: Brief = {
    ...given,
    tree: place.tree.dir,
    limits: attemptLimits(state, world, 'reviewer'),
    logFile: world.folder.logPath(logOf(effect)),
    signal: world.signal,
    keepLine: countsAgainst(world.admissions),
    onEvent: showing(world, place, key),
  };
  const { result, noticed } = await watched(state, place, { key, attempt, when: 'begin' }, () =>
    world.agentFor('reviewer', effect.agent).work(brief),
  );
  return await reviewed(effect, { outcome: result, noticed, notes, state }, place);
}

/** Takes up a review that an earlier process handed over; `undefined` while the reviewer is at work. */
export async function takeUpReview(handOver: HandOver, state: RunState, world: World): Promise<RunEvent | undefined> {
  const effect = handOver.effect as Review;
  const { task: key, attempt } = effect;
  const brief = await world.handedOver.brief(handOver.holder.token);
  if (brief === undefined) return await review(effect, state, world);
  const outcome = await world.handedOver.outcome(handOver, brief);
  if (outcome === undefined) return undefined;
  if (outcome.how === 'completed') world.tell(await workReported(handOver, world));
  const place = (await findPlace(world, key)) ?? world;
  await world.folder.writeRecord(logOf(effect), outcome.answer);
  const noticed = await watchedSince(state, place, { key, attempt, when: 'begin', token: handOver.holder.token });
  return await reviewed(effect, { outcome, noticed, notes: brief.notes ?? [], state }, place);
}

interface Finished {
  readonly outcome: AgentOutcome;
  readonly noticed: Noticed | undefined;
  readonly notes: readonly string[];
  readonly state: RunState;
}

async function reviewed(
  effect: Review,
  { outcome, noticed, notes: before, state }: Finished,
  place: World,
): Promise<RunEvent> {
  const { task: key, attempt, round } = effect;
  await place.git.clearLocks(place.tree);
  const notes = [...before, ...(await undoReview(effect, state, place))];
  const { how, message, usage, durationMs, resetsAt } = outcome;
  const answer = place.redact(outcome.answer);
  const read = how === 'completed' ? readReview(answer, place.admissions) : NOT_HEARD;
  const heard = read.verdict === 'pass' && deniedBy(outcome.claims ?? []) ? NOT_HEARD : read;
  return {
    type: 'task-reviewed',
    task: key,
    attempt,
    round,
    how,
    message: place.redact(message),
    ...heard,
    excerpt: excerpt(answer, EXCERPT_CHARS_MAX),
    usage,
    durationMs,
    endedAt: place.clock.now(),
    ...(effect.agent === undefined ? {} : { agent: effect.agent }),
    ...(notes.length > 0 && { notes }),
    ...(resetsAt === undefined ? {} : { resetsAt }),
    ...withWarnings(noticed, outcome, place),
  };
}

function logOf({ task, attempt, round }: Review): string {
  return `${task}/attempt-${attempt}.review-${round}.log`;
}

/** Commits that an agent made become uncommitted changes, so that the work is one change in the tree; records stay commits. */
async function foldCommits({ task: key, attempt }: Review, state: RunState, place: World): Promise<Noted> {
  const { base } = progressOf(state, key);
  if (place.lane.kind !== 'worktree')
    return state.policy.bookkeeping === 'agent' ? {} : await foldAgentCommits(state, place, { key, attempt, base });
  if ((await place.git.inspect(place.tree)).head !== base) await place.git.unwind(place.tree, base);
  return {};
}

/** What the tree holds now, kept under a ref as long as the reviewer is there, and the commit it is on. */
async function keepWork({ task: key, attempt }: Review, state: RunState, { git, tree, spec }: World): Promise<void> {
  const { base } = progressOf(state, key);
  const ref = reviewRef(spec, key, attempt);
  const { head = base } = await git.inspect(tree);
  await git.setRef(startRef(ref), head);
  const order = { ref, base, message: 'specloop: work under review', exclude: state.foreign };
  if ((await git.snapshot(tree, order)) === undefined) await git.setRef(ref, head);
}

/**
 * Undoes what a reviewer did to the tree, also one whose coordinator died in the meantime: then the ref is still there, and what
 * differs is kept under another one, as it may be a person's. Without the ref there is nothing to undo. Returns what was put
 * back in the plan.
 */
export async function undoReview(
  { task: key, attempt }: Pick<Review, 'task' | 'attempt'>,
  state: RunState,
  place: World,
): Promise<readonly string[]> {
  const { git, tree, spec } = place;
  const ref = reviewRef(spec, key, attempt);
  const work = await git.readRef(ref);
  if (work === undefined) return [];
  const { base } = progressOf(state, key);
  const under = { work, start: (await git.readRef(startRef(ref))) ?? base, state, key };
  const kept = { ref: `${ref}-after`, base, message: 'specloop: after the review', exclude: state.foreign };
  let undone: readonly string[] = [];
  if (await isTouched(place, under)) {
    await git.snapshot(tree, kept);
    undone = await putBack(place, under);
  }
  await place.stateFile.repair();
  await git.removeRefs([ref, startRef(ref)]);
  return undone.map(
    (what) => `${spec.format.file}: ${what} It was put back after the review, and is kept under ${kept.ref}.`,
  );
}

interface UnderReview {
  /** The commit that keeps the work, and the one that the tree was on. */
  readonly work: string;
  readonly start: string;
  readonly state: RunState;
  readonly key: string;
}

async function isTouched({ git, tree, ownBranch }: World, { work, start, state }: UnderReview): Promise<boolean> {
  const { head, branch, operation } = await git.inspect(tree);
  if (head !== start || operation !== undefined || branch !== (ownBranch ?? state.branch)) return true;
  const paths = (await git.changedSince(tree, work)).filter((path) => !state.foreign.includes(path));
  // Files that are in no index are among them, changed or not.
  return (await git.diffSince(tree, work, { bytesMax: DIFF_BYTES_MAX, paths })) !== '';
}

async function putBack(world: World, { work, start, state, key }: UnderReview): Promise<readonly string[]> {
  const { git, tree, ownBranch, plan, files } = world;
  const { format } = world.spec;
  const isOfAgent = state.policy.bookkeeping === 'agent' && progressOf(state, key).held === undefined;
  const ticked = isOfAgent ? format.tick(plan.plan, plan.task(key)) : asItIs(plan.plan);
  const known = ticked.ok ? ticked.plan : plan.plan;
  const { text, additions, violations } = format.reconcile(known, await readIfText(files, format.file), {
    own: isOfAgent ? [] : [key],
    isAlone: true,
  });
  await git.restore(tree, { branch: ownBranch ?? state.branch, commit: start, exclude: state.foreign });
  if (work !== start) await git.apply(tree, work);
  // Tasks that a person added in the meantime stay; text in the blocks of others may be the reviewer's (R-SEC-1). A plan that the repository ignores is not part of the kept work.
  const isKept = (await git.fileAt(tree, work, planPath(world))) !== undefined;
  const isInFile = stepOf(state, key) === undefined; // The steps of planning are in none.
  if (isInFile && (additions.length > 0 || !isKept)) await files.write(format.file, text);
  return violations;
}

function startRef(ref: string): string {
  return `${ref}-start`;
}

function reviewRef(spec: World['spec'], key: string, attempt: number): string {
  return `${keptRef(spec, { key, attempt })}-review`;
}
