import type { AgentEnd } from '../../agent/agent-end.ts';
import type { EventOf, LeftByCommands } from '../../run/data/event.ts';
import type { RunState } from '../../run/data/state.ts';
import { questionIn } from '../../run/question.ts';
import { questionsIn } from '../../run/questions.ts';
import { remarkWords } from '../../run/remark.ts';
import { verifyCommands } from '../../run/verify-commands.ts';
import { visibleLine } from '../../text/sanitise.ts';
import { counted, shortHash } from '../../text/words.ts';
import { unreachable } from '../../unreachable.ts';
import { proofNotes } from '../../verify/proof.ts';
import { each, firstFew, idOf, indented, list, shown } from './phrases.ts';
import { reasonOf } from './reason.ts';

const COMMAND_CHARS_MAX = 400;

/** Which commands are run now; they may take long in silence (R-VER-5). */
export function checkSentence(key: string, after: RunState): string | undefined {
  const commands = after.tasks.some((task) => task.key === key) ? verifyCommands(after, key) : [];
  return commands.length === 0
    ? undefined
    : `${idOf(after, key)}: agent finished; running \`${commands.map((command) => visibleLine(command, COMMAND_CHARS_MAX)).join('`, `')}\`.`;
}

/** How an attempt ended when its task is not to blame, by the end the agent came to. */
const NOT_COUNTED: Partial<Record<AgentEnd, string>> = {
  cancelled: 'the attempt was stopped and does not count',
  'rate-limited': "the agent's service is unavailable",
  overloaded: "the agent's service is overloaded or out of reach",
  unauthenticated: 'the agent is not signed in',
  'not-found': 'the agent could not be started',
};

/** How an agent's process ended, unless it made a claim that is now checked (R-DEL-7). */
export function agentSentence(
  event: EventOf<'agent-returned'>,
  after: RunState,
  detailLinesMax: number,
): string | undefined {
  const { task, how, message, resetsAt } = event;
  // What is asked is shown once the draft is kept.
  if (questionsIn(event) !== undefined && !isAskedAgain(after, task)) return undefined;
  const question = questionIn(event);
  if (question !== undefined && !isAskedAgain(after, task))
    return `${idOf(after, task)}: the agent asks: ${shown(question)}`;
  const isLimit = how === 'rate-limited' && (resetsAt !== undefined || /limit|quota|credit/i.test(message));
  const why = isLimit ? 'the agent reached a usage limit' : NOT_COUNTED[how];
  if (why === undefined) return rejection(task, after, detailLinesMax);
  const said = shown(message);
  return `${idOf(after, task)}: ${said === '' || how === 'cancelled' ? `${why}.` : `${why}: ${said}`}`;
}

/** Whether the question was answered before, so that it failed the attempt. */
function isAskedAgain({ progress }: RunState, task: string): boolean {
  const now = progress.get(task);
  return now?.at === 'failed' && now.blame === 'task';
}

/** The rejection that this event brought about, if it did. */
export function rejection(key: string, after: RunState, detailLinesMax: number): string | undefined {
  const progress = after.progress.get(key);
  if (progress?.at !== 'failed') return undefined;
  const { headline, detail } = reasonOf(progress.failure, detailLinesMax);
  const { layer } = progress.failure;
  const what = layer === 'agent' ? 'the attempt failed' : `rejected at ${layer}`;
  return indented(`${idOf(after, key)}: ${what}: ${headline}`, detail);
}

/** What an accepted attempt did that a person should know all the same (R-VER-3, R-VER-6). */
export function reported({ task, evidence }: EventOf<'task-checked'>, after: RunState): string | undefined {
  const { outOfScope, outOfScopeTotal, plan, concerns, uncovered = [], proof = {} } = evidence;
  return each(
    outOfScope.length > 0
      ? `${idOf(after, task)}: changed outside its Files: ${list(outOfScope, outOfScopeTotal)}.`
      : undefined,
    plan.additions.length > 0
      ? `${idOf(after, task)}: kept what was added to the plan: ${list(plan.additions).replace(/\.$/, '')}.`
      : undefined,
    uncovered.length > 0
      ? `${idOf(after, task)}: no longer ignored, and left out of the commit: ${list(uncovered)}.`
      : undefined,
    ...proofNotes(proof).map((note) => `${idOf(after, task)}: ${shown(note)}.`),
    ...concerns.map((concern) => `${idOf(after, task)}: worth a look: ${shown(concern)}`),
  );
}

/** A task that was split is not called done: its parts are still to come (R-MOD-3). How its review ended stays visible (R-VER-7). */
export function doneSentence(
  { task, commit, left, repaired = [] }: EventOf<'task-committed'>,
  after: RunState,
): string | undefined {
  const words = remarkWords(after, task);
  const what = [...after.splits.values()].includes(task) ? 'split' : 'done';
  const by = repaired.length > 0 ? `; a hook changed ${list(repaired)}, which was checked again` : '';
  return each(
    left && `${idOf(after, task)}: ${leftText(left)}.`,
    `${idOf(after, task)}: ${what}${words.length > 0 ? ` (${words.join(', ')})` : ''}, commit ${shortHash(commit)}${by}`,
  );
}

/** Why a claim has to be proved again, or is not any more (R-VER-13). */
export function checkAgainSentence(
  { task, moved }: EventOf<'check-cancelled'>,
  after: RunState,
  detailLinesMax: number,
): string | undefined {
  if (moved === undefined) return `${idOf(after, task)}: the check was interrupted.`;
  const again = `${idOf(after, task)}: ${list(moved)} changed after the check; checking again.`;
  return rejection(task, after, detailLinesMax) ?? again;
}

/** What commit hooks left uncommitted, and where it is (R-ADV-5). */
export function leftText({ paths, kept }: NonNullable<LeftByCommands['left']>, who = 'a commit hook'): string {
  return `${who} changed ${list(paths)} and did not commit it; put back${kept === undefined ? '' : `, kept under ${shown(kept)}`}`;
}

/** What a reviewer said, and how the review ended (R-VER-7). */
export function reviewSentence(
  { task, round, verdict, findings, how, message }: EventOf<'task-reviewed'>,
  after: RunState,
): string {
  const status = after.progress.get(task)?.review.status;
  const end = status === undefined || status === 'passed' ? '' : ` The work is ${status}.`;
  const found = [...findings.code, ...findings.spec.map((finding) => `about the spec: ${finding}`)];
  switch (verdict) {
    case 'pass':
      return `${idOf(after, task)}: the review passed (round ${round}).`;
    case 'fail':
      return indented(
        `${idOf(after, task)}: the review has ${counted(found.length, 'finding')} (round ${round}).${end}`,
        firstFew(found),
      );
    case 'none':
      return `${idOf(after, task)}: the reviewer gave no verdict${how === 'completed' ? '' : `: ${shown(message)}`} (round ${round}).${end}`;
    default:
      return unreachable(verdict);
  }
}

/** Ids of the tasks that were added to the plan. */
export function inserted({ inserted: { tasks } }: EventOf<'fix-planned' | 'plan-modified'>): string {
  return list(tasks.map(({ id }) => id));
}

/** Where the work of a failed attempt is, and what became of its task (R-RETRY-4, R-VER-3). */
export function asideSentence(
  { task, attempt, kept, repaired }: EventOf<'work-set-aside' | 'questions-asked'>,
  after: RunState,
): string | undefined {
  return each(
    ...repaired.map((what) => `${idOf(after, task)}: restored: ${shown(what)}`),
    kept ? `${idOf(after, task)}: the work of attempt ${attempt} is kept under ${shown(kept.ref)}` : undefined,
    after.progress.get(task)?.at === 'gave-up' ? `${idOf(after, task)}: given up.` : undefined,
  );
}
