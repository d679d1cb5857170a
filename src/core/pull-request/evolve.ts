import { instantMs } from '../instant.ts';
import { oneLine, sanitise } from '../text/sanitise.ts';
import type { PullRequestEnding } from './ending.ts';
import type { PullRequestEvent, PullRequestEventOf } from './event.ts';
import { beforeFirstStep, type PullRequestState } from './state.ts';

type Fold<E> = (state: PullRequestState, event: E, timing: Timing) => PullRequestState;

interface Timing {
  readonly intervalMs: number;
}

const TROUBLE_MS = { first: 60_000, max: 900_000 };
const UNPROVED_MAX = 3;
const OUTPUT_CHARS_MAX = 2_000;
const MESSAGE_CHARS_MAX = 500;

/** Folds an event into the lifecycle's own state; what it does to plan and branch is folded by the run. */
export function evolvePullRequest(
  before: PullRequestState | undefined,
  event: PullRequestEvent,
  timing: Timing,
): PullRequestState {
  const nowMs = instantMs(event.at);
  const { underWay: _done, ...state } = { sinceMs: nowMs, ...(before ?? beforeFirstStep), nowMs };
  return (FOLDS[event.type] as Fold<PullRequestEvent>)(state, event, timing);
}

/** Whether an event is one of the lifecycle's. */
export function isOfPullRequest(event: { readonly type: string }): event is PullRequestEvent {
  return Object.hasOwn(FOLDS, event.type);
}

const FOLDS: { readonly [T in PullRequestEvent['type']]: Fold<PullRequestEventOf<T>> } = {
  'branch-pushed': pushed,
  'push-refused': refused,
  'branch-compared': compared,
  'pull-request-opened': (state, { pullRequest: { number, url }, isNew }, timing) => ({
    ...(isNew ? pauseForChecks(state, timing) : state),
    pullRequest: { number, url },
  }),
  'pull-request-seen': (state, { type: _type, at: _at, ...seen }) => ({
    ...state,
    seen,
    troubles: 0,
    answered: new Set(),
    rerun: new Set([...state.rerun].filter((entry) => !entry.startsWith(NOW))),
  }),
  'check-rerun': (state, { check, isRunning }) => ({
    ...state,
    rerun: new Set([...state.rerun, `${state.pushed} ${check}`, ...(isRunning ? [`${NOW}${check}`] : [])]),
  }),
  'base-merged': baseMerged,
  'tasks-planned': (state) => {
    const { merging: _merged, ...rest } = unseen(state);
    return rest;
  },
  'comment-answered': (state, { to }) => ({
    ...state,
    answered: new Set([...state.answered, to.kind === 'thread' ? to.comment : to.review]),
  }),
  'lifecycle-recorded': (state, { head }) => ({ ...state, recorded: head, unproved: 0 }),
  'lifecycle-unproved': unproved,
  'forge-failed': forgeFailed,
};

/** Before the name of a check that was run again since the newest look. */
export const NOW = 'now ';

/** The state without the newest look, which does not show any more what there is. */
function unseen({ seen: _seen, ...state }: PullRequestState): PullRequestState {
  return state;
}

/** A merge that leaves the plan in conflict can plan no task; a person merges. */
function baseMerged(
  state: PullRequestState,
  { base, theirs, commit, conflicts, isPlanInConflict }: PullRequestEventOf<'base-merged'>,
): PullRequestState {
  if (!isPlanInConflict) return { ...state, merging: { base, theirs, commit, conflicts } };
  return end(
    state,
    'waiting',
    `The pull request is in conflict with ${base}, and the plan is one of the files: ${conflicts.join(', ')}. Merge ${base} yourself (git merge), then run specloop pr.`,
  );
}

/** Checks need time to begin and to end. */
function pauseForChecks(state: PullRequestState, { intervalMs }: Timing): PullRequestState {
  return { ...unseen(state), pause: { untilMs: state.nowMs + intervalMs, why: 'checks' } };
}

function pushed(state: PullRequestState, { commit, isNew }: PullRequestEventOf<'branch-pushed'>, timing: Timing) {
  const after = { ...unseen(state), pushed: commit, isBehind: false, troubles: 0 };
  if (!isNew) return { ...after, pushedAtMs: state.pushedAtMs ?? state.nowMs };
  return pauseForChecks({ ...after, pushedAtMs: state.nowMs, waits: 0 }, timing);
}

const REFUSED: {
  readonly [C in Exclude<PullRequestEventOf<'push-refused'>['cause'], 'behind' | 'unreachable'>]: PullRequestEnding;
} = {
  protected: {
    result: 'waiting',
    reason: 'The branch is protected: the remote accepts no push to it. Work on another branch, or change the rule.',
  },
  hook: { result: 'stuck', reason: 'ERROR: A hook refused the push. Fix what it asks for, then run specloop pr.' },
  denied: {
    result: 'waiting',
    reason:
      'The remote refused the push: no rights, or not signed in. Sign in (gh auth setup-git), then run specloop pr.',
  },
  other: { result: 'stuck', reason: 'ERROR: The push failed. Find out why (git push), then run specloop pr.' },
};

function refused(state: PullRequestState, { cause, output }: PullRequestEventOf<'push-refused'>): PullRequestState {
  if (cause === 'behind') return { ...state, isBehind: true };
  if (cause === 'unreachable') return troubled(state, undefined);
  const { result, reason } = REFUSED[cause];
  return end(state, result, `${reason}\n${sanitise(output.trim()).slice(-OUTPUT_CHARS_MAX)}`);
}

/** R-PR-11: what others added is taken in; a branch that was rewritten needs a person. */
function compared(
  state: PullRequestState,
  { relation, head, output = '' }: PullRequestEventOf<'branch-compared'>,
  timing: Timing,
): PullRequestState {
  const after = { ...state, isBehind: false };
  const said = output === '' ? '' : `\n${sanitise(output.trim()).slice(-OUTPUT_CHARS_MAX)}`;
  switch (relation) {
    case 'same':
      return pauseForChecks(after, timing);
    case 'ahead':
      return pauseForChecks({ ...after, pushed: head, pushedAtMs: state.nowMs, waits: 0 }, timing);
    case 'merged':
      return unseen(after);
    case 'blocked':
      return end(
        after,
        'waiting',
        `Somebody pushed to the branch, and their commits cannot be taken in here. Bring them in (git pull), then run specloop pr.${said}`,
      );
    case 'rewritten':
      return end(
        after,
        'waiting',
        `Somebody rewrote the branch on the remote: ${head.slice(0, 8)} does not contain what was pushed. Nothing was overwritten. Decide which commits to keep, then run specloop pr.`,
      );
    case 'gone':
      return end(
        after,
        'waiting',
        'Somebody deleted the branch on the remote. Push it (git push), then run specloop pr.',
      );
  }
}

function unproved(
  state: PullRequestState,
  event: PullRequestEventOf<'lifecycle-unproved'>,
  timing: Timing,
): PullRequestState {
  const count = state.unproved + 1;
  const said = sanitise(event.output.trim()).slice(-OUTPUT_CHARS_MAX);
  if (count >= UNPROVED_MAX)
    return end(
      state,
      'stuck',
      `ERROR: Everything holds that task ${event.task} speaks of, but its Verify command failed ${count} times: ${event.command}\n${said}`,
    );
  return pauseForChecks({ ...state, unproved: count }, timing);
}

function forgeFailed(
  state: PullRequestState,
  { trouble, message, retryAt }: PullRequestEventOf<'forge-failed'>,
): PullRequestState {
  const said = oneLine(message, MESSAGE_CHARS_MAX);
  switch (trouble) {
    case 'limited':
    case 'unavailable':
      return troubled(state, retryAt);
    case 'missing':
    case 'signed-out':
    case 'denied':
    case 'gone':
    case 'refused':
      return end(state, 'waiting', said);
    case 'not-understood':
      return end(state, 'stuck', `ERROR: ${said}`);
  }
}

/** A wait that doubles, for what passes by itself. */
function troubled(state: PullRequestState, retryAt: string | undefined): PullRequestState {
  const forMs = Math.min(TROUBLE_MS.first * 2 ** state.troubles, TROUBLE_MS.max);
  const untilMs = Math.max(retryAt === undefined ? 0 : instantMs(retryAt), state.nowMs + forMs);
  return { ...unseen(state), troubles: state.troubles + 1, pause: { untilMs, why: 'trouble' } };
}

function end(state: PullRequestState, result: PullRequestEnding['result'], reason: string): PullRequestState {
  return { ...state, ended: { result, reason } };
}
