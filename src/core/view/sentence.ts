import type { Effect } from '../run/effect.ts';
import type { Envelope, RunEvent } from '../run/event.ts';
import type { Pause } from '../run/pause.ts';
import type { RunState } from '../run/state.ts';
import { counted, durationText, shortHash } from '../text/words.ts';
import { unreachable } from '../unreachable.ts';
import {
  agentSentence,
  asideSentence,
  checkAgainSentence,
  checkSentence,
  doneSentence,
  inserted,
  leftText,
  rejection,
  reported,
  reviewSentence,
} from './attempt-sentences.ts';
import { commitSentence } from './commit-sentences.ts';
import { noticedSentence } from './noticed-sentence.ts';
import { each, idOf, indented, list, nameOf, shown } from './phrases.ts';
import {
  batchSentence,
  members,
  preparedNotes,
  resumedNotes,
  standing,
  startNotes,
  testsSentence,
} from './run-sentences.ts';

const DETAIL_LINES = 5;
/** A note names a ref. */
const NOTE_CHARS_MAX = 600;

/**
 * One event as one plain sentence, for pipes, CI logs and lists (R-UX-2); further lines are indented. `undefined` for
 * what is not worth a line. `after` is the state behind the event; of why an attempt failed at most `detailLinesMax` lines
 * are told. What agents and plans say in it is neutralised (R-SEC-2).
 */
export function sentence(envelope: Envelope, after: RunState, detailLinesMax = DETAIL_LINES): string | undefined {
  return each(told(envelope, after, detailLinesMax), ...noteSentences(envelope.event, after));
}

/** What a person should know of an event all the same, one sentence each (R-ADV-6). */
export function noteSentences(event: RunEvent, after: RunState): readonly string[] {
  if (event.type === 'run-prepared' || !('notes' in event)) return [];
  const about = 'task' in event ? `${idOf(after, event.task)}: ` : '';
  return (event.notes ?? []).map((note) => `${about}${shown(note, NOTE_CHARS_MAX)}`);
}

function told({ spec, event }: Envelope, after: RunState, detailLinesMax: number): string | undefined {
  switch (event.type) {
    case 'run-started':
      return indented(`${spec}: ${standing(after)}`, startNotes(event, after));
    case 'run-resumed':
      return indented(`${spec}: resumed, ${standing(after)}`, resumedNotes(event, after));
    case 'run-prepared':
      return indented(
        `${spec}: on branch ${shown(event.branch)} at ${shortHash(event.head)}.`,
        preparedNotes(event, after),
      );
    case 'effect-started':
      return effectSentence(event.effect, after);
    case 'agent-returned':
      return agentReturned(event, after, detailLinesMax);
    case 'task-checked':
      return rejection(event.task, after, detailLinesMax) ?? reported(event, after);
    case 'check-cancelled':
      return checkAgainSentence(event, after, detailLinesMax);
    case 'work-lost':
      return `${idOf(after, event.task)}: its worktree is gone or unreadable, so that nothing can be checked or recorded.`;
    case 'task-reviewed':
      return each(reviewSentence(event, after), noticedSentence(event, idOf(after, event.task)));
    case 'work-held':
      return heldSentence(event, after);
    case 'task-committed':
      return doneSentence(event, after);
    case 'batch-opened':
      return `${counted(event.members.length, 'task')} begin together: ${members(after, event.members)}.`;
    case 'merge-conflicted':
      return `${idOf(after, event.task)}: its work on ${list(event.paths)} does not fit what has changed meanwhile; it runs again, alone.`;
    case 'batch-closed':
      return each(event.left && `${spec}: ${leftText(event.left, 'a Verify command')}.`, batchSentence(event, after));
    case 'tests-run':
      return each(testsSentence(event), noticedSentence(event, 'The tests'));
    case 'tests-cancelled':
      return 'The tests were stopped before their end.';
    case 'merge-rejected':
    case 'commit-refused':
      return rejection(event.task, after, detailLinesMax);
    case 'commit-blocked':
    case 'commit-slow':
      return commitSentence(event, after, detailLinesMax);
    case 'work-set-aside':
      return asideSentence(event, after);
    case 'fix-planned':
      return `${idOf(after, event.task)}: fix task ${inserted(event)} is added to the plan.`;
    case 'plan-modified':
      return `${idOf(after, event.task)}: the plan grows by ${inserted(event)} (${event.request}): ${shown(event.reason)}`;
    case 'modification-refused':
      return modificationSentence(event, after, detailLinesMax);
    case 'waited':
      return undefined;
    case 'time-ran-out':
      return `The time limit of ${durationText(event.limitMs)} is reached: nothing new begins.`;
    case 'stop-requested':
      return `${event.signal}: stopping. Nothing new begins; once more ends everything at once.`;
    case 'run-finished':
      return each(event.left && `${spec}: ${leftText(event.left)}.`, `${spec}: the run is over (${event.result}).`);
    case 'run-halted':
      return `${spec}: the run is over (${event.result}).`;
    default:
      return unreachable(event);
  }
}

/** What was noticed stands in the reason of a failure that is told. */
function agentReturned(
  event: Extract<RunEvent, { type: 'agent-returned' }>,
  after: RunState,
  detailLinesMax: number,
): string | undefined {
  const at = after.progress.get(event.task);
  const told = at?.at === 'failed' && at.blame === 'task' ? at.failure.text : '';
  return each(agentSentence(event, after, detailLinesMax), noticedSentence(event, idOf(after, event.task), told));
}

function modificationSentence(
  { task, reason }: Extract<RunEvent, { type: 'modification-refused' }>,
  after: RunState,
  detailLinesMax: number,
): string | undefined {
  return each(
    `${idOf(after, task)}: the request to change the plan is refused: ${shown(reason)}`,
    rejection(task, after, detailLinesMax),
  );
}

function heldSentence({ task, commit }: Extract<RunEvent, { type: 'work-held' }>, after: RunState): string {
  return `${idOf(after, task)}: the work waits for its fix in commit ${shortHash(commit)}`;
}

function effectSentence(effect: Effect, after: RunState): string | undefined {
  switch (effect.do) {
    case 'delegate':
      return `${nameOf(after, effect.task)}: attempt ${effect.attempt} begins (${effect.role}).`;
    case 'check':
      return checkSentence(effect.task, after);
    case 'wait':
      return `${idOf(after, effect.task)}: ${pauseSentence(effect.pause)}`;
    case 'test':
      return `Running the tests (${effect.when}): \`${shown(effect.command)}\`.`;
    case 'review':
      return `${idOf(after, effect.task)}: a reviewer looks at the work (round ${effect.round}).`;
    case 'prepare':
    case 'commit':
    case 'hold':
    case 'set-aside':
    case 'plan-fix':
    case 'modify':
    case 'open-batch':
    case 'close-batch':
    case 'finish':
      return undefined;
    default:
      return unreachable(effect);
  }
}

function pauseSentence(pause: Pause): string {
  if ('why' in pause && pause.why === 'ended-at-once')
    return `the agent ended at once without an answer; the next attempt begins in ${durationText(pause.forMs)}.`;
  const what =
    'until' in pause
      ? `until ${shown(pause.until)} for the usage limit to end`
      : `${durationText(pause.forMs)} for the agent's service to take work again`;
  return `waiting ${what}; this does not count as an attempt.`;
}
