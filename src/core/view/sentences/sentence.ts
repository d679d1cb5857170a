import { instantText } from '../../instant.ts';
import { isOfPullRequest } from '../../pull-request/evolve.ts';
import type { StartedEffect } from '../../run/data/effect.ts';
import type { Envelope, EventOf, RunEvent } from '../../run/data/event.ts';
import type { Pause } from '../../run/data/pause.ts';
import type { RunState } from '../../run/data/state.ts';
import { driverText } from '../../run/driver.ts';
import { counted, durationText, shortHash } from '../../text/words.ts';
import { unreachable } from '../../unreachable.ts';
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
import { draftSentence, isOfDrafts } from './draft-sentences.ts';
import { noticedSentence } from './noticed-sentence.ts';
import { each, idOf, indented, list, nameOf, shown } from './phrases.ts';
import { pullRequestSentence, stepSentence } from './pull-request-sentences.ts';
import {
  batchSentence,
  doneAndNext,
  members,
  preparedNotes,
  realitySentence,
  resumedNotes,
  startNotes,
  testsSentence,
} from './run-sentences.ts';

const DETAIL_LINES = 5;
/** A note names a ref. */
const NOTE_CHARS_MAX = 600;

/**
 * One event as one plain sentence, for pipes, CI logs and lists (R-UX-2); further lines are indented. `undefined` for
 * what is not worth a line. `after` is the state after the event; of why an attempt failed at most `detailLinesMax` lines
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
      return indented(`${spec}: ${doneAndNext(after)}`, startNotes(event, after));
    case 'run-resumed':
      return indented(`${spec}: resumed, ${doneAndNext(after)}`, resumedNotes(event, after));
    case 'run-prepared':
      return indented(
        `${spec}: on branch ${shown(event.branch)} at ${shortHash(event.head)}.`,
        preparedNotes(event, after),
      );
    case 'effect-started':
      return each(effectSentence(event.effect, after), handOverSentence(event, after));
    case 'work-reported':
      return event.by === 'helper'
        ? `${idOf(after, event.task)}: the helper reported its answer.`
        : `${idOf(after, event.task)}: ${shown(driverText(event.driver))} reported its answer.`;
    case 'agent-returned':
      return agentReturned(event, after, detailLinesMax);
    case 'task-checked':
      return rejection(event.task, after, detailLinesMax) ?? reported(event, after);
    case 'check-cancelled':
      return checkAgainSentence(event, after, detailLinesMax);
    case 'task-reviewed':
      return each(reviewSentence(event, after), noticedSentence(event, idOf(after, event.task)));
    case 'work-lost':
    case 'work-held':
      return heldSentence(event, after);
    case 'task-committed':
      return doneSentence(event, after);
    case 'batch-opened':
      return `Starting ${counted(event.members.length, after.planning === undefined ? 'task' : 'step')} in parallel: ${members(after, event.members)}.`;
    case 'merge-conflicted':
      return `${idOf(after, event.task)}: merge conflict in ${list(event.paths)}; the task runs again, alone.`;
    case 'batch-closed':
      return each(event.left && `${spec}: ${leftText(event.left, 'a Verify command')}.`, batchSentence(event, after));
    case 'tests-run':
      return each(testsSentence(event), noticedSentence(event, 'The tests'));
    case 'tests-cancelled':
      return 'The tests were interrupted.';
    case 'reproduction-run':
    case 'reproduction-cancelled':
      return realitySentence(event);
    case 'merge-rejected':
    case 'commit-refused':
      return rejection(event.task, after, detailLinesMax);
    case 'commit-blocked':
    case 'commit-slow':
      return commitSentence(event, after, detailLinesMax);
    case 'work-set-aside':
      return asideSentence(event, after);
    case 'fix-planned':
      return `${idOf(after, event.task)}: added fix task ${inserted(event)} to the plan.`;
    case 'plan-modified':
      return `${idOf(after, event.task)}: added ${inserted(event)} to the plan (${event.request}): ${shown(event.reason)}`;
    case 'modification-refused':
      return modificationSentence(event, after, detailLinesMax);
    case 'waited':
      return undefined;
    case 'time-ran-out':
    case 'stop-requested':
      return stopSentence(event);
    case 'run-finished':
    case 'run-halted':
      return endSentence(spec, event);
    default:
      if (isOfDrafts(event)) return draftSentence(event, after, detailLinesMax);
      return isOfPullRequest(event) ? pullRequestSentence(event, after) : unreachable(event);
  }
}

function stopSentence(event: EventOf<'time-ran-out' | 'stop-requested'>): string {
  return event.type === 'time-ran-out'
    ? `Time limit of ${durationText(event.limitMs)} reached; starting no more tasks.`
    : `${event.signal}: stopping; a second one stops everything at once.`;
}

function endSentence(spec: string, event: EventOf<'run-finished' | 'run-halted'>): string | undefined {
  const left = event.type === 'run-finished' && event.left ? `${spec}: ${leftText(event.left)}.` : undefined;
  return each(left, `${spec}: run ended (${event.result}).`);
}

/** What was noticed is in the reason of a failure that is told. */
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
    `${idOf(after, task)}: request to change the plan refused: ${shown(reason)}`,
    rejection(task, after, detailLinesMax),
  );
}

function heldSentence(event: EventOf<'work-held' | 'work-lost'>, after: RunState): string {
  const { task } = event;
  if (event.type === 'work-lost')
    return `${idOf(after, task)}: its worktree is missing or unreadable, so nothing can be checked or recorded.`;
  const { at } = after.progress.get(task) ?? {};
  const what = at === 'awaiting' ? 'waiting for its check' : 'waiting for a fix';
  return `${idOf(after, task)}: work saved in commit ${shortHash(event.commit)}, ${what}`;
}

function handOverSentence({ effect, holder }: EventOf<'effect-started'>, after: RunState): string | undefined {
  if (holder === undefined || !('task' in effect)) return undefined;
  return `${idOf(after, effect.task)}: handed over to ${shown(driverText(holder.driver))} until ${shown(holder.until)}.`;
}

function effectSentence(effect: StartedEffect, after: RunState): string | undefined {
  switch (effect.do) {
    case 'delegate':
      return `${nameOf(after, effect.task)}: starting attempt ${effect.attempt} (${effect.role}${effect.agent === undefined ? '' : `, ${shown(effect.agent)}`}).`;
    case 'check':
      return checkSentence(effect.task, after);
    case 'wait':
      return effect.task === undefined ? undefined : `${idOf(after, effect.task)}: ${pauseSentence(effect.pause)}`;
    case 'pull-request':
      return stepSentence(effect);
    case 'test':
      return `Running the tests (${effect.when}): \`${shown(effect.command)}\`.`;
    case 'reproduce':
      return `Running the reproduction (${effect.when} the fix): \`${shown(effect.command)}\`.`;
    case 'measure':
      return `Running the quality commands once: ${shown(effect.commands.map(({ command }) => command).join(', '))}.`;
    case 'review':
      return `${idOf(after, effect.task)}: reviewing the work (round ${effect.round}).`;
    case 'prepare':
    case 'check-draft':
    case 'record-draft':
    case 'roll-back':
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

/** How long a usage limit is waited for. */
function limitText(pause: Pause): string {
  if ('until' in pause) return `until ${shown(pause.until)}`;
  return 'untilMs' in pause ? `until ${instantText(pause.untilMs)}` : durationText(pause.forMs);
}

function pauseSentence(pause: Pause): string {
  if ('why' in pause && pause.why === 'pull-request') return 'waiting for the checks of the pull request.';
  if ('why' in pause && pause.why === 'service-failed')
    return `trying again in ${durationText(pause.forMs)}; this does not count as an attempt.`;
  if ('why' in pause && pause.why === 'ended-at-once')
    return `the agent exited at once without an answer; trying again in ${durationText(pause.forMs)}.`;
  return `waiting ${limitText(pause)} for the usage limit to end; this does not count as an attempt.`;
}
