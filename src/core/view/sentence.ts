import type { AgentEnd } from '../run/agent-end.ts';
import type { Effect } from '../run/effect.ts';
import type { Envelope, RunEvent } from '../run/event.ts';
import type { Pause } from '../run/pause.ts';
import { currentIndex, type RunState } from '../run/state.ts';
import { verifyCommands } from '../run/verify-commands.ts';
import { oneLine } from '../text/sanitise.ts';
import { unreachable } from '../unreachable.ts';
import { reasonOf } from './reason.ts';
import { counted, durationText, idText, shortHash, taskName } from './words.ts';

const DETAIL_LINES = 5;
const TEXT_CHARS_MAX = 200;
const LIST_MAX = 5;

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

/**
 * One event as one plain sentence, for pipes, CI logs and lists (R-UX-2); further lines are indented. `undefined` for
 * what is not worth a line. `after` is the state behind the event; of why an attempt failed at most `detailLinesMax` lines
 * are told. What agents and plans say in it is neutralised (R-SEC-2).
 */
export function sentence(
  { spec, event }: Envelope,
  after: RunState,
  detailLinesMax = DETAIL_LINES,
): string | undefined {
  switch (event.type) {
    case 'run-started':
      return lines(`${spec}: ${standing(after)}`, [`agent: ${oneLine(event.agents, TEXT_CHARS_MAX)}`, limits(after)]);
    case 'run-resumed':
      return lines(`${spec}: resumed, ${standing(after)}`, resumedNotes(event, after));
    case 'run-prepared':
      return lines(`${spec}: on branch ${shown(event.branch)} at ${shortHash(event.head)}.`, preparedNotes(event));
    case 'effect-started':
      return effectSentence(event.effect, after);
    case 'agent-returned':
      return agentSentence(event, after, detailLinesMax);
    case 'task-checked':
      return rejection(event.task, after, detailLinesMax) ?? reported(event, after);
    case 'check-cancelled':
      return `${id(after, event.task)}: the check was stopped before its end.`;
    case 'work-lost':
      return `${id(after, event.task)}: its worktree is gone, and the work of the attempt with it.`;
    case 'task-reviewed':
      return reviewSentence(event, after);
    case 'work-held':
      return `${id(after, event.task)}: the work waits for its fix in commit ${shortHash(event.commit)}`;
    case 'task-committed':
      return doneSentence(event, after);
    case 'batch-opened':
      return `${counted(event.members.length, 'task')} begin together: ${members(after, event.members)}.`;
    case 'merge-conflicted':
      return `${id(after, event.task)}: a neighbour changed the same lines of ${list(event.paths)}; it runs again, alone.`;
    case 'batch-closed':
      return batchSentence(event, after);
    case 'tests-run':
      return testsSentence(event);
    case 'tests-cancelled':
      return 'The tests were stopped before their end.';
    case 'merge-rejected':
    case 'commit-refused':
      return rejection(event.task, after, detailLinesMax);
    case 'work-set-aside':
      return asideSentence(event, after);
    case 'fix-planned':
      return `${id(after, event.task)}: fix task ${inserted(event)} is added to the plan.`;
    case 'plan-modified':
      return `${id(after, event.task)}: the plan grows by ${inserted(event)} (${event.request}): ${shown(event.reason)}`;
    case 'modification-refused':
      return all(
        `${id(after, event.task)}: the request to change the plan is refused: ${shown(event.reason)}`,
        rejection(event.task, after, detailLinesMax),
      );
    case 'waited':
      return undefined;
    case 'time-ran-out':
      return `The time limit of ${durationText(event.limitMs)} is reached: nothing new begins.`;
    case 'stop-requested':
      return `${event.signal}: stopping. Nothing new begins; once more ends everything at once.`;
    case 'run-finished':
    case 'run-halted':
      return `${spec}: the run is over (${event.result}).`;
    default:
      return unreachable(event);
  }
}

function standing(state: RunState): string {
  const done = state.tasks.filter((task) => task.checked).length;
  const current = state.tasks[currentIndex(state)];
  return `${done} of ${counted(state.tasks.length, 'task')} done${current ? `, next is ${taskName(current)}` : ''}.`;
}

function limits({ policy }: RunState): string {
  const bounds = [
    `${counted(policy.maxTaskIterations, 'attempt')} a task`,
    `${policy.maxGlobalIterations} in all`,
    ...(policy.maxCostUsd === undefined ? [] : [`${policy.maxCostUsd} USD`]),
    ...(policy.maxTokens === undefined ? [] : [`${policy.maxTokens} tokens`]),
  ];
  return `limits: ${bounds.join(', ')}`;
}

function resumedNotes({ recorded, tasks, foreign }: Of<'run-resumed'>, after: RunState): readonly string[] {
  return [
    ...(recorded
      ? [`${id(after, recorded.task)}: its commit was found, it is done, commit ${shortHash(recorded.commit)}`]
      : []),
    ...(tasks ? ['tasks.md was changed by hand since; what it says now counts.'] : []),
    ...(foreign && foreign.length > 0 ? [leftAlone(foreign)] : []),
  ];
}

function preparedNotes({ notes, foreign }: Of<'run-prepared'>): readonly string[] {
  return [...notes.map((note) => oneLine(note, TEXT_CHARS_MAX)), ...(foreign.length > 0 ? [leftAlone(foreign)] : [])];
}

function leftAlone(paths: readonly string[]): string {
  return `Your uncommitted changes are left alone: ${list(paths)}.`;
}

function effectSentence(effect: Effect, after: RunState): string | undefined {
  switch (effect.do) {
    case 'delegate':
      return `${name(after, effect.task)}: attempt ${effect.attempt} begins (${effect.role}).`;
    case 'check':
      return checkSentence(effect.task, after);
    case 'wait':
      return `${id(after, effect.task)}: waiting ${pauseText(effect.pause)} for the usage limit to end; this does not count as an attempt.`;
    case 'test':
      return `Running the tests (${effect.when}): \`${shown(effect.command)}\`.`;
    case 'review':
      return `${id(after, effect.task)}: a reviewer looks at the work (round ${effect.round}).`;
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

function members(after: RunState, keys: readonly string[]): string {
  return keys.map((key) => id(after, key)).join(', ');
}

/** R-PAR-6. */
function batchSentence({ broken }: Of<'batch-closed'>, after: RunState): string {
  const why = broken.map(
    ({ task, victim, command }) =>
      `${id(after, task)} breaks \`${shown(command)}\` of ${id(after, victim)}: its box is open again.`,
  );
  return lines('BATCH_COMPLETE', why);
}

function testsSentence({ when, failures, durationMs }: Of<'tests-run'>): string {
  if (when === 'baseline') {
    const known =
      failures.length === 0 ? 'pass' : `fail in ${counted(failures.length, 'place')}, which is not blamed on a task`;
    return `Before the first task the tests ${known} (${durationText(durationMs)}).`;
  }
  if (failures.length === 0) return `The tests show no regression (${durationText(durationMs)}).`;
  return lines('Tests fail that did not fail before:', failures.slice(0, LIST_MAX).map(shown));
}

function checkSentence(key: string, after: RunState): string | undefined {
  const commands = after.tasks.some((task) => task.key === key) ? verifyCommands(after, key) : [];
  return commands.length === 0
    ? undefined
    : `${id(after, key)}: the agent is done; running \`${commands.map(shown).join('`, `')}\`.`;
}

function pauseText(pause: Pause): string {
  return 'until' in pause ? `until ${shown(pause.until)}` : durationText(pause.forMs);
}

/** How an attempt ended when its task is not to blame, by the end the agent came to. */
const NOT_COUNTED: Partial<Record<AgentEnd, string>> = {
  cancelled: 'the attempt was stopped; it does not count',
  'rate-limited': 'the agent met a usage limit',
  unauthenticated: 'the agent is not signed in',
  'not-found': 'the agent cannot be started',
};

function agentSentence(
  { task, how, message }: Of<'agent-returned'>,
  after: RunState,
  detailLinesMax: number,
): string | undefined {
  const why = NOT_COUNTED[how];
  if (why === undefined) return rejection(task, after, detailLinesMax);
  const said = oneLine(message, TEXT_CHARS_MAX);
  return `${id(after, task)}: ${said === '' || how === 'cancelled' ? `${why}.` : `${why}: ${said}`}`;
}

/** The rejection that this event brought about, if it did. */
function rejection(key: string, after: RunState, detailLinesMax: number): string | undefined {
  const progress = after.progress.get(key);
  if (progress?.at !== 'failed') return undefined;
  const { headline, detail } = reasonOf(progress.failure, detailLinesMax);
  const { layer } = progress.failure;
  const what = layer === 'agent' ? 'the attempt failed' : `rejected at ${layer}`;
  return lines(`${id(after, key)}: ${what}: ${headline}`, detail);
}

/** What an accepted attempt did that a person should know all the same (R-VER-3, R-VER-6). */
function reported({ task, evidence }: Of<'task-checked'>, after: RunState): string | undefined {
  const { outOfScope, plan } = evidence;
  return all(
    outOfScope.length > 0 ? `${id(after, task)}: changed outside its Files: ${list(outOfScope)}.` : undefined,
    plan.additions.length > 0
      ? `${id(after, task)}: kept what was added to tasks.md: ${list(plan.additions)}.`
      : undefined,
  );
}

/** A task that was split is not called done: its parts are still to come (R-MOD-3). How its review ended stays visible (R-VER-7). */
function doneSentence({ task, commit }: Of<'task-committed'>, after: RunState): string {
  const review = after.reviews.get(task);
  const what = [...after.splits.values()].includes(task) ? 'split' : 'done';
  return `${id(after, task)}: ${what}${review ? ` (${review.status})` : ''}, commit ${shortHash(commit)}`;
}

function reviewSentence(
  { task, round, verdict, findings, how, message }: Of<'task-reviewed'>,
  after: RunState,
): string {
  const status = after.progress.get(task)?.review.status;
  const end = status === undefined || status === 'passed' ? '' : ` The work is ${status}.`;
  const found = [...findings.code, ...findings.spec.map((finding) => `about the spec: ${finding}`)];
  switch (verdict) {
    case 'pass':
      return `${id(after, task)}: the review passed (round ${round}).`;
    case 'fail':
      return lines(
        `${id(after, task)}: the review came to ${counted(found.length, 'finding')} (round ${round}).${end}`,
        firstFew(found),
      );
    case 'none':
      return `${id(after, task)}: the reviewer gave no verdict${how === 'completed' ? '' : `: ${shown(message)}`} (round ${round}).${end}`;
    default:
      return unreachable(verdict);
  }
}

function inserted({ inserted: { tasks } }: Of<'fix-planned' | 'plan-modified'>): string {
  return list(tasks.map(({ id }) => id));
}

function asideSentence({ task, attempt, kept, repaired }: Of<'work-set-aside'>, after: RunState): string | undefined {
  return all(
    ...repaired.map((what) => `${id(after, task)}: put right: ${shown(what)}`),
    kept ? `${id(after, task)}: the work of attempt ${attempt} is kept under ${shown(kept.ref)}` : undefined,
    after.progress.get(task)?.at === 'gave-up' ? `${id(after, task)}: given up.` : undefined,
  );
}

function name(state: RunState, key: string): string {
  const task = state.tasks.find((candidate) => candidate.key === key);
  return task ? taskName(task) : idText(key);
}

function id(state: RunState, key: string): string {
  return idText(state.tasks.find((task) => task.key === key)?.id ?? key);
}

function list(items: readonly string[]): string {
  const first = items.slice(0, LIST_MAX).map(shown).join(', ');
  return items.length > LIST_MAX ? `${first} and ${items.length - LIST_MAX} more` : first;
}

function firstFew(items: readonly string[]): readonly string[] {
  const more = items.length > LIST_MAX ? [`and ${items.length - LIST_MAX} more`] : [];
  return [...items.slice(0, LIST_MAX).map(shown), ...more];
}

function shown(text: string): string {
  return oneLine(text, TEXT_CHARS_MAX);
}

function lines(head: string, further: readonly string[]): string {
  return [head, ...further].join('\n    ');
}

/** Several sentences about one event, one a line; `undefined` for none. */
function all(...sentences: readonly (string | undefined)[]): string | undefined {
  const said = sentences.filter((one) => one !== undefined);
  return said.length === 0 ? undefined : said.join('\n');
}
